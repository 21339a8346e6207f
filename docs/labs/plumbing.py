# ---
# title: "Find the bug: plumbing"
# description: "A lab: five short functions with the right formulas, each with a mistake that was published somewhere. You find it and repair the function, and checks tell you whether all is well."
# question: All formulas in these five functions are right; why are the encodings wrong?
# minutes: 40
# ---

# %% [markdown]
# # Find the bug: plumbing
#
# The formulas of positional encodings are short, and by now most programs have them right.
# What goes wrong today is in the code that connects them.
# As in [the lab on formulas](bugs.md), each function reproduces a mistake from public code.
# Look for it, and repair the function in its cell.
# If you are stuck, open *Show what the checks say*.

# %%
import numpy as np

from posenc import exercises


def frequencies(d):
    """Return the frequencies of the pairs, shape (d/2,)."""
    return 10000.0 ** (-2 * np.arange(d // 2) / d)


def repaired(name, function):
    """Return the report on a repaired function, which must have all properties."""
    report = exercises.check(name, function)
    bug = exercises.check(name, exercises.find(name).properties[0].wrong)
    if report.findings == bug.findings:
        raise NotImplementedError(
            f"{function.__name__} still has its bug; repair it"
        )
    assert report.holds, report
    return report


# %% [markdown]
# ## Bug 1: rotary embedding { #rotary }
#
# Rotary embedding rotates pairs of channels, which in the *half* layout are channels $i$ and $i + d/2$: [eq-rotary-order][].
# The usual program exchanges the halves of a vector, changes the sign of one, and needs each angle twice.
#
# **What was seen.** The program runs, and a model can be trained with it.
#
# A [course](https://github.com/raiyanyahya/how-to-train-your-gpt/issues/6) had it, and a user of an image model [asks whether it has it, too](https://github.com/baidu/ERNIE-Image/issues/6).
# Others have reported the half layout itself as a bug, [in 2023](https://github.com/EleutherAI/gpt-neox/issues/834) and [in 2025](https://github.com/huggingface/transformers/issues/40462), but it isn't one.
#
# **Task 1.** Find the mistake and repair `turned`.


# %%
def turned(x, positions):
    """Return the rows of x, shape (L, d); channel i rotates with i + d/2."""
    half = x.shape[1] // 2
    angles = np.outer(positions, frequencies(x.shape[1]))
    angles = np.repeat(angles, 2, axis=1)
    exchanged = np.concatenate([-x[:, half:], x[:, :half]], axis=1)
    return x * np.cos(angles) + exchanged * np.sin(angles)


# %% tags=["verdict"]
exercises.check("bug-halves", turned)

# %% [markdown] tags=["solution"]
# Which angle does channel 0 get, and which its partner?
# `np.repeat` gives the angles as 0, 0, 1, 1, 2, 2, which is right for neighbours.
# Halves need 0, 1, 2, 0, 1, 2, and that is `np.tile`.
# If you exchanged neighbours instead, angles and exchange agree again, but the layout is not the one asked for.


# %% tags=["solution"]
def turned(x, positions):
    half = x.shape[1] // 2
    angles = np.outer(positions, frequencies(x.shape[1]))
    angles = np.tile(angles, 2)
    exchanged = np.concatenate([-x[:, half:], x[:, :half]], axis=1)
    return x * np.cos(angles) + exchanged * np.sin(angles)


# %% [markdown] tags=["solution"]
# Put one query and one key at all pairs of positions. Equal offsets are on a diagonal, so each diagonal must have one colour.

# %% tags=["solution"] id="fig-rotary" alt="Two square tables of scores of 24 positions. As it came, colours change along the diagonals. Repaired, each diagonal has one colour from end to end." caption="Scores of one query with one key at all positions, $d = 8$."
import posenc.plots

query, key = np.random.default_rng(1).normal(size=(2, 1, 8))


def scores(turn):
    at = np.arange(24)
    return turn(query.repeat(24, axis=0), at) @ turn(key.repeat(24, axis=0), at).T


as_it_came = exercises.find("bug-halves").properties[0].wrong
posenc.plots.panels({"as it came": scores(as_it_came), "repaired": scores(turned)})

# %%
repaired("bug-halves", turned)

# %% [markdown]
# ## Bug 2: a table in half precision { #half-precision }
#
# A model runs in half precision, so it needs its table of encodings in that type.
#
# **What was seen.** Short texts are fine.
# In long ones some positions are slightly wrong and others wildly, without a pattern.
#
# GPT-NeoX [had it](https://github.com/EleutherAI/gpt-neox/issues/1003), Hugging Face's Llama [had it](https://github.com/huggingface/transformers/issues/25681) when a model was converted as a whole, and Keras [turned to float32](https://github.com/keras-team/keras-hub/pull/1508) because of it.
#
# **Task 2.** Find the mistake and repair `encode`.


# %%
def encode(positions, d_model, dtype):
    """Return sinusoids, interleaved, shape (L, d), rounded to dtype."""
    positions = np.asarray(positions, dtype)
    angles = positions[:, None] * frequencies(d_model).astype(dtype)
    out = np.empty((len(positions), d_model), dtype)
    out[:, 0::2], out[:, 1::2] = np.sin(angles), np.cos(angles)
    return out


# %% tags=["verdict"]
exercises.check("bug-dtype", encode)

# %% [markdown] tags=["solution"]
# What does float16 make of position 2049? It rounds it to 2048.
# A number type has a fixed number of digits, and a large number leaves few of them for its fraction.
# So compute in float64 and round at the end: entries of a table are at most 1, where half precision does well.
# If you repaired the positions but not the frequencies, the error grows with the position, and the checks find it further out.
# <!-- check: np.float16(2049) == 2048 -->


# %% tags=["solution"]
def encode(positions, d_model, dtype):
    positions = np.asarray(positions, np.float64)
    angles = positions[:, None] * frequencies(d_model)
    out = np.empty((len(positions), d_model), dtype)
    out[:, 0::2], out[:, 1::2] = np.sin(angles), np.cos(angles)  # rounded here
    return out


# %% [markdown] tags=["solution"]
# Of 4096 rows, how many different ones does each table have?

# %% tags=["solution"]
as_it_came = exercises.find("bug-dtype").properties[0].wrong
rows = {}
for name, function in (("as it came", as_it_came), ("repaired", encode)):
    rows[name] = len(np.unique(function(range(4096), 64, np.float16), axis=0))
assert rows["as it came"] < 3100 < rows["repaired"] == 4096
rows

# %% [markdown] tags=["solution"]
# Up to 2048 float16 has all whole numbers, then every second one; for bfloat16 that begins at 256.

# %%
repaired("bug-dtype", encode)

# %% [markdown]
# ## Bug 3: position ids of a batch { #position-ids }
#
# Sentences in a batch are padded to one length.
# `real` is true where there is a token, and each token needs its position in its own sentence: [eq-position-ids][].
#
# **What was seen.** A sentence alone gives the right answer.
# In a batch with longer ones it silently gives another.
#
# This comes back with each new program: in [one that trains](https://github.com/tloen/alpaca-lora/issues/315), in [one that generates](https://github.com/unslothai/unsloth/pull/4078), in [one that looks into models](https://github.com/ndif-team/nnsight/issues/672).
#
# **Task 3.** Find the mistake and repair `position_ids`.


# %%
def position_ids(real):
    """Return the position of each token, shape (B, L)."""
    batch, length = real.shape
    return np.tile(np.arange(length), (batch, 1))


# %% tags=["verdict"]
exercises.check("bug-positions", position_ids)

# %% [markdown] tags=["solution"]
# Write down what a row with padding on the left should get: its first token has position 0.
# The position of a token is the number of real tokens before it: a running sum, minus the token itself.
# At padding on the left that is $-1$, which as an index means the last row of a table; any row that exists will do.
#
# Rotary embeddings and biases forgive this mistake, but added encodings don't: [eq-constant-shift][].
# So one model doesn't show it, and it ruins another.


# %% tags=["solution"]
def position_ids(real):
    before = np.cumsum(real, axis=1) - 1
    return np.where(real, before, 0)


# %%
repaired("bug-positions", position_ids)

# %% [markdown]
# ## Bug 4: adding the table { #adding }
#
# `tokens` has the shape $(B, L, d)$: sentences, positions, channels.
# Row $p$ of the table belongs to the token at position $p$ of every sentence.
#
# **What was seen.** Training looks right for some epochs, and then the loss on new sentences rises.
#
# A [course](https://github.com/cmu-l3/anlp-fall2025-code/issues/1) and a [transformer in NumPy](https://github.com/AkiRusProd/numpy-transformer/issues/1) had it, and a user asks about a [model of where people go next](https://github.com/songyangco/GETNext/issues/2).
#
# **Task 4.** Find the mistake and repair `add_positions`.


# %%
def add_positions(tokens, table):
    """Return tokens, shape (B, L, d), each with the encoding of its position."""
    codes = table[: tokens.shape[0]]
    return tokens + codes[:, None, :]


# %% tags=["verdict"]
exercises.check("bug-sum", add_positions)

# %% [markdown] tags=["solution"]
# The first axis counts sentences, so all tokens of a sentence got the same encoding, that of its number in the batch. The model could not see their order, because [attention has no order](../chapters/order.md) of its own.
# Broadcasting hides it: a table of shape $(B, 1, d)$ fits tokens of shape $(B, L, d)$ as well as one of shape $(1, L, d)$.
# PyTorch's older convention has positions on the first axis, and examples of it are still copied.
# A similar bug exchanges the height and width of images, which is [right only for squares](https://github.com/huggingface/transformers/pull/41380).


# %% tags=["solution"]
def add_positions(tokens, table):
    codes = table[: tokens.shape[1]]
    return tokens + codes[None, :, :]


# %%
repaired("bug-sum", add_positions)

# %% [markdown]
# ## Bug 5: decoding token by token { #decoding }
#
# Angles are the same for every layer and every step, so programs keep them.
# `turned_from` rotates the rows of `x` by the positions `start`, `start + 1`, and so on.
#
# **What was seen.** A test of each call passes, but generated text is worse than it should be.
#
# It was in [rotary-embedding-torch](https://github.com/lucidrains/rotary-embedding-torch/issues/11) for a time.
#
# **Task 5.** Find the mistake and repair `turned_from`.


# %%
kept = {}


def turned_from(x, start=0, base=10000):
    """Return the rows of x, shape (L, d), rotated by positions from start on."""
    length, d = x.shape
    if length not in kept:
        omega = float(base) ** (-2 * np.arange(d // 2) / d)
        kept[length] = np.outer(start + np.arange(length), omega)
    cos, sin = np.cos(kept[length]), np.sin(kept[length])
    out = np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * cos - x[:, 1::2] * sin
    out[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
    return out


# %% tags=["verdict"]
exercises.check("bug-decoding", turned_from)

# %% [markdown] tags=["solution"]
# List what the angles depend on: the length, the start, the width and the base. The key of the cache has only the length.
# A key needs *all* of them. With three, the fourth goes wrong as soon as two models share a process.
# It is better to keep something that depends on less: the frequencies need only the width and the base.
#
# The checks decode token by token, and compare with the whole sequence.
# [`posenc.laws.cached_equals_full`][] does so for any function of queries, keys and positions; try it on your own.


# %% tags=["solution"]
kept = {}


def turned_from(x, start=0, base=10000):
    length, d = x.shape
    if (d, base) not in kept:
        kept[d, base] = float(base) ** (-2 * np.arange(d // 2) / d)
    angles = np.outer(start + np.arange(length), kept[d, base])
    cos, sin = np.cos(angles), np.sin(angles)
    out = np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * cos - x[:, 1::2] * sin
    out[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
    return out


# %%
repaired("bug-decoding", turned_from)

# %% [markdown]
# ## Which properties found them { #properties }
#
# All five have the right formula, so comparing it with the paper would not have helped.
# A property did. This lists the first property that each function failed:

# %% tags=["verdict"]
for name in exercises.names("bug")[5:]:
    asked = exercises.find(name).properties[0]
    assert not exercises.check(name, asked.wrong).holds
    print(f"{name}: {asked.name}")
