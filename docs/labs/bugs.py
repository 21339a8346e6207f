# ---
# title: "Find the bug: formulas"
# description: "A lab: five short functions, each with a mistake that was published somewhere. A judge says which property fails; you repair it."
# question: Here are five short functions that run without an error; what is wrong with each?
# minutes: 40
# ---

# %% [markdown]
# # Find the bug: formulas
#
# A wrong positional encoding raises no error: the model trains and even learns, but it is a little worse than it could be, or fails on long texts or with weights from elsewhere.
# So such mistakes live for years.
#
# Each function below repeats, in a version of our own, one from public code.
# Read what it should do and what its users saw, and look for the bug *before* you read what the judge says; then repair the function in its cell, and ask again.
#
# The judge, [`posenc.exercises.check`][], tries properties and names the first one that fails.
# In [the other lab](plumbing.md), the formulas are right, and the mistakes lie between them.

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
# Pair $i$ of $d$ channels has the frequency $b^{-2i/d}$, for $i$ from 0 to $d/2 - 1$: [eq-frequencies][].
# Many programs take logarithms: $b^{-2i/d} = e^{-i \ln b \,/\, (d/2)}$.
#
# **What was seen.** The model works, but its table of encodings is uniform in all columns except the first few.
#
# The slip of [LoFTR](https://github.com/zju3dv/LoFTR/issues/41), which matches images, spread to [other tools](https://github.com/GrumpyZhou/image-matching-toolbox/issues/36).
# Trained again without it, the model became a little better, no more.
#
# **Task 1.** Why do the frequencies fall so fast? Repair `inv_freq`.


