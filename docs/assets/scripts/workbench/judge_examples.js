// Code to start from: one function that is right, and three with mistakes that occur in projects.

const llama = `import numpy as np

def rope(x, positions):
    half = x.shape[-1] // 2
    inv_freq = 1 / 10000 ** (np.arange(half) / half)
    angles = np.outer(positions, inv_freq)
    a, b = x[..., :half], x[..., half:]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
`;

const neighbours = `import numpy as np

def rope(x, positions):
    half = x.shape[-1] // 2
    inv_freq = 1 / 10000 ** (np.arange(half) / half)
    angles = np.outer(positions, inv_freq)
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = np.cos(angles), np.sin(angles)
    rotated = np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1)
    return rotated.reshape(x.shape)
`;

const slip = `import numpy as np

def encode(seq_len, d_model):
    channels = np.arange(d_model)
    angles = np.outer(np.arange(seq_len), 10000 ** (-channels / d_model))
    return np.where(channels % 2, np.cos(angles), np.sin(angles))
`;

const slopes = `import numpy as np

def bias(seq_len, heads=12):
    slopes = 2 ** (-8 * np.arange(1, heads + 1) / heads)
    offsets = np.arange(seq_len) - np.arange(seq_len)[:, None]
    return np.where(offsets > 0, -np.inf, slopes[:, None, None] * offsets)
`;

/** Names of examples, each with its code and the encoding that it should be. */
export const EXAMPLES = {
  "RoPE of Llama": [llama, "llama"],
  "RoPE in the wrong layout": [neighbours, "llama"],
  "Sinusoids with a wrong exponent": [slip, "sinusoidal"],
  "ALiBi with wrong slopes": [slopes, "alibi"],
};
