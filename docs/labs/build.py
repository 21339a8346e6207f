# ---
# title: Build the encoding from scratch
# description: "A lab: from the digits of a counter to clock hands to the sinusoidal table, each step written by you and checked from outside."
# question: What is the shortest way from counting to the table of sines and cosines, and where does it go wrong?
# minutes: 45
# ---

# %% [markdown]
# # Build the encoding from scratch
#
# You write seven small functions, and each is checked at once.
# What the checks expect never comes from your code: they count in strings, rotate complex numbers, or calculate with fifty digits.
# A check that fails prints what it found, what it expected, and where.
# At the end you compare your encoding, that of the 2017 paper, with the package.
# You need a little NumPy; [From counting to waves](../chapters/counting.md) tells the same story at length.

# %%
import math

import mpmath
import numpy as np

import posenc
from posenc import laws
from posenc.exercises import verify


# %% [markdown]
# ## A counter { #counter }
#
# An odometer has a row of wheels. The last one turns at every step, and each of the others when the wheel to its right has gone round.
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
verify("your digits are Python's", [digits(p, 5) for p in range(32)], written)
verify("16 shows nothing on four wheels", digits(16, 4), [0, 0, 0, 0])
verify("16 takes a fifth wheel", digits(16, 5), [0, 0, 0, 0, 1])

# %% [markdown]
# A counter gives each position its own digits, but says nothing about distances: from 15 to 16, every wheel turns.

# %%
sum(a != b for a, b in zip(digits(15, 5), digits(16, 5)))

# %% [markdown]
# [The laws of the package](../reference/api/laws.md) judge any function that makes a table, and find that at once:

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
# A complex number of length 1 is a hand, too, and multiplication rotates it without any sine.


# %%
def turned(p, omega):
    tip, step = 1 + 0j, complex(mpmath.expj(omega))
    for _ in range(p):
        tip *= step
    return tip.imag, tip.real  # expj begins at the right, a clock at the top


mine = [hand(p, 0.3) for p in range(50)]
products = [turned(p, 0.3) for p in range(50)]
verify("a hand begins at the top", hand(0, 0.3), (0, 1))
verify("each step turns it by the same angle", mine, products, within=1e-13)
verify("its tip stays on the dial", math.hypot(*hand(7, 2.1)), 1, within=1e-15)

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
ratios = [float(yours / true) for yours, true in zip(frequencies(64), exact)]
verify("d/2 of them", len(frequencies(64)), 32)
verify("the first is 1, a radian per position", frequencies(64)[0], 1)
verify("the last is one step before 1/b", frequencies(64)[-1], above=1.3e-4)
verify("each is exact to 15 digits", ratios, [1] * 32, within=1e-15)
verify("of base 16, four channels: 1 and 1/4", frequencies(4, 16), [1, 1 / 4])

# %% [markdown]
# A common mistake is the channel $2i$ instead of $i$. The exponent is then twice as large, and the last frequency fails its check.
#
# ## A row { #row }
#
# The two numbers of each hand are side by side: sine, cosine, sine, cosine.
# Other libraries put all sines first. [Both are in use](../chapters/sinusoidal.md#layouts), and mixing them up doesn't raise an error.
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
verify("d numbers", len(row(5, 64)), 64)
verify("position 0 is 0, 1, 0, 1, …", row(0, 6), [0, 1, 0, 1, 0, 1])
verify("sine and cosine alternate", row(5, 8), flat, within=1e-14)

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
verify("it has L rows and d columns", table(200, 16).shape, (200, 16))
verify("each row is that of task 4", table(200, 16), slow, within=1e-13)

# %% [markdown]
# Now the laws again. The hands keep all of them:

# %%
for law in laws.check(lambda L: table(L, 64)):
    verify(law.law, law.holds, True)

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
verify("rounded at the end: right to seven digits", rounded_last, below=3e-8)
verify("rounded at the start: wrong in the third digit", rounded_first, above=1e-3)
verify("the angle is about 92 600", round(float(angle), -2), 92_600)
verify("and goes in steps of 1/128", np.spacing(angle), 1 / 128)

# %% [markdown]
# A `float32` has 24 bits. An angle of about 92 600 radians needs 17 of them for its whole part, so it goes in steps of $1/128$, and no sine can make up for that.
# <!-- check: 24 == np.finfo(np.float32).nmant + 1 and 2**16 <= 92_600 < 2**17 and 24 - 17 == math.log2(128) -->
#
# **Task 6.** Look at your table once more: in which precision does it compute angles?
# If it uses `dtype` for them, repair it.

# %%
narrow = table(4097, 64, np.float32)
exactly = [
    float(f(4096 * omega)) for omega in exact for f in (mpmath.sin, mpmath.cos)
]
verify("it has the dtype that was asked for", narrow.dtype, np.dtype("float32"))
verify("rounded once", narrow[4096], exactly, within=3e-8)

# %% [markdown]
# ## Positions of other kinds { #positions }
#
# A hand needs neither whole numbers nor a first position.
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
verify("any order", rows([3, 0, 1], 8), table(4, 8)[[3, 0, 1]])
verify("a sine changes its sign with p", before[0::2], -after[0::2])
verify("a cosine does not", before[1::2], after[1::2])
verify("half a step and 1.5 are two", sums, turns[2, 0::2], within=1e-15)

# %% [markdown]
# ## Compared with the package { #same }
#
# You know that your table is right, so this tests both.

# %%
mine, theirs = table(2048, 128), posenc.sinusoidal_positional_encoding(2048, 128)
verify("the same table", mine, theirs, within=1e-12)
at = [-7.5, 0.25]
verify("the same rows", rows(at, 128), posenc.sinusoidal_at(at, 128), within=1e-14)

# %% [markdown]
# They differ in the last bits.
# Near position 2000, fast angles are rounded by about $10^{-13}$, and so are your sines (only the first pair, whose frequency is 1, has an exact angle). The package keeps what was rounded off and corrects for it ([how exact is a table?](../chapters/sinusoidal.md#precision)).

# %%
far = [float(mpmath.sin(2047 / mpmath.root(10_000, 64) ** i)) for i in range(64)]
verify("yours is good to 3e-13", mine[2047, 0::2], far, within=3e-13)
verify("and the first pair is exact", mine[2047, 0], far[0], within=2e-16)
verify("the package to 5e-16", theirs[2047, 0::2], far, within=5e-16)
