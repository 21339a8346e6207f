# ---
# title: "Find the bug: formulas"
# description: "A lab: five short functions, each with a mistake that was published somewhere. A judge says which property fails; you repair it."
# question: Here are five short functions that run without an error; what is wrong with each?
# minutes: 40
# ---

# %% [markdown]
# # Find the bug: formulas
#
# A wrong position code raises no error.
# The model trains, and it even learns; it is only a little worse than it could be, or fails on long texts, or with weights from elsewhere.
# So these mistakes live for years.
# Each function below has one that was found in public code; the function is written anew, the mistake is the same.
# Read what it should do and what a user saw, then look for the bug *before* you read what the judge says.
# Repair the function in its cell, and ask the judge again.
#
# The judge is [`posenc.exercises.check`][]: it tries properties, and tells the first one that fails.
# In [the other lab](plumbing.md), formulas are right, and what goes wrong lies between them.

# %%
import math

import numpy as np

from posenc import exercises, laws


def repaired(name, function):
    """Return the judge's report, if all is well."""
    report = exercises.check(name, function)
    assert report.holds, report
    return report


# %% [markdown]
# ## Two slashes { #precedence }
#
# A pair $i$ of $d$ channels has the frequency $b^{-2i/d}$, for $i$ from 0 to $d/2 - 1$: [eq-frequencies][].
# Many programs take the way over logarithms: $b^{-2i/d} = e^{-i \ln b \,/\, (d/2)}$.
#
# **What was seen.** The model works.
# Its table of codes is plain in all columns but the first few.
#
# It is a slip of [LoFTR](https://github.com/zju3dv/LoFTR/issues/41), which matches images, and from there it went into [other tools](https://github.com/GrumpyZhou/image-matching-toolbox/issues/36).
# Trained again without it, the model became a little better, and no more than that.
#
# **Task 1.** Why do frequencies fall so fast? Repair `inv_freq`.


