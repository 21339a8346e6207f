# ---
# title: The regression of a shift
# description: "A lab: fit the next position from this one by least squares, find the rotation in the weights, and see when a perfect fit proves nothing."
# question: If a regression predicts every shifted row of a table without error, what has it shown?
# minutes: 45
# ---

# %% [markdown]
# # The regression of a shift
#
# The paper of 2017 hopes that a model can attend by relative positions, since $\mathrm{PE}_{p+k}$ is a linear function of $\mathrm{PE}_p$.
# Many readers fit that function, and report an $R^2$.
# You do so here, find the rotation of [eq-shift][] in the weights, and then see the same fit succeed where there is nothing to find.
#
# You need [relative position is a rotation](../chapters/relative.md#shift) and least squares.
# The table is computed here, so that the package doesn't test itself.

# %%
import math

import numpy as np

import posenc.plots
from posenc.exercises import verify

K = 7  # the offset of this lab, in positions


def omegas(d):
    return [10_000 ** (-2 * i / d) for i in range(d // 2)]


def table(positions, d):
    angles = np.outer(positions, omegas(d))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, d)


# %% [markdown]
# ## A fit of the whole row { #fit }
#
# Each position $p$ of a table gives one example: from its row, predict the row of $p + k$.
# With examples in rows, `np.linalg.lstsq(X, Y, rcond=1e-9)` returns first the $W$ that makes $\lVert XW - Y \rVert$ least; `rcond` leaves out directions in which the examples have less than a billionth of their largest extent.
#
# **Task 1.** Return the matrix $M$ for which $M \, \mathrm{PE}_p$ comes closest to $\mathrm{PE}_{p+k}$, for all rows of a table.
# Encodings are columns in that formula and rows in the table: mind the side of the matrix.


# %%
def fit(pe, k):
    raise NotImplementedError("task 1 is yours")


# %% tags=["solution"]
def fit(pe, k):
    return np.linalg.lstsq(pe[:-k], pe[k:], rcond=1e-9)[0].T


# %% [markdown]
# The check uses the formula, one sine and one cosine at a time.


# %%
def rotation(k, d):
    turn = np.zeros((d, d))
    for i, omega in enumerate(omegas(d)):
        c, s = math.cos(omega * k), math.sin(omega * k)
        turn[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return turn


few = table(range(200), 8)
found = fit(few, K)
verify("all rows are predicted", few[:-K] @ found.T, few[K:], within=1e-12)
verify("it is not the transpose", abs(found - rotation(K, 8).T).max(), above=1)
verify("the weights are the rotation", found, rotation(K, 8), within=1e-9)

# %% [markdown]
# Nothing in the regression says that channels form pairs or that we look for a rotation, and yet it found even the zeros outside the blocks.
#
# **Task 2.** Return the angle by which each block of a matrix rotates, between $-\pi$ and $\pi$.


# %%
def turns(matrix):
    raise NotImplementedError("task 2 is yours")


# %% tags=["solution"]
def turns(matrix):
    pairs = range(0, len(matrix), 2)
    return [math.atan2(matrix[i, i + 1], matrix[i, i]) for i in pairs]


# %%
read = turns(found)
asked = [K * omega for omega in omegas(8)]
apart = [math.remainder(a - b, math.tau) for a, b in zip(read, asked)]
verify("pair i turns by k times its frequency", apart, [0] * 4, within=1e-9)
verify("the first has gone all round", read[0] + math.tau, asked[0], within=1e-9)
back = turns(found.T)
verify("the transpose turns the other way", back, np.negative(read), within=1e-9)
[round(angle, 4) for angle in read]

# %% [markdown]
# ## The same fit for 64 channels { #wide }
#
# A table of a more common width is as exact, and is predicted as well:

# %%
pe = table(range(200), 64)
whole = fit(pe, K)
verify("all rows are predicted", pe[:-K] @ whole.T, pe[K:], within=1e-6)
error = abs(whole - rotation(K, 64)).max()
verify("the weights are not the rotation", error, above=0.9)

# %% [markdown]
# Look at what was found, though:

# %% id="fig-whole" alt="Matrix of 64 by 64. The first pairs are blocks of rotations on the diagonal; from about pair 12 on, faint weights are smeared over all the slow channels, and no block is left." caption="The weights of the fit to whole rows, 200 positions: a rotation where pairs are fast, and a smear where they are slow."
posenc.plots.matrix(whole.round(4))  # further digits are rounding errors

# %% [markdown]
# In 200 positions the slow pairs move along a short arc, almost a straight line, and all look the same: a constant and something that grows.
# Any of them can be predicted from any other, and least squares, which has no reason to prefer the right one, takes the shortest weights.
#
# Where the arcs become longer, the smear is wrong.
# So test positions that were not fitted:

# %%
far = range(10_000, 10_100)
true = table([p + K for p in far], 64)
verify(
    "the fit fails far away", abs(table(far, 64) @ whole.T - true).max(), above=0.5
)

# %% [markdown]
# ## Pair by pair { #pairs }
#
# **Task 3.** Fit each pair from only its own two channels, and put the blocks together.


# %%
def fit_pairs(pe, k):
    raise NotImplementedError("task 3 is yours")


# %% tags=["solution"]
def fit_pairs(pe, k):
    matrix = np.zeros((pe.shape[1], pe.shape[1]))
    for i in range(0, pe.shape[1], 2):
        matrix[i : i + 2, i : i + 2] = fit(pe[:, i : i + 2], k)
    return matrix


# %%
pairs = fit_pairs(pe, K)
verify("the weights are the rotation", pairs, rotation(K, 64), within=1e-9)
verify("it holds far away", table(far, 64) @ pairs.T, true, within=1e-9)

# %% id="fig-pairs" alt="Matrix of 64 by 64 with blocks of two by two on the diagonal and nothing outside; towards the lower right they become the identity." caption="The weights of the fits to single pairs, from the same 200 positions."
posenc.plots.matrix(pairs)

# %% [markdown]
# So knowing *which* channels belong together was worth more than 64 channels of data.
# That is the difference between "some linear map predicts these rows" and "each pair turns by $\omega_i k$": an $R^2$ can show the first, and only the second goes on beyond the data.
#
# ## A table without any structure { #random }
#
# **Task 4.** Return $R^2$ for each channel: one minus the mean squared error over the variance of the true values.


# %%
def r_squared(true, predicted):
    raise NotImplementedError("task 4 is yours")


# %% tags=["solution"]
def r_squared(true, predicted):
    return 1 - ((true - predicted) ** 2).mean(axis=0) / true.var(axis=0)


# %%
true = np.array([[0, 500], [1, 700], [5, 600]])
mean = np.tile(true.mean(axis=0), (3, 1))
verify("1 for what is right", r_squared(true, true), [1, 1])
verify(
    "0 for the mean, in every channel", r_squared(true, mean), [0, 0], within=1e-12
)
verify("below 0 for worse", r_squared(true, 2 * mean - true), below=0)

# %% [markdown]
# The first 200 positions of a table are fitted, the next 200 predicted, and $R^2$ is averaged over the channels.
# Next to the sinusoidal table there are two of random numbers, the second with more channels than fitted positions, and one of random numbers blurred over about 20 positions, so that it is smooth, as learned tables often are.

# %%
rng = np.random.default_rng(0)
bell = np.exp(-0.5 * (np.arange(-60, 61) / 8) ** 2)
noise = rng.normal(size=(520, 16))
smooth = np.column_stack([np.convolve(c, bell, "valid") for c in noise.T])
tables = {
    "sinusoidal, 16 channels": table(range(400), 16),
    "random, 16 channels": rng.normal(size=(400, 16)),
    "random, 256 channels": rng.normal(size=(400, 256)),
    "smooth, 16 channels": smooth,
}


def judged(pe, k):
    """Return the mean R² on the rows that were fitted, and on those behind them."""
    matrix = fit(pe[:200], k)
    parts = pe[:200], pe[200:]
    return [r_squared(part[k:], part[:-k] @ matrix.T).mean() for part in parts]


scores = {
    (name, k): judged(pe, k) for name, pe in tables.items() for k in (1, K, 30)
}
for (name, k), (seen, unseen) in scores.items():
    print(f"{name:24} k = {k:2}   fitted {seen:6.2f}   beyond {unseen:6.2f}")

# %%
sinusoidal, random, wide, blurred = tables
held = [min(scores[sinusoidal, k]) for k in (1, K, 30)]
verify("a rotation is there, and holds beyond the fit", held, above=0.999)
verify("random rows have nothing to find", scores[random, K][1], below=0)
verify("with 256 channels they seem to", scores[wide, K][0], above=0.999999)
verify("but the prediction is worse than the mean", scores[wide, K][1], below=-1)
verify("smooth rows are predicted one step ahead", scores[blurred, 1][1], above=0.5)
verify("seven steps ahead they fit", scores[blurred, K][0], above=0.9)
verify("but are not predicted", scores[blurred, K][1], below=0)

# %% [markdown]
# With as many channels as examples, every table is "linear in its shift".
# A smooth table is predicted one step ahead because neighbours are alike, which needs no rotation:

# %%
copied = r_squared(smooth[1:], smooth[:-1]).mean()
verify("a copy of the row before does as well", copied, above=0.98)

# %% [markdown]
# ## What an average hides { #average }
#
# Some of these reports make a mistake: they take the sines without their cosines.
# From $\sin \omega p$ alone, $R^2$ tends to $\cos^2 \omega k$, as [eq-regression][] says.

# %%
sines = table(range(200), 64)[:, 0::2]
alone = []
for channel in sines.T:
    columns = np.column_stack([channel[:-1], np.ones(199)])
    weights = np.linalg.lstsq(columns, channel[1:], rcond=None)[0]
    alone.append(r_squared(channel[1:], columns @ weights))
verify("on average it looks convincing", np.mean(alone), above=0.94)
verify("the first channel is hardly predicted", round(alone[0], 2), 0.29)

# %% id="fig-alone" alt="R² of each pair for the next position from the sine alone: points that rise from 0.29 for the fastest pair to 1 for the slow ones, close to the curve of the squared cosine." caption="One step ahead from the sine alone: $R^2$ of each pair, and $\\cos^2 \\omega_i$."
from matplotlib.figure import Figure

figure = Figure(figsize=(6.2, 3), layout="constrained")
axes = figure.add_subplot(xlabel="pair", ylabel="R²", ylim=(0, 1.05))
axes.plot(np.cos(omegas(64)) ** 2, color="C1", label="cos² ω")
axes.plot(alone, "o", markersize=4, label="fitted")
axes.legend()
figure

# %% [markdown]
# Most pairs are slow, and a slow wave changes little in one step.
# They dominate the average, which hides the few pairs that distinguish neighbours.
#
# So report $R^2$ for each pair, on positions that were not fitted and for more than one offset, next to the $R^2$ of copying the row.
