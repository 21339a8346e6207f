# ---
# title: "Find the bug: formulas"
# description: "A lab: five short functions, each with a mistake that was published somewhere. You find it and repair the function, and checks tell you whether all is well."
# question: Here are five short functions that run without an error; what is wrong with each?
# minutes: 40
# ---

# %% [markdown]
# # Find the bug: formulas
#
# A wrong positional encoding doesn't raise an error. The model trains and even learns, but it is a little worse than it could be, or it fails on long texts or with weights from elsewhere.
# So such mistakes survive for years.
#
# Each function below reproduces a mistake from public code, in our own words.
# Read what the function should do and what its users saw, look for the mistake, and repair the function in its cell.
# If you are stuck, open *Show what the checks say*: [`posenc.exercises.check`][] tests a list of properties and names the first one that fails.
#
# In [the other lab](plumbing.md) the formulas are right and the mistakes are elsewhere.

# %%
import math

import numpy as np

from posenc import exercises, laws


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
# ## Bug 1: frequencies { #frequencies }
#
# Pair $i$ of $d$ channels has the frequency $b^{-2i/d}$, for $i$ from 0 to $d/2 - 1$: [eq-frequencies][].
# Many programs take logarithms: $b^{-2i/d} = e^{-i \ln b \,/\, (d/2)}$.
#
# **What was seen.** The model works, but its table of encodings is uniform in all columns except the first few.
#
# [LoFTR](https://github.com/zju3dv/LoFTR/issues/41), which matches images, had it, and it spread to [other tools](https://github.com/GrumpyZhou/image-matching-toolbox/issues/36).
# Trained again without it, the model became only a little better.
#
# **Task 1.** Find the mistake and repair `inv_freq`.


