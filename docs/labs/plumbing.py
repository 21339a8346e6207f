# ---
# title: "Find the bug: plumbing"
# description: "A lab: five short functions, each with the right formulas and a mistake between them that was published somewhere. A judge says which property fails."
# question: All formulas in these five functions are right; why are the encodings wrong?
# minutes: 40
# ---

# %% [markdown]
# # Find the bug: plumbing
#
# The formulas of positional encodings are short, and by now most programs have them right.
# What goes wrong today lies between them: an order of channels, a number type, an axis, a row of padding, a cache.
# As in [the lab on formulas](bugs.md), each function repeats a mistake from public code.
# Look for it before you read what the judge says; then repair the function.

# %%
import numpy as np

from posenc import exercises


def frequencies(d):
    """Return the frequencies of the pairs, shape (d/2,)."""
    return 10000.0 ** (-2 * np.arange(d // 2) / d)


def repaired(name, function):
    """Return the judge's report, if all is well."""
    report = exercises.check(name, function)
    assert report.holds, report
    return report


# %% [markdown]
# ## Two halves and four quarters { #layout }
#
# Rotary embedding turns pairs of channels, which in the *half* layout are channels $i$ and $i + d/2$: [eq-rotary-order][].
# The usual program exchanges the halves of a vector, changes the sign of one, and needs each angle twice.
#
# **What was seen.** The program runs, and a model can be trained with it.
# Then a reader finds two lines that disagree about the pairs.
#
# A [course](https://github.com/raiyanyahya/how-to-train-your-gpt/issues/6) had it, and a [reader of an image model](https://github.com/baidu/ERNIE-Image/issues/6) asks whether it is there, too.
# Others have reported the half layout itself as a bug, [in 2023](https://github.com/EleutherAI/gpt-neox/issues/834) as [in 2025](https://github.com/huggingface/transformers/issues/40462); it is none, as long as angles and exchange agree.
#
# **Task 1.** Which angle does channel 0 get, and which its partner? Repair `turned`.


# %%
def turned(x, positions):
    """Return the rows of x, shape (L, d), channel i turned with channel i + d/2."""
    half = x.shape[1] // 2
    angles = np.outer(positions, frequencies(x.shape[1]))
    angles = np.repeat(angles, 2, axis=1)
    exchanged = np.concatenate([-x[:, half:], x[:, :half]], axis=1)
    return x * np.cos(angles) + exchanged * np.sin(angles)


exercises.check("bug-layout", turned)

# %% [markdown] tags=["solution"]
# `np.repeat` gives the angles as 0, 0, 1, 1, 2, 2, which is right for neighbours.
# Halves need 0, 1, 2, 0, 1, 2, and that is `np.tile`.
# If you exchanged neighbours instead, the layout is consistent again, but not the one asked for.


# %% tags=["solution"]
def turned(x, positions):
    half = x.shape[1] // 2
    angles = np.outer(positions, frequencies(x.shape[1]))
    angles = np.tile(angles, 2)
    exchanged = np.concatenate([-x[:, half:], x[:, :half]], axis=1)
    return x * np.cos(angles) + exchanged * np.sin(angles)


repaired("bug-layout", turned)

# %% [markdown]
# Put one query and one key at all pairs of positions: equal offsets lie on a diagonal, so each diagonal must have one colour.

# %% id="fig-layout" alt="Two square tables of scores of 24 positions. As it came, colours change along the diagonals. Repaired, each diagonal has one colour from end to end." caption="Scores of one query with one key at all positions, $d = 8$."
import posenc.plots

query, key = np.random.default_rng(1).normal(size=(2, 1, 8))


def scores(turn):
    at = np.arange(24)
    return turn(query.repeat(24, axis=0), at) @ turn(key.repeat(24, axis=0), at).T


as_it_came = exercises.find("bug-layout").properties[0].wrong
posenc.plots.panels({"as it came": scores(as_it_came), "repaired": scores(turned)})

# %% [markdown]
# ## Positions that were rounded { #precision }
#
# A model runs in half precision, so its table of encodings should come out in that type.
#
# **What was seen.** Short texts are fine.
# In long ones some positions are a little off and others wildly, without a pattern.
#
# GPT-NeoX [had it](https://github.com/EleutherAI/gpt-neox/issues/1003), Hugging Face's Llama [had it](https://github.com/huggingface/transformers/issues/25681) when a model was converted as a whole, and Keras [turned to float32](https://github.com/keras-team/keras-hub/pull/1508) because of it.
#
# **Task 2.** What does float16 make of 2049? Repair `encode`.


# %%
def encode(positions, d_model, dtype):
    """Return sinusoids, interleaved, shape (L, d), rounded to dtype."""
    positions = np.asarray(positions, dtype)
    angles = positions[:, None] * frequencies(d_model).astype(dtype)
    out = np.empty((len(positions), d_model), dtype)
    out[:, 0::2], out[:, 1::2] = np.sin(angles), np.cos(angles)
    return out


exercises.check("bug-precision", encode)

# %% [markdown] tags=["solution"]
# A number type has a fixed number of digits, which large angles spend before the point.
# So compute in float64 and round at the end: entries of a table are at most 1, where half precision does well.
# If you fixed the positions but not the frequencies, the error grows with the position, and the judge sees it further out.


# %% tags=["solution"]
def encode(positions, d_model, dtype):
    positions = np.asarray(positions, np.float64)
    angles = positions[:, None] * frequencies(d_model)
    out = np.empty((len(positions), d_model), dtype)
    out[:, 0::2], out[:, 1::2] = np.sin(angles), np.cos(angles)  # rounded here
    return out


repaired("bug-precision", encode)

# %% [markdown]
# Of 4096 rows, how many different ones has each table?

# %%
as_it_came = exercises.find("bug-precision").properties[0].wrong
rows = {}
for name, function in (("as it came", as_it_came), ("repaired", encode)):
    rows[name] = len(np.unique(function(range(4096), 64, np.float16), axis=0))
assert rows["as it came"] < 3100 < rows["repaired"] == 4096
rows

# %% [markdown]
# Up to 2048 float16 has all whole numbers, then every second one; for bfloat16 that begins at 256.
#
# ## Which token is at position 2? { #padding }
#
# Sentences in a batch are filled up to one length.
# `real` is true where there is a token, and each token needs its position in its own sentence, wherever the padding is: [eq-position-ids][].
#
# **What was seen.** A sentence alone gives the right answer.
# In a batch with longer ones it silently gives another.
#
# This comes back with each new program: in [one that trains](https://github.com/tloen/alpaca-lora/issues/315), in [one that generates](https://github.com/unslothai/unsloth/pull/4078), in [one that looks into models](https://github.com/ndif-team/nnsight/issues/672).
#
# **Task 3.** Write down what a row with padding on the left should get, and repair `position_ids`.


# %%
def position_ids(real):
    """Return the position of each token, shape (B, L)."""
    batch, length = real.shape
    return np.tile(np.arange(length), (batch, 1))


exercises.check("bug-padding", position_ids)

# %% [markdown] tags=["solution"]
# The position is the number of real tokens before: a running sum, less the token itself.
# At padding on the left that is $-1$, which as an index means the last row of a table; any row that exists will do.


# %% tags=["solution"]
def position_ids(real):
    before = np.cumsum(real, axis=1) - 1
    return np.where(real, before, 0)


repaired("bug-padding", position_ids)

# %% [markdown]
# Rotary embeddings and biases forgive this slip, encodings that are added do not: [eq-constant-shift][].
# So it goes unnoticed with one model, and ruins another.
#
# ## Along which axis? { #axes }
#
# `tokens` has the shape $(B, L, d)$: sentences, positions, channels.
# Row $p$ of the table belongs to the token at position $p$ of every sentence.
#
# **What was seen.** Training looks right for some epochs; then the loss on new sentences rises.
# The same sentence gets another result in another row of the batch.
#
# A [course](https://github.com/cmu-l3/anlp-fall2025-code/issues/1) and a [transformer in NumPy](https://github.com/AkiRusProd/numpy-transformer/issues/1) had it, and a reader asks about a [model of where people go next](https://github.com/songyangco/GETNext/issues/2).
# PyTorch's older convention has positions on the first axis, and examples of it are still copied.
# A sister of this bug exchanges the height and width of images, which is [right for squares](https://github.com/huggingface/transformers/pull/41380) alone.
#
# **Task 4.** Say which axis is which, and repair `add_positions`.


# %%
def add_positions(tokens, table):
    """Return tokens, shape (B, L, d), each with the encoding of its position."""
    codes = table[: tokens.shape[0]]
    return tokens + codes[:, None, :]


exercises.check("bug-axes", add_positions)

# %% [markdown] tags=["solution"]
# The first axis counts sentences, so all tokens of a sentence got the same encoding, that of its number in the batch, and [attention cannot see order](../chapters/order.md) without another.
# Broadcasting hides it: a table of shape $(B, 1, d)$ fits tokens of shape $(B, L, d)$ as well as one of shape $(1, L, d)$.


# %% tags=["solution"]
def add_positions(tokens, table):
    codes = table[: tokens.shape[1]]
    return tokens + codes[None, :, :]


repaired("bug-axes", add_positions)

# %% [markdown]
# ## A cache with a short memory { #cache }
#
# Angles are the same for every layer and every step, so programs keep them.
# `turned_from` turns the rows of `x` by the positions `start`, `start + 1`, and so on.
#
# **What was seen.** Each call alone is right, but the same rows, turned from two different starts, come out the same.
#
# It was in [rotary-embedding-torch](https://github.com/lucidrains/rotary-embedding-torch/issues/11) for a time.
#
# **Task 5.** List what the angles depend on, and repair `turned_from`.


# %%
kept = {}


def turned_from(x, start=0, base=10000):
    """Return the rows of x, shape (L, d), turned by positions from start on."""
    length, d = x.shape
    if length not in kept:
        omega = float(base) ** (-2 * np.arange(d // 2) / d)
        kept[length] = np.outer(start + np.arange(length), omega)
    cos, sin = np.cos(kept[length]), np.sin(kept[length])
    out = np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * cos - x[:, 1::2] * sin
    out[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
    return out


exercises.check("bug-cache", turned_from)

# %% [markdown] tags=["solution"]
# A key must hold *all* that the result depends on: here the length, the start, the width and the base.
# If it holds three, the fourth goes wrong as soon as two models share a process.
# It is better to keep what depends on less: the frequencies need the width and the base alone.


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


repaired("bug-cache", turned_from)

# %% [markdown]
# The judge decodes token by token, and compares with the whole sequence.
# [`posenc.laws.cached_equals_full`][] does so for any function of queries, keys and positions; give it your own.
#
# ## What gave them away { #properties }
#
# All five have the right formula, so no look at one would have helped.
# A property did; here is the one for each bug:

# %%
for name in exercises.names("bug")[5:]:
    asked = exercises.find(name).properties[0]
    assert not exercises.check(name, asked.wrong).holds
    print(f"{name}: {asked.name}")