# %%
def inv_freq(d_model, base=10000):
    """Return the frequencies of the pairs, shape (d/2,)."""
    pair = np.arange(d_model // 2)
    return np.exp(pair * (-math.log(base) / d_model // 2))


exercises.check("bug-precedence", inv_freq)

# %% [markdown] tags=["solution"]
# `/` and `//` have the same precedence, and Python evaluates them from the left.
# So the factor is $\lfloor (-\ln b / d) / 2 \rfloor$, which is $-1$ at every usual width, and frequencies fall as $e^{-i}$.
# Put brackets around whatever is one number in your head.


# %% tags=["solution"]
def inv_freq(d_model, base=10000):
    n_pairs = d_model // 2
    return np.exp(np.arange(n_pairs) * (-math.log(base) / n_pairs))


assert {-math.log(10000) / d // 2 for d in range(6, 4097, 2)} == {-1}
repaired("bug-precedence", inv_freq)

# %% [markdown]
# The judge keeps each function as it came, so we can draw both tables:

# %% id="fig-precedence" alt="Two tables of 32 channels over 4096 positions. As it came, only the columns on the left change from row to row, and more than ten on the right are uniform. Repaired, the columns change more and more slowly, up to the last." caption="The table with the frequencies as they came and repaired, at every 64th position, $d = 32$."
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
# The sinusoidal table has sines in its even channels and cosines in its odd ones: [eq-sinusoidal][].
#
# **What was seen.** The model works.
# Plots of its table differ a little from those of other programs, but do not tell which is right.
#
# An [early version](https://github.com/jadore801120/attention-is-all-you-need-pytorch/issues/32) of the paper's model in PyTorch had it, and so did, in this form, a model of [time series](https://github.com/maxjcohen/transformer/issues/62).
# A [tutorial](https://github.com/SamLynnEvans/Transformer/issues/7), with other numbers in the exponent, passed it on to a [printed book](https://github.com/YutaroOgawa/pytorch_advanced/issues/79).
#
# **Task 2.** Compare the two channels of one pair, and repair `encode`.


# %%
def encode(seq_len, d_model):
    """Return the encodings of the first positions, shape (L, d)."""
    position = np.arange(seq_len)[:, None]
    channel = np.arange(d_model)
    angles = position / 10000 ** (channel / d_model)
    return np.where(channel % 2 == 0, np.sin(angles), np.cos(angles))


exercises.check("bug-cosine", encode)

# %% [markdown]
# The [laws](../reference/api/laws.md) judge any table; as it came, the function breaks these:

# %%
as_it_came = exercises.find("bug-cosine").properties[0].wrong
broken = [f.law for f in laws.check(lambda L: as_it_came(L, 64)) if not f.holds]
assert {"shift_linear", "dot_by_offset"} <= set(broken)
broken

# %% [markdown] tags=["solution"]
# A pair is the tip of a clock hand, $(\sin \omega p, \cos \omega p)$, so both of its channels need one frequency.
# The exponent is $2i/d$ for both, where $i$ is the pair, `channel // 2`.
# Otherwise no [matrix moves an encoding by an offset](../chapters/relative.md#shift).


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
# For eight heads the slopes are $1/2, 1/4, \ldots, 1/256$, and sixteen have one more before each of these.
#
# **What was seen.** Weights from elsewhere give the same outputs as there with 8 heads and with 16, but not with 12.
# <!-- check: [n for n in (8, 16, 12) if not np.allclose(2.0 ** (-8 * np.arange(1, n + 1) / n), posenc.alibi_slopes(n))] == [12] -->
#
# In MLX this was [seen in 2024](https://github.com/ml-explore/mlx/issues/343) and [fixed in 2026](https://github.com/ml-explore/mlx/pull/3071); the function does what a sentence of the paper says.
#
# **Task 3.** Find out with which slopes such models were trained, and repair `alibi_slopes`.


# %%
def alibi_slopes(n_heads):
    """Return the slope of each head, shape (H,)."""
    head = np.arange(1, n_heads + 1)
    return 2.0 ** (-8 * head / n_heads)


exercises.check("bug-slopes", alibi_slopes)

# %% [markdown] tags=["solution"]
# The formula is right for powers of two alone.
# For other numbers, the authors' code takes all slopes of the largest power of two below, here 8, and fills up with every second slope of the next one, 16; and models were trained with these.
# The jump upwards in the middle looks like a bug, and [sorting it away](https://github.com/antofuller/CROMA/issues/12) has been proposed; for weights that were trained with it, sorting would be the bug.


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
# Up to that length, nothing should change.
#
# **What was seen.** Even for short texts, a server gives other results than the library that the model comes from.
#
# In vLLM the difference was [seen in 2024](https://github.com/vllm-project/vllm/issues/3488), and its cause [in 2026](https://github.com/vllm-project/vllm/issues/41236).
# The first repair forgot that the bracket is [below zero](https://github.com/vllm-project/vllm/pull/52675) for short texts, so the judge asks about those, too.
#
# **Task 4.** Put in numbers for texts of two lengths, and repair `dynamic_base`.


# %%
def dynamic_base(seq_len, max_len, head_dim, factor, base=10000):
    """Return the base for a text of seq_len tokens."""
    longest = max_len * factor
    stretch = factor * longest / max_len - (factor - 1)
    return base * stretch ** (head_dim / (head_dim - 2))


exercises.check("bug-ntk", dynamic_base)

# %% [markdown] tags=["solution"]
# Nothing uses `seq_len`, as a linter would have told you.
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
# Rotary embedding turns each pair of neighbouring channels of a query or key counter-clockwise, by an angle in proportion to the position: [eq-rotary-turn][].
#
# **What is seen.** Only numbers show it: a query changes its length as it is turned, and a score changes when the same text begins later.
#
# The notes of the course [tiny-llm](https://github.com/skyzh/tiny-llm/pull/25), after a well-known post, had the minus in the other line, beside a program that was right.
# Here it is missing altogether.
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
# The law that fails can be tested by itself, on any function of queries, keys and positions:


# %%
as_it_came = exercises.find("bug-sign").properties[0].wrong


def score(x, p, y, q):
    return as_it_came(x, p) @ as_it_came(y, q).T


found = laws.equal_offsets(score)
assert not found.holds
found.law, found.holds

# %% [markdown] tags=["solution"]
# A turn by $\theta$ takes $(a, b)$ to $(a \cos\theta - b \sin\theta,\; a \sin\theta + b \cos\theta)$.
# With two plus signs the matrix stretches where it should turn, and the score gets a part with the *sum* of the two positions.
# With the minus in the second line, scores are relative again, but pairs turn clockwise.
# The judge complains of that, since weights that were trained counter-clockwise [do not fit](../chapters/rotary.md#sign).


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
# A property did, in one line each; here is the one for each bug:

# %%
for name in exercises.names("bug")[:5]:
    asked = exercises.find(name).properties[0]
    assert not exercises.check(name, asked.wrong).holds
    print(f"{name}: {asked.name}")
