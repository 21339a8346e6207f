# ---
# title: Weights from elsewhere
# description: "A lab in PyTorch: load a checkpoint into a model that pairs the channels of RoPE in another way, find out from the outside what is wrong, and convert the weights."
# question: A checkpoint loads without an error, and the model answers nonsense; how do you find out why, and repair the weights?
# minutes: 45
# needs: torch
# ---

# %% [markdown]
# # Weights from elsewhere
#
# You download a checkpoint, and `load_state_dict` says `<All keys matched successfully>`.
# The model runs, and its answers are bad.
# In this lab you make that happen with a small model, find the cause from the outside, as you would have to with a large one, and convert the weights.
#
# The model has one layer of attention in PyTorch, with fewer heads of keys than of queries, and it learns its task here in a few seconds.
# [Rotary embeddings](../chapters/rotary.md) has the formulas.

# %%
import torch
from torch import nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

import posenc
from posenc.exercises import verify

VOCABULARY, LENGTH = 16, 32  # words, and words in a sentence
HEADS, KV_HEADS, HEAD_DIM = 4, 2, 16

# %% [markdown]
# ## Two ways to pair channels { #pairs }
#
# RoPE rotates pairs of channels of each query and key.
# Some programs pair neighbours, (0, 1), (2, 3), and so on, which is called *interleaved*.
# Others pair channel $i$ with channel $i + d/2$, which is called *half*: [eq-rotary-order][].
# Each is right for a model that was trained with it.


# %%
def rotate(x, layout):
    """Rotate x, shape (B, H, L, head_dim), each row by its position."""
    pair = torch.arange(HEAD_DIM // 2, dtype=torch.float64)
    positions = torch.arange(x.shape[-2], dtype=torch.float64)
    angles = torch.outer(positions, 10_000.0 ** (-2 * pair / HEAD_DIM))
    cos, sin = angles.cos(), angles.sin()
    if layout == "interleaved":
        a, b = x[..., 0::2], x[..., 1::2]
        parts = (a * cos - b * sin, a * sin + b * cos)
        return torch.stack(parts, -1).flatten(-2)
    a, b = x.chunk(2, -1)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1)


class Attention(nn.Module):
    def __init__(self, d_model, layout):
        super().__init__()
        self.layout = layout
        self.q_proj = nn.Linear(d_model, HEADS * HEAD_DIM)
        self.k_proj = nn.Linear(d_model, KV_HEADS * HEAD_DIM)
        self.v_proj = nn.Linear(d_model, KV_HEADS * HEAD_DIM)
        self.o_proj = nn.Linear(HEADS * HEAD_DIM, d_model, bias=False)

    def queries_and_keys(self, x):
        q, k = self.q_proj(x), self.k_proj(x)
        q, k = (
            part.unflatten(-1, (-1, HEAD_DIM)).transpose(1, 2) for part in (q, k)
        )
        return rotate(q, self.layout), rotate(k, self.layout)

    def forward(self, x):
        q, k = self.queries_and_keys(x)
        v = self.v_proj(x).unflatten(-1, (-1, HEAD_DIM)).transpose(1, 2)
        mixed = scaled_dot_product_attention(
            q, k, v, is_causal=True, enable_gqa=True
        )
        return self.o_proj(mixed.transpose(1, 2).flatten(-2))


class Model(nn.Module):
    def __init__(self, layout, d_model=32):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, d_model)
        self.norm = nn.LayerNorm(d_model)
        self.attention = Attention(d_model, layout)
        self.answer = nn.Linear(d_model, VOCABULARY)

    def forward(self, words):
        x = self.words(words)
        return self.answer(x + self.attention(self.norm(x)))


# %% [markdown]
# ## The checkpoint { #checkpoint }
#
# The model learns to name the word three places back, and pairs neighbours, as Meta's own code for Llama does.
# Its weights are the checkpoint.


# %%
def make_sentences(seed, count):
    """Return sentences, and the word three places before each word, or -100."""
    generator = torch.Generator().manual_seed(seed)
    words = torch.randint(VOCABULARY, (count, LENGTH), generator=generator)
    labels = words.roll(3, 1)
    labels[:, :3] = -100  # nothing to name: `cross_entropy` leaves them out
    return words, labels


def find_loss(model, seed=99):
    words, labels = make_sentences(seed, 64)
    return cross_entropy(model(words).flatten(0, 1), labels.flatten()).item()