# %%
def inv_freq(d_model, base=10000):
    """Return the frequencies of the pairs, shape (d/2,)."""
    pair = np.arange(d_model // 2)
    return np.exp(pair * (-math.log(base) / d_model // 2))


exercises.check("bug-precedence", inv_freq)

# %% [markdown] tags=["solution"]
# `/` and `//` are of one rank, and Python works them off from the left.
# So this is $\lfloor (-\ln b / d) / 2 \rfloor$, which is $-1$ at every usual width, and frequencies fall as $e^{-i}$.
# Put brackets around what is one number in your head.


# %% tags=["solution"]
def inv_freq(d_model, base=10000):
    n_pairs = d_model // 2
    return np.exp(np.arange(n_pairs) * (-math.log(base) / n_pairs))


assert {-math.log(10000) / d // 2 for d in range(6, 4097, 2)} == {-1}
repaired("bug-precedence", inv_freq)

# %% [markdown]
# The judge keeps each function as it came, so that we can draw it beside the repaired one.

# %% id="fig-precedence" alt="Two tables of 32 channels over 4096 positions. As it came, only columns on the left change from row to row, and more than ten on the right are plain. Repaired, columns change more and more slowly, up to the last." caption="The table with the frequencies as they came, and repaired, $d = 32$; every 64th position."
import posenc.plots


def waves(frequencies):
    angles = np.outer(np.arange(0, 4096, 64), frequencies(32))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(64, 32)


as_it_came = exercises.find("bug-precedence").properties[0].wrong
tables = {"as it came": waves(as_it_came), "repaired": waves(inv_freq)}
posenc.plots.panels(tables, label="entry", xlabel="channel", ylabel="position / 64")

# %% [markdown]
# ## A cosine of its own { #cosine }
#
# The table of sinusoids has sines in its even channels and cosines in its odd ones, interleaved: [eq-sinusoidal][].
#
# **What was seen.** The model works.
# Plots of the table look a little different from those of other programs, and nobody can say which one is right.
#
# This may be the most copied mistake of the field.
# An [early version](https://github.com/jadore801120/attention-is-all-you-need-pytorch/issues/32) of the paper's model in PyTorch had it, and one for [time series](https://github.com/maxjcohen/transformer/issues/62) in this form.
# A [tutorial](https://github.com/SamLynnEvans/Transformer/issues/7) had it with other numbers in the exponent, and from there it went into a [printed book](https://github.com/YutaroOgawa/pytorch_advanced/issues/79).
#
# **Task 2.** Compare the two channels of one pair, and repair `encode`.


# %%
def encode(seq_len, d_model):
    """Return the codes of the first positions, shape (L, d)."""
    position = np.arange(seq_len)[:, None]
    channel = np.arange(d_model)
    angles = position / 10000 ** (channel / d_model)
    return np.where(channel % 2 == 0, np.sin(angles), np.cos(angles))


exercises.check("bug-cosine", encode)

# %% [markdown]
# The [laws](../reference/api/laws.md) judge any table, and here are those that the function breaks as it came:

# %%
as_it_came = exercises.find("bug-cosine").properties[0].wrong
broken = [f.law for f in laws.check(lambda L: as_it_came(L, 64)) if not f.holds]
assert {"shift_linear", "dot_by_offset"} <= set(broken)
broken

# %% [markdown] tags=["solution"]
# A pair is the point of a clock hand, $(\sin \omega p, \cos \omega p)$, so both of its channels need one frequency.
# The exponent is $2i/d$ for both, with $i$ the number of the pair, which is `channel // 2`.
# Without it no [matrix moves a code by an offset](../chapters/relative.md#shift).


# %% tags=["solution"]
def encode(seq_len, d_model):
    position = np.arange(seq_len)[:, None]
    channel = np.arange(d_model)
    pair = channel // 2
    angles = position / 10000 ** (2 * pair / d_model)
    return np.where(channel % 2 == 0, np.sin(angles), np.cos(angles))


assert all(finding.holds for finding in laws.check(lambda L: encode(L, 64)))
repaired("bug-cosine", encode)

# %% [markdown]
# ## Twelve heads { #slopes }
#
# ALiBi lowers a score in proportion to the distance, with a slope for each head: [eq-alibi][].
# For eight heads the slopes are $1/2, 1/4, \ldots, 1/256$, and for sixteen there is one more between any two of them.
#
# **What was seen.** Weights from elsewhere give the same outputs as there, with 8 heads and with 16.
# With 12 heads they do not.
#
# In MLX it was [seen in 2024](https://github.com/ml-explore/mlx/issues/343) and [mended in 2026](https://github.com/ml-explore/mlx/pull/3071).
# The function does what a sentence of the paper says.
#
# **Task 3.** Find out with what slopes such models were trained, and repair `alibi_slopes`.


# %%
def alibi_slopes(n_heads):
    """Return the slope of each head, shape (H,)."""
    head = np.arange(1, n_heads + 1)
    return 2.0 ** (-8 * head / n_heads)


exercises.check("bug-slopes", alibi_slopes)

# %% [markdown] tags=["solution"]
# The formula is right for powers of two alone; for other numbers, the authors' code does something else, and models were trained with it.
# It takes all slopes of the largest power of two below, here 8, and fills up with every second slope of the next one, 16.
# The jump upwards in the middle looks like a bug, and [sorting it away](https://github.com/antofuller/CROMA/issues/12) has been proposed; for weights that were trained with it, this would be the bug.


# %% tags=["solution"]
def alibi_slopes(n_heads):

    def of_power_of_two(n):
        return [2.0 ** (-8 * head / n) for head in range(1, n + 1)]

    n = 2 ** (n_heads.bit_length() - 1)
    more = of_power_of_two(2 * n)[::2]
    return np.array(of_power_of_two(n) + more[: n_heads - n])


repaired("bug-slopes", alibi_slopes)

# %% [markdown]
# ## A base that never moves { #ntk }
#
# *Dynamic NTK* lets a model read longer texts than it was trained for.
# Beyond `max_len` tokens, the base of its rotary embedding grows with the length $n$ of the text, to $b \left(\alpha n / L - (\alpha - 1)\right)^{d/(d-2)}$, where $L$ is `max_len` and $\alpha$ is `factor` ([Stretching RoPE](../chapters/scaling.md#dynamic)).
# Up to that length, nothing is to change.
#
# **What was seen.** A server gives other results than the library that the model comes from, for short texts, too.
#
# In vLLM the difference was [seen in 2024](https://github.com/vllm-project/vllm/issues/3488), and its reason [in 2026](https://github.com/vllm-project/vllm/issues/41236).
# The first repair forgot short texts, where the bracket is [below zero](https://github.com/vllm-project/vllm/pull/52675); the judge asks for that as well.
#
# **Task 4.** Put numbers in, for texts of two lengths, and repair `dynamic_base`.


# %%
def dynamic_base(seq_len, max_len, head_dim, factor, base=10000):
    """Return the base for a text of seq_len tokens."""
    longest = max_len * factor
    stretch = factor * longest / max_len - (factor - 1)
    return base * stretch ** (head_dim / (head_dim - 2))


exercises.check("bug-ntk", dynamic_base)

# %% [markdown] tags=["solution"]
# `seq_len` is an argument that nothing uses; a linter would have told.
# Put `longest` in, and `max_len` cancels: the bracket is $\alpha^2 - \alpha + 1$, whatever the text.


# %% tags=["solution"]
def dynamic_base(seq_len, max_len, head_dim, factor, base=10000):
    length = max(seq_len, max_len)
    stretch = factor * length / max_len - (factor - 1)
    return base * stretch ** (head_dim / (head_dim - 2))


repaired("bug-ntk", dynamic_base)

# %% [markdown]
# ## A lost sign { #sign }
#
# Rotary embedding turns each pair of neighbours of a query or a key, counter-clockwise, by an angle in proportion to the position: [eq-rotary-turn][].
#
# **What is seen.** Nothing but numbers.
# A query is longer or shorter than before its turn, and a score changes when the same text begins later.
#
# This sign goes wrong on paper first.
# The notes of the course [tiny-llm](https://github.com/skyzh/tiny-llm/pull/25) had the minus in the other line, after a well-known post, while the program beside them was right.
# Here it is gone altogether.
#
# **Task 5.** Turn $(1, 0)$ and $(0, 1)$ by hand, and repair `turned`.


# %%
def turned(x, positions):
    """Return the rows of x, shape (L, d), each turned by its position."""
    pair = np.arange(x.shape[1] // 2)
    angles = np.outer(positions, 10000.0 ** (-2 * pair / x.shape[1]))
    cos, sin = np.cos(angles), np.sin(angles)
    out = np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * cos + x[:, 1::2] * sin
    out[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
    return out


exercises.check("bug-sign", turned)

# %% [markdown]
# The law that fails can be asked directly; it takes any function of queries, keys and positions:


# %%
as_it_came = exercises.find("bug-sign").properties[0].wrong


def score(x, p, y, q):
    return as_it_came(x, p) @ as_it_came(y, q).T


found = laws.equal_offsets(score)
assert not found.holds
found.law, found.holds

# %% [markdown] tags=["solution"]
# A turn by $\theta$ takes $(a, b)$ to $(a \cos\theta - b \sin\theta,\; a \sin\theta + b \cos\theta)$.
# Both signs alike make a mirror and a stretch, and the score gets a part with the *sum* of the two positions.
# With the minus in the second line, pairs turn clockwise: scores are relative again, and the judge complains of the direction, since weights that were trained counter-clockwise [do not fit](../chapters/rotary.md#sign).


# %% tags=["solution"]
def turned(x, positions):
    pair = np.arange(x.shape[1] // 2)
    angles = np.outer(positions, 10000.0 ** (-2 * pair / x.shape[1]))
    cos, sin = np.cos(angles), np.sin(angles)
    out = np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * cos - x[:, 1::2] * sin
    out[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
    return out


repaired("bug-sign", turned)

# %% [markdown]
# ## What gave them away { #properties }
#
# No test of shapes, ranges or types would have found any of the five.
# A property did, in one line each; here is the one that tells of each bug:

# %%
for name in exercises.names("bug")[:5]:
    asked = exercises.find(name).properties[0]
    assert not exercises.check(name, asked.wrong).holds
    print(f"{name}: {asked.name}")
