# ---
# title: Build the encoding from scratch
# description: "A lab: from the digits of a counter to clock hands to the sinusoidal table, each step written by you and checked from outside."
# question: What is the shortest way from counting to the table of sines and cosines, and where does it go wrong?
# minutes: 45
# ---

# %% [markdown]
# # Build the encoding from scratch
#
# You write six small functions, and each is checked at once.
# What the checks expect never comes from your code: they count in strings, turn complex numbers, or calculate with fifty digits.
# A check that fails says which property is missing.
# The last function is the encoding of the 2017 paper, and at the end you hold it against the package.
# You need a little NumPy; [From counting to waves](../chapters/counting.md) tells the same story at length.

# %%
import math

import mpmath
import numpy as np

import posenc
from posenc import laws


def check(claim, holds):
    """Say what is true, or stop and say what is not."""
    assert holds, f"not yet true: {claim}"
    print("true:", claim)


# %% [markdown]
# ## A counter { #counter }
#
# A car counts its way with a row of wheels: the last turns at every step, and any other when the one beside it has gone round.
# In base two a wheel has two marks, and the counter shows binary digits.
#
# **Task 1.** Return the digits of $p$ as a list of $n$ zeros and ones, the fastest first.


# %%
def digits(p, n):
    raise NotImplementedError("task 1 is yours")