torch.manual_seed(0)
trained = Model("interleaved").double()
optimizer = torch.optim.Adam(trained.parameters(), lr=1e-2)
for step in range(200):
    words, labels = make_sentences(1000 + step, 16)
    loss = cross_entropy(trained(words).flatten(0, 1), labels.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
trained.requires_grad_(False)
checkpoint = trained.state_dict()
chance = torch.log(torch.tensor(float(VOCABULARY))).item()
verify("it has learned", find_loss(trained), below=0.1)
{name: tuple(weight.shape) for name, weight in checkpoint.items()}

# %% [markdown]
# Nothing in these names and shapes says how channels are paired.
#
# ## Loaded { #loaded }
#
# Your own program pairs halves, as Hugging Face's models do.

# %%
mine = Model("half").double().requires_grad_(False)
print(mine.load_state_dict(checkpoint))
print(f"loss: trained {find_loss(trained):.2f}, mine {find_loss(mine):.2f}")
print(f"      for a guess {chance:.2f}")
verify("mine is much worse", find_loss(mine), above=1)

# %% [markdown]
# Before you ask whether the checkpoint is broken, compare the two models on a short text.
# A smoke test with a single word is popular, and it is of no use here:

# %%
probe, _ = make_sentences(7, 1)
verify(
    "one word: the same logits",
    mine(probe[:, :1]),
    trained(probe[:, :1]),
    within=1e-12,
)
gap = abs(mine(probe) - trained(probe)).amax((0, 2))
print("largest difference of the logits at positions 0 to 4:")
print([round(value, 2) for value in gap[:5].tolist()])

# %% [markdown]
# At position 0 all angles are zero, so nothing is rotated.
# From position 1 on, the models differ: that points at positions, and not at the vocabulary or at a missing weight.
#
# ## Where does each model look? { #look }
#
# **Task 1.** Return how much attention a query gives, on average over sentences, heads and the queries from position 16 on, to the key $k$ places back.
# `attention` has the shape (sentences, heads, queries, keys).


# %%
def at_offset(attention, k):
    raise NotImplementedError("task 1 is yours")


# %% tags=["solution"]
def at_offset(attention, k):
    return attention.diagonal(-k, -2, -1)[..., 16 - k :].mean().item()


# %%
def find_attention(model, words):
    """Return the attention weights of a model, computed step by step."""
    q, k = model.attention.queries_and_keys(model.norm(model.words(words)))
    k = k.repeat_interleave(
        HEADS // KV_HEADS, 1
    )  # a head of keys serves two of queries
    scores = q @ k.transpose(-2, -1) / HEAD_DIM**0.5
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(future, -torch.inf).softmax(-1)


third = torch.eye(LENGTH).roll(-3, 1)[None, None]  # row q has its 1 at key q - 3
verify("all of it three places back", at_offset(third, 3), 1.0)
verify("none of it two places back", at_offset(third, 2), 0.0)
half_of_it = torch.cat([third, torch.zeros_like(third)], 1)
verify("the mean over heads", at_offset(half_of_it, 3), 0.5)

sentences, _ = make_sentences(8, 64)
for name, model in (("trained", trained), ("mine", mine)):
    attention = find_attention(model, sentences)
    shares = [round(100 * at_offset(attention, k)) for k in range(8)]
    print(f"{name:8} percent of attention at offsets 0 to 7: {shares}")

# %% [markdown]
# The trained model looks three places back, and yours doesn't.
# Keys and queries have the right numbers, but each number is rotated with the wrong partner and by the wrong frequency.
#
# ## Which pairing is it? { #which }
#
# With a real checkpoint you can't open the program that trained it.
# But its authors often publish the logits for a short text, or you can get them from their server, and your program can pair channels in both ways.
#
# **Task 2.** Return the layout, `"interleaved"` or `"half"`, with which a model with the weights `state` gives the logits `expected` for `words`, or `"neither"`.


# %%
def find_layout(state, words, expected):
    raise NotImplementedError("task 2 is yours")


# %% tags=["solution"]
def find_layout(state, words, expected):
    for layout in ("interleaved", "half"):
        model = Model(layout).double()
        model.load_state_dict(state)
        if torch.allclose(model(words), expected, rtol=0, atol=1e-9):
            return layout
    return "neither"


# %%
other = Model("half").double()
verify(
    "the checkpoint", find_layout(checkpoint, probe, trained(probe)), "interleaved"
)
verify("another one", find_layout(other.state_dict(), probe, other(probe)), "half")
verify("neither", find_layout(checkpoint, probe, other(probe)), "neither")

# %% [markdown]
# If there are no logits to compare, compare the losses on a text of the language that the model knows.
# The right layout has the lower one, and the difference is not subtle.
#
# ## Convert { #convert }
#
# Your program must keep its layout, so the weights have to change.
# A row of `q_proj.weight` makes one channel of the queries.
# Within each head, the rows of the pairs (0, 1), (2, 3), … have to move so that the first channels of all pairs come first, and then the second ones.
# Queries and keys are permuted in the same way, so their dot products stay what they were.
#
# **Task 3.** Return the weight, shape (heads · `HEAD_DIM`, anything), or the bias, shape (heads · `HEAD_DIM`), with its rows in the order that *half* needs.


# %%
def to_half(rows, heads):
    raise NotImplementedError("task 3 is yours")


# %% tags=["solution"]
def to_half(rows, heads):
    pairs = rows.reshape(heads, HEAD_DIM // 2, 2, *rows.shape[1:])
    return pairs.transpose(1, 2).reshape(rows.shape)


# %%
by_channel = torch.arange(2.0 * HEAD_DIM)
first = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]
both = first + [HEAD_DIM + row for row in first]
verify("the rows of two heads", to_half(by_channel, 2), both)


def convert_by_package(rows, heads):
    return posenc.convert_weights(
        rows.numpy(), heads, head_dim=HEAD_DIM, source="interleaved", target="half"
    )


weight = checkpoint["attention.q_proj.weight"]
theirs = convert_by_package(weight, HEADS)
verify("bit for bit as the package", to_half(weight, HEADS), theirs)

# %% [markdown]
# **Task 4.** Return a state dict for your program: a new dict, with everything converted that needs it, and the rest as it is.
# Mind the number of heads.


# %%
def convert(state):
    raise NotImplementedError("task 4 is yours")


# %% tags=["solution"]
def convert(state):
    heads = {"attention.q_proj": HEADS, "attention.k_proj": KV_HEADS}
    converted = dict(state)
    for name, n_heads in heads.items():
        for kind in ("weight", "bias"):
            converted[f"{name}.{kind}"] = to_half(state[f"{name}.{kind}"], n_heads)
    return converted


# %%
before = {name: weight.clone() for name, weight in checkpoint.items()}
converted = convert(checkpoint)
verify("the same names", list(converted), list(checkpoint))
changed = sum(not torch.equal(checkpoint[name], before[name]) for name in before)
verify("no tensor of the checkpoint itself has changed", changed, 0)
for name in ("attention.v_proj.weight", "attention.o_proj.weight"):
    verify(f"not rotated, so not moved: {name}", converted[name], checkpoint[name])
for name, heads in (("q_proj", HEADS), ("k_proj", KV_HEADS)):
    for kind in ("weight", "bias"):
        rows = checkpoint[f"attention.{name}.{kind}"]
        exact = convert_by_package(rows, heads)
        verify(f"{name}.{kind}", converted[f"attention.{name}.{kind}"], exact)

mine.load_state_dict(converted)
verify("the same logits", mine(probe), trained(probe), within=1e-9)
verify("the same loss", find_loss(mine), find_loss(trained), within=1e-9)

# %% [markdown]
# The weights are moved and not changed, so they agree bit for bit.
# The logits agree only within rounding, because the sums of a dot product are now added in another order.
#
# ## A wrong conversion { #wrong }
#
# With grouped queries, `k_proj` has fewer heads than `q_proj`.
# If you convert it with the number of query heads, the shapes still fit, and again nothing raises an error:

# %%
wrong = dict(converted)
rows = checkpoint["attention.k_proj.weight"]
pairs = rows.reshape(HEADS, -1, 2, rows.shape[1])  # 4 heads of 8 channels
wrong["attention.k_proj.weight"] = pairs.transpose(1, 2).reshape(rows.shape)
print(mine.load_state_dict(wrong))
verify("much worse again", find_loss(mine), above=1)

# %% [markdown]
# So compare logits after each conversion, on a text of several words.
#
# ## What this does not show { #limits }
#
# - The loss of this model jumps because the task needs an exact offset. A large model in the wrong layout may still write grammatical sentences.
# - Some models rotate only a part of each head, so only those rows move. Some have a norm on queries and keys, whose weights have to move with the rows. [The atlas of models](../reference/atlas.md) shows how many channels each model rotates.