# %%
def inv_freq(d_model, base=10000):
    """Return the frequencies of the pairs, shape (d/2,)."""
    pair = np.arange(d_model // 2)
    return np.exp(pair * (-math.log(base) / d_model // 2))


# %% tags=["verdict"]
exercises.check("bug-frequencies", inv_freq)

# %% [markdown] tags=["solution"]
# `/` and `//` have the same precedence, and Python evaluates them from left to right.
# So the factor is $\lfloor (-\ln b / d) / 2 \rfloor$, which is $-1$ at every usual width, and the frequencies fall as $e^{-i}$.
# Compute the number of pairs first, and divide by that.


# %% tags=["solution"]
def inv_freq(d_model, base=10000):
    n_pairs = d_model // 2
    return np.exp(np.arange(n_pairs) * (-math.log(base) / n_pairs))


assert {-math.log(10000) / d // 2 for d in range(6, 4097, 2)} == {-1}

# %%
repaired("bug-frequencies", inv_freq)

# %% [markdown]
# The package keeps each function as it came, so we can draw the table before and after:

# %% id="fig-frequencies" alt="Two tables of 32 channels over 4096 positions. As it came, only the columns on the left change from row to row, and more than ten on the right are uniform. Repaired, the columns change more and more slowly, up to the last." caption="The table with the frequencies as they came and repaired, at every 64th position, $d = 32$."
import posenc.plots


def waves(frequencies):
    angles = np.outer(np.arange(0, 4096, 64), frequencies(32))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(64, 32)


as_it_came = exercises.find("bug-frequencies").properties[0].wrong
tables = {"as it came": waves(as_it_came), "repaired": waves(inv_freq)}
posenc.plots.panels(tables, label="entry", xlabel="channel", ylabel="position / 64")

# %% [markdown]
# ## Bug 2: the sinusoidal table { #table }
#
# The sinusoidal table has sines in its even channels and cosines in its odd ones: [eq-sinusoidal][].
#
# **What was seen.** The model works.
# Plots of its table differ a little from those of other programs, and nobody can say which is right.
#
# An [early version](https://github.com/jadore801120/attention-is-all-you-need-pytorch/issues/32) of the paper's model in PyTorch had it, and so did a [time series model](https://github.com/maxjcohen/transformer/issues/62), in this form.
# A [tutorial](https://github.com/SamLynnEvans/Transformer/issues/7) had a variant of it and passed it on to a [printed book](https://github.com/YutaroOgawa/pytorch_advanced/issues/79).
#
# **Task 2.** Find the mistake and repair `encode`.


# %%
def encode(seq_len, d_model):
    """Return the encodings of the first positions, shape (L, d)."""
    position = np.arange(seq_len)[:, None]
    channel = np.arange(d_model)
    angles = position / 10000 ** (channel / d_model)
    return np.where(channel % 2 == 0, np.sin(angles), np.cos(angles))


# %% tags=["verdict"]
exercises.check("bug-table", encode)

# %% [markdown] tags=["solution"]
# A pair $(\sin \omega p, \cos \omega p)$ is the tip of a clock hand, so both of its channels need the same frequency.
# The exponent is $2i/d$ for both, where $i$ is the pair, `channel // 2`.
# Otherwise no [matrix moves an encoding by an offset](../chapters/relative.md#shift).


# %% tags=["solution"]
def encode(seq_len, d_model):
    position = np.arange(seq_len)[:, None]
    channel = np.arange(d_model)
    pair = channel // 2
    angles = position / 10000 ** (2 * pair / d_model)
    return np.where(channel % 2 == 0, np.sin(angles), np.cos(angles))


# %% [markdown] tags=["solution"]
# The [laws](../reference/api/laws.md) judge any table. The function as it came breaks these:

# %% tags=["solution"]
as_it_came = exercises.find("bug-table").properties[0].wrong
broken = [f.law for f in laws.check(lambda L: as_it_came(L, 64)) if not f.holds]
assert {"shift_linear", "dot_by_offset"} <= set(broken)
assert all(finding.holds for finding in laws.check(lambda L: encode(L, 64)))
broken

# %%
repaired("bug-table", encode)

# %% [markdown]
# ## Bug 3: the slopes of ALiBi { #slopes }
#
# ALiBi lowers a score in proportion to the distance, with a slope for each head: [eq-alibi][].
# For eight heads the slopes are $1/2, 1/4, \ldots, 1/256$, and sixteen have one more before each of these.
#
# **What was seen.** Weights from elsewhere give the same outputs as there with 8 heads and with 16, but not with 12.
# <!-- check: [n for n in (8, 16, 12) if not np.allclose(2.0 ** (-8 * np.arange(1, n + 1) / n), posenc.alibi_slopes(n))] == [12] -->
#
# In MLX this was [seen in 2024](https://github.com/ml-explore/mlx/issues/343) and [fixed in 2026](https://github.com/ml-explore/mlx/pull/3071).
# The function does what a sentence of the paper says.
#
# **Task 3.** Find out with which slopes such models were trained, and repair `alibi_slopes`.


# %%
def alibi_slopes(n_heads):
    """Return the slope of each head, shape (H,)."""
    head = np.arange(1, n_heads + 1)
    return 2.0 ** (-8 * head / n_heads)


# %% tags=["verdict"]
exercises.check("bug-slopes", alibi_slopes)

# %% [markdown] tags=["solution"]
# The formula is right only for powers of two.
# For other numbers, the authors' code takes all slopes of the largest power of two below, here 8, and fills up with every second slope of the next one, 16. Models were trained with these.
# The jump upwards in the middle looks like a bug, and [sorting it away](https://github.com/antofuller/CROMA/issues/12) has been proposed, but for weights that were trained with it, sorting would be the bug.


# %% tags=["solution"]
def alibi_slopes(n_heads):

    def of_power_of_two(n):
        return [2.0 ** (-8 * head / n) for head in range(1, n + 1)]

    n = 2 ** (n_heads.bit_length() - 1)
    more = of_power_of_two(2 * n)[::2]
    return np.array(of_power_of_two(n) + more[: n_heads - n])


# %%
repaired("bug-slopes", alibi_slopes)

# %% [markdown]
# ## Bug 4: the base of dynamic NTK { #dynamic }
#
# *Dynamic NTK* lets a model read longer texts than it was trained for.
# Beyond `max_len` tokens, the base of its rotary embedding grows with the length $n$ of the text, to $b \left(\alpha n / L - (\alpha - 1)\right)^{d/(d-2)}$, where $L$ is `max_len` and $\alpha$ is `factor` ([Stretching RoPE](../chapters/scaling.md#dynamic)).
# Up to that length, nothing should change.
#
# **What was seen.** Even for short texts, a server gives other results than the library that the model comes from.
#
# In vLLM the difference was [seen in 2024](https://github.com/vllm-project/vllm/issues/3488), and its cause [in 2026](https://github.com/vllm-project/vllm/issues/41236).
# The checks also try texts of a few tokens, where [the first repair](https://github.com/vllm-project/vllm/pull/52675) failed.
#
# **Task 4.** Find the mistake and repair `dynamic_base`.


# %%
def dynamic_base(seq_len, max_len, head_dim, factor, base=10000):
    """Return the base for a text of seq_len tokens."""
    longest = max_len * factor
    stretch = factor * longest / max_len - (factor - 1)
    return base * stretch ** (head_dim / (head_dim - 2))


# %% tags=["verdict"]
exercises.check("bug-base", dynamic_base)

# %% [markdown] tags=["solution"]
# Nothing uses `seq_len`, as a linter would have told you.
# If you put `longest` into the formula, `max_len` cancels, so the bracket is $\alpha^2 - \alpha + 1$ for every text.
# With `seq_len` alone, the bracket is below zero for short texts; take the larger of `seq_len` and `max_len`.


# %% tags=["solution"]
def dynamic_base(seq_len, max_len, head_dim, factor, base=10000):
    length = max(seq_len, max_len)
    stretch = factor * length / max_len - (factor - 1)
    return base * stretch ** (head_dim / (head_dim - 2))


# %%
repaired("bug-base", dynamic_base)

# %% [markdown]
# ## Bug 5: rotary embedding { #rotation }
#
# Rotary embedding rotates each pair of neighbouring channels of a query or key counter-clockwise, by an angle in proportion to the position: [eq-rotary-turn][].
#
# **What was seen.** Training runs, and outputs look normal.
# But the same words score differently when the text begins later.
#
# The notes of the course [tiny-llm](https://github.com/skyzh/tiny-llm/pull/25) had a variant of it, copied from a well-known post, next to a program that was right.
#
# **Task 5.** Find the mistake and repair `turned`.


# %%
def turned(x, positions):
    """Return the rows of x, shape (L, d), each rotated by its position."""
    pair = np.arange(x.shape[1] // 2)
    angles = np.outer(positions, 10000.0 ** (-2 * pair / x.shape[1]))
    cos, sin = np.cos(angles), np.sin(angles)
    out = np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * cos + x[:, 1::2] * sin
    out[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
    return out


# %% tags=["verdict"]
exercises.check("bug-rotation", turned)

# %% [markdown] tags=["solution"]
# A rotation by $\theta$ takes $(a, b)$ to $(a \cos\theta - b \sin\theta,\; a \sin\theta + b \cos\theta)$; try $(1, 0)$ and $(0, 1)$.
# With two plus signs the matrix stretches where it should rotate, and the score gets a part that depends on the *sum* of the two positions.
# With the minus in the second line, as in the notes of the course, scores are relative again, but pairs rotate clockwise.
# The checks refuse that as well, since weights that were trained counter-clockwise [do not fit](../chapters/rotary.md#sign).


# %% tags=["solution"]
def turned(x, positions):
    pair = np.arange(x.shape[1] // 2)
    angles = np.outer(positions, 10000.0 ** (-2 * pair / x.shape[1]))
    cos, sin = np.cos(angles), np.sin(angles)
    out = np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * cos - x[:, 1::2] * sin
    out[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
    return out


# %% [markdown] tags=["solution"]
# The law that failed can be tested by itself, on any function of queries, keys and positions:


# %% tags=["solution"]
as_it_came = exercises.find("bug-rotation").properties[0].wrong


def score(x, p, y, q):
    return as_it_came(x, p) @ as_it_came(y, q).T


found = laws.equal_offsets(score)
assert not found.holds
found.law, found.holds

# %%
repaired("bug-rotation", turned)

# %% [markdown]
# ## Which properties found them { #properties }
#
# No test of shapes, ranges or types would have found any of the five.
# A property did, in one line each. This lists the first property that each function failed:

# %% tags=["verdict"]
for name in exercises.names("bug")[:5]:
    asked = exercises.find(name).properties[0]
    assert not exercises.check(name, asked.wrong).holds
    print(f"{name}: {asked.name}")