# %% tags=["solution"]
def digits(p, n):
    return [p // 2**j % 2 for j in range(n)]


# %% [markdown]
# Python writes binary numbers by itself, so it can judge yours.

# %%
written = [[int(mark) for mark in reversed(f"{p:05b}")] for p in range(32)]
check("your digits are Python's", [digits(p, 5) for p in range(32)] == written)
check("16 takes a fifth wheel", digits(16, 4) == [0] * 4 and digits(16, 5)[4] == 1)

# %% [markdown]
# A counter tells all positions apart, but nothing about their distance: from 15 to 16, every wheel turns.

# %%
sum(a != b for a, b in zip(digits(15, 5), digits(16, 5)))

# %% [markdown]
# [The laws of the package](../reference/api/laws.md), which judge any function that makes a table, see that at once:

# %%
found = laws.check(lambda L: [digits(p, 12) for p in range(L)])
bits = {law.law: law.holds for law in found}
[law for law in bits if not bits[law]]

# %% [markdown]
# ## A hand { #hand }
#
# A wheel jumps, but a clock hand turns a little at every step, by an angle $\omega$, and after $p$ steps its tip is at $(\sin \omega p, \cos \omega p)$.
# It takes both numbers to see where it is: by the height alone, five minutes past looks like five minutes to.
#
# **Task 2.** Return the pair of sine and cosine for the position $p$ and a frequency $\omega$ in radians per position.


# %%
def hand(p, omega):
    raise NotImplementedError("task 2 is yours")


# %% tags=["solution"]
def hand(p, omega):
    return math.sin(omega * p), math.cos(omega * p)


# %% [markdown]
# A complex number of length 1 is a hand, too, and multiplication turns it without knowing of sines.


# %%
def turned(p, omega):
    tip, step = 1 + 0j, complex(mpmath.expj(omega))
    for _ in range(p):
        tip *= step
    return tip.imag, tip.real  # expj begins at the right, a clock at the top


gaps = [math.dist(hand(p, 0.3), turned(p, 0.3)) for p in range(50)]
check("a hand begins at the top", tuple(hand(0, 0.3)) == (0, 1))
check(
    "each step turns it by the same angle", max(gaps) < 1e-13
)  # 50 products, each 2e-16
check("its tip stays on the dial", abs(math.hypot(*hand(7, 2.1)) - 1) < 1e-15)

# %% [markdown]
# ## One hand is not enough { #hands }
#
# With $\omega = 1$, position 44 looks like position 0, since 44 radians are almost seven turns:

# %%
round(math.dist(hand(44, 1), hand(0, 1)), 3)

# %% [markdown]
# So we take many hands, as the counter has many wheels.
# There each wheel had half the frequency of the one before; the $d/2$ hands of the paper fall by a ratio that would take one more to $1/b$, for a base $b$ of 10 000: [eq-frequencies][].
#
# **Task 3.** Return the list of the $d/2$ frequencies $b^{-2i/d}$.


# %%
def frequencies(d, b=10_000):
    raise NotImplementedError("task 3 is yours")


# %% tags=["solution"]
def frequencies(d, b=10_000):
    return [b ** (-2 * i / d) for i in range(d // 2)]


# %% [markdown]
# The check takes another road: fifty digits, the $d/2$-th root of $b$, and divisions.

# %%
mpmath.mp.dps = 50
root = mpmath.root(10_000, 32)
exact = [1 / root**i for i in range(32)]
errors = [abs(yours / true - 1) for yours, true in zip(frequencies(64), exact)]
check("d/2 of them", len(frequencies(64)) == 32)
check("the first is 1, a radian per position", frequencies(64)[0] == 1)
check("the last is one step before 1/b", frequencies(64)[-1] > 1.3e-4)
check("each is exact to 15 digits", max(errors) < 1e-15)
check("of base 16, four channels: 1 and 1/4", frequencies(4, 16) == [1, 1 / 4])

# %% [markdown]
# A common slip puts the channel $2i$ where $i$ belongs; the exponent then runs twice as fast, and the last frequency fails its check.
#
# ## A row { #row }
#
# The two numbers of each hand stand side by side: sine, cosine, sine, cosine.
# Other libraries put all sines first; [both are in use](../chapters/sinusoidal.md#layouts), and no error tells them apart.
#
# **Task 4.** Return the row of position $p$: a list of $d$ numbers.


# %%
def row(p, d):
    raise NotImplementedError("task 4 is yours")


# %% tags=["solution"]
def row(p, d):
    return [number for omega in frequencies(d) for number in hand(p, omega)]


# %%
flat = [
    float(f(5 * omega)) for omega in exact[::8] for f in (mpmath.sin, mpmath.cos)
]
check("d numbers", len(row(5, 64)) == 64)
check("position 0 is 0, 1, 0, 1, …", list(row(0, 6)) == [0, 1, 0, 1, 0, 1])
check("sine and cosine alternate", math.dist(row(5, 8), flat) < 1e-14)

# %% [markdown]
# ## The table { #table }
#
# A table needs no loop in Python: NumPy makes all angles at once, as the outer product of positions and frequencies, then all sines and all cosines.
#
# **Task 5.** Return the table of shape $(L, d)$.
# `table[:, 0::2]` are its even channels; write into them.


# %%
def table(seq_len, d, dtype=np.float64):
    raise NotImplementedError("task 5 is yours")


# %% tags=["solution"]
def table(seq_len, d, dtype=np.float64):
    angles = np.outer(np.arange(seq_len), frequencies(d))  # (L, d/2), in float64
    made = np.empty((seq_len, d), dtype)
    made[:, 0::2] = np.sin(angles)
    made[:, 1::2] = np.cos(angles)
    return made


# %%
slow = np.array([row(p, 16) for p in range(200)])
check("it has L rows and d columns", table(200, 16).shape == (200, 16))
check("each row is that of task 4", abs(table(200, 16) - slow).max() < 1e-13)

# %% [markdown]
# Now the laws again: where the counter failed, the hands do not.

# %%
for law in laws.check(lambda L: table(L, 64)):
    check(law.law, law.holds)

# %% [markdown]
# Its picture has fast columns on the left and slow ones on the right.

# %% id="fig-table" alt="Heat map, 64 positions down and 64 channels across. Columns on the left alternate every few rows, those on the right hardly change." caption="Your table for $L = 64$ and $d = 64$."
import posenc.plots

posenc.plots.heatmap(table(64, 64))

# %% [markdown]
# ## In low precision { #precision }
#
# A model may ask for its table in `float32` or `float16`.
# Calculating in `float64` and rounding at the end looks, for short texts, the same as calculating in `float32` all along.
# Here is the second of 32 hands at position 123 456, both ways, against fifty digits:

# %%
late = 123_456
true = float(mpmath.sin(late * exact[1]))
angle = np.float32(late) * np.float32(exact[1])
rounded_last = abs(float(np.float32(math.sin(late * float(exact[1])))) - true)
rounded_first = abs(float(np.sin(np.float64(angle))) - true)
check("rounded at the end: right to seven digits", rounded_last < 3e-8)
check("rounded at the start: wrong in the third digit", rounded_first > 1e-3)
check("the angle is about 92 600", round(float(angle), -2) == 92_600)
check("and goes in steps of 1/128", np.spacing(angle) == 1 / 128)

# %% [markdown]
# Of the 24 bits of `float32`, an angle of about 92 600 radians spends 17 before the point, and so it goes in steps of $1/128$, whatever sine comes afterwards.
# <!-- check: 24 == np.finfo(np.float32).nmant + 1 and 2**16 <= 92_600 < 2**17 and 24 - 17 == math.log2(128) -->
#
# **Task 6.** Look at your table once more: in which precision are its angles?
# If they are `float32` where `dtype` is, mend it.

# %%
narrow = table(4097, 64, np.float32)
exactly = [
    float(f(4096 * omega)) for omega in exact for f in (mpmath.sin, mpmath.cos)
]
check("it has the dtype that was asked for", narrow.dtype == np.float32)
check("rounded once", abs(narrow[4096] - exactly).max() < 3e-8)

# %% [markdown]
# ## Positions of other kinds { #positions }
#
# Nothing in a hand asks for whole numbers, or for a beginning.
#
# **Task 7.** Return the rows of any positions: negative, fractional, in any order.


# %%
def rows(positions, d):
    raise NotImplementedError("task 7 is yours")


# %% tags=["solution"]
def rows(positions, d):
    angles = np.outer(positions, frequencies(d))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, d)


# %%
before, after = rows([-2.5, 2.5], 16)
turns = rows([0.5, 1.5, 2], 16)
sums = turns[0, 0::2] * turns[1, 1::2] + turns[0, 1::2] * turns[1, 0::2]
check("any order", (rows([3, 0, 1], 8) == table(4, 8)[[3, 0, 1]]).all())
check("a sine changes its sign with p", abs(before[0::2] + after[0::2]).max() == 0)
check("a cosine does not", abs(before[1::2] - after[1::2]).max() == 0)
check("half a step and 1.5 are two", abs(sums - turns[2, 0::2]).max() < 1e-15)

# %% [markdown]
# ## The same as everybody's { #same }
#
# You have seen that your table is right, so this judges both.

# %%
mine, theirs = table(2048, 128), posenc.sinusoidal_positional_encoding(2048, 128)
check("the same table", abs(mine - theirs).max() < 1e-12)
apart = rows([-7.5, 0.25], 128) - posenc.sinusoidal_at([-7.5, 0.25], 128)
check("the same rows", abs(apart).max() < 1e-14)

# %% [markdown]
# They differ in the last bits.
# Near position 2000, fast angles are rounded by about $10^{-13}$, and so are your sines (only the first pair, whose frequency is 1, has an exact angle); the package keeps what was rounded off and corrects for it ([how exact is a table?](../chapters/sinusoidal.md#precision)).

# %%
far = [float(mpmath.sin(2047 / mpmath.root(10_000, 64) ** i)) for i in range(64)]
check("yours is good to 3e-13", abs(mine[2047, 0::2] - far).max() < 3e-13)
check("and the first pair is exact", abs(mine[2047, 0] - far[0]) < 2e-16)
check("the package to 5e-16", abs(theirs[2047, 0::2] - far).max() < 5e-16)
