# ---
# title: Stretching a RoPE model
# description: "A lab: a small model with RoPE that has learned from 32 words is stretched to 128, by interpolation and by YaRN, without training and with it."
# question: How can a model with RoPE read four times as many words as in training?
# minutes: 40
# ---

# %% [markdown]
# # Stretching a RoPE model
#
# A model with RoPE was trained on sentences of 32 words. How can it read 128?
# You'll write the frequencies of two remedies, position interpolation and YaRN, put them into a model that you have trained, and measure how often it is right.
# One result may surprise you.
# [Stretching RoPE](../chapters/scaling.md) has the formulas, and [the lab before](lengths.md) shows where the attention of such a model goes.

# %%
import math

import jax
import numpy as np

import posenc.plots
from posenc.exercises import verify
from posenc.experiments import encodings, load, model, tasks, training

SHORT, LONG = 32, 128  # words in training, and later
FACTOR = LONG / SHORT
SHAPE = model.Shape(8, 8, heads=2, layers=1, causal=True)  # 16 channels a head


# %% [markdown]
# ## A model of 32 words { #model }
#
# Sentences are random, from a vocabulary of eight words, and the answer at each position is the word three positions earlier.
# One layer of two heads learns this in seconds.


# %%
def train(code, seq_len, steps, batch, rate, start=None):
    plan = training.Plan(steps, batch, seq_len, rate)
    return training.train(
        tasks.look_back, code, SHAPE, plan, seed=0, start=start, quiet=False
    )


rope = encodings.Encoding("rope", train_len=SHORT)
trained = train(rope, SHORT, steps=200, batch=16, rate=8e-3)

# %% [markdown]
# The frequencies of RoPE aren't weights, so you can change them after training.
# `right` returns how often the model is right in the second half of new sentences, if the answer is the word `back` positions earlier.


# %%
@jax.jit
def answers(weights, words, told):
    return model.logits(weights, words, told, SHAPE).argmax(-1)


def right(trained, frequencies, seq_len, attention_factor=1.0, back=3):
    words = np.random.default_rng(99).integers(8, size=(128, seq_len))
    angles = np.outer(np.arange(seq_len), frequencies)
    told = encodings.rotary(SHAPE, angles, rope.layout, attention_factor)
    said = np.asarray(answers(trained.weights, words, told))
    half = seq_len // 2
    return (said[:, half:] == words[:, half - back : seq_len - back]).mean()


plain = np.array([10_000 ** (-i / 8) for i in range(8)])
verify("with 32 words, it is right", right(trained, plain, SHORT), above=0.9)
verify("with 128, it is not always right", right(trained, plain, LONG), below=0.9)
verify("but better than chance, 1/8", right(trained, plain, LONG), above=0.3)

# %% [markdown]
# ## Which angles are new? { #angles }
#
# A pair of channels with the frequency $\omega$ rotates by $\omega k$ between a query and a key $k$ positions before it.
# If it completes a rotation within the training length, training has gone all the way round the circle.
#
# **Task 1.** Return how many rotations each pair makes within `seq_len` positions: [eq-unseen-angles][].


# %%
def turns(frequencies, seq_len):
    raise NotImplementedError("task 1 is yours")


# %% tags=["solution"]
def turns(frequencies, seq_len):
    return np.asarray(frequencies) * seq_len / (2 * math.pi)


# %%
verify("by a right angle, 8 rotations in 32", turns([math.pi / 2], 32), [8])
verify("twice as long, twice the rotations", turns([1], 64), 2 * turns([1], 32))
new = [i for i in range(8) if turns(plain, SHORT)[i] < 1]
verify("all pairs except two have angles that are new", new, [2, 3, 4, 5, 6, 7])

# %% [markdown]
# ## Interpolation { #interpolation }
#
# If new angles are the problem, one remedy is to divide all frequencies by a factor $s = 4$.
# Position 128 then has the angles that position 32 had, and no angle is beyond those of training [eq-interpolation][].
#
# **Task 2.** Return the interpolated frequencies.


# %%
def interpolated(frequencies, factor):
    raise NotImplementedError("task 2 is yours")


# %% tags=["solution"]
def interpolated(frequencies, factor):
    return np.asarray(frequencies) / factor


# %%
slow = interpolated(plain, FACTOR)
verify("position 128 is where 32 was", 128 * slow, 32 * plain, within=1e-14)
verify("another factor divides by it", interpolated([1, 3], 2), [0.5, 1.5])

config = {"rope_type": "linear", "factor": FACTOR, "head_dim": 16}
linear = posenc.rope_parameters(config).inv_freq
verify("a configuration gives the same", slow, linear, within=1e-15)

# %% [markdown]
# **Before you go on**: how often will the model be right with these frequencies, without further training, at 128 words? And at 32?

# %%
both = [right(trained, slow, n) for n in (SHORT, LONG)]
verify("at 32 words and at 128, it is near chance", both, below=0.2)

# %% [markdown]
# It now fails even at 32 words.
# It learned to attend to keys at the angles $3\omega$, but three words back the angles are now $3\omega/4$.
# So which word has the angles $3\omega$ now? The one twelve positions back:

# %%
names = [right(trained, slow, LONG, back=k) for k in range(9, 16)]
verify("most often the word 12 places back", 9 + names.index(max(names)), 12)
once = right(trained, plain, SHORT)
verify("but less often than the third before", max(names), above=0.4, below=once)

# %% [markdown]
# It finds that word less often than it found the third before. The neighbours at 11 and 13 are now four times closer in angle, so they are harder to tell apart.
# <!-- check: (11, 13) == (3 * FACTOR - 1, 3 * FACTOR + 1) -->
#
# ## YaRN { #yarn }
#
# The fast pairs have no new angles, and they are the ones that tell neighbours apart.
# So we keep them and slow down the others.
# YaRN divides the frequencies of pairs that make at most one rotation in training, keeps those of pairs that make 32 or more, and interpolates between the two along a straight line in the index of the pair.
# A pair that made exactly $n$ rotations would have the index $i_n$ of [eq-yarn][], which is rarely an integer.
# The line begins at $i_{32}$, rounded down, but not below 0, and ends at $i_1$, rounded up, but not above $d - 1$.
#
# **Task 3.** Return by what share each of the $d/2$ pairs is slowed: 0 up to the beginning of the line, 1 from its end on. Then mix the frequencies by these shares.


# %%
def slowed(d, seq_len, base=10_000):
    raise NotImplementedError("task 3 is yours")


def yarn(frequencies, share, factor):
    raise NotImplementedError("task 3 is yours")


# %% tags=["solution"]
def slowed(d, seq_len, base=10_000):
    def pair(n):
        return d / 2 * math.log(seq_len / (2 * math.pi * n), base)

    first, last = max(math.floor(pair(32)), 0), min(math.ceil(pair(1)), d - 1)
    return np.clip((np.arange(d // 2) - first) / (last - first), 0, 1)


def yarn(frequencies, share, factor):
    return frequencies * (1 - share) + frequencies / factor * share


# %%
by_turns = np.array([10_000 ** (-i / 64) * 4096 / (2 * math.pi) for i in range(64)])
share = slowed(128, 4096)
verify("a share for each pair", share.shape, (64,))
verify("not slowed: 32 rotations and more", share == 0, by_turns >= 32)
verify("slowed: one rotation and less", share == 1, by_turns <= 1)
between = np.diff(share)[(share[1:] < 1) & (share[:-1] > 0)]
verify("between pairs 20 and 46, pair 30", share[30], 10 / 26, within=1e-12)
verify("a straight line", between, [1 / 26] * len(between), within=1e-12)
verify("in our model: 0, 1/2, 1", slowed(16, 32), [0, 0.5] + [1] * 6)
verify("the line ends at d − 1 at most", slowed(4, 600, 10), [0, 1 / 3])

mixed = yarn(plain, slowed(16, 32), FACTOR)
by_hand = [1, (plain[1] + plain[1] / 4) / 2, plain[2] / 4]
verify("the mixture", mixed[:3], by_hand, within=1e-15)

config |= {"rope_type": "yarn", "original_max_position_embeddings": SHORT}
theirs = posenc.rope_parameters(config)
verify("a configuration gives the same", mixed, theirs.inv_freq, within=1e-14)

# %% [markdown]
# Which offset does each set of frequencies attend to? If a head weighted all its pairs equally, a mean of cosines would show how much an offset looks like three positions back did in training:

# %% id="fig-stretched-peaks" alt="Three curves over offsets 0 to 40. The plain one and YaRN's have a narrow peak at 3, and YaRN's comes near it again at 9 and 34; the interpolated one has a broad peak at 12." caption="Interpolation moves the peak from 3 to 12 and makes it broad; YaRN leaves it where it is."
from matplotlib.figure import Figure

figure = Figure(figsize=(6, 2.6), layout="constrained")
axes = figure.add_subplot(
    xlabel="offset (positions back)", ylabel="like three back"
)
for label, used in (("plain", plain), ("interpolated", slow), ("YaRN", mixed)):
    offsets = np.arange(0, 40.25, 0.25)
    alike = np.cos(np.outer(offsets, used) - 3 * plain).mean(axis=1)
    axes.plot(offsets, alike, label=label)
axes.legend()
figure

# %%
both = [right(trained, mixed, n) for n in (SHORT, LONG)]
verify("untrained, at 32 words and at 128: mostly right", both, above=0.6)

# %% [markdown]
# <!-- check: min(alike[offsets == 9].item(), alike[offsets == 34].item()) > 0.9 > alike[(offsets > 12) & (offsets < 32)].max() -->
#
# ## The temperature { #temperature }
#
# A softmax over four times as many keys spreads its weight over more of them.
# To counter that, YaRN makes all scores larger: it multiplies cosines and sines by $a = 0.1 \ln s + 1$, and so the scores by $a^2$ [eq-attention-factor][].
#
# **Task 4.** Return $a$.


# %%
def attention_factor(factor):
    raise NotImplementedError("task 4 is yours")


# %% tags=["solution"]
def attention_factor(factor):
    return 0.1 * math.log(factor) + 1


# %%
sharper = attention_factor(FACTOR)
verify("nothing to do where nothing is stretched", attention_factor(1), 1)
verify("a tenth more where ln s is 1", attention_factor(math.e), 1.1, within=1e-15)
verify("as in a configuration", sharper, theirs.attention_factor, within=1e-15)
change = right(trained, mixed, LONG, sharper) - right(trained, mixed, LONG)
verify("here it changes less than a tenth", abs(change), below=0.1)

# %% [markdown]
# The formula was fitted to large models that read thousands of words. This one reads 128, and each of its answers depends on a single word.
#
# ## A little training { #training }
#
# Now train for another hundred steps with sentences of 128 words, once with each set of frequencies.
# Guess first: which model recovers?

# %%
used = {"default": (plain, 1.0), "linear": (slow, 1.0), "yarn": (mixed, sharper)}
for kind, (frequencies, factor) in used.items():
    code = rope._replace(rope_type=kind, factor=FACTOR)
    further = train(code, LONG, steps=100, batch=4, rate=4e-3, start=trained)
    short, long = (
        right(further, frequencies, n, factor) > 0.8 for n in (SHORT, LONG)
    )
    print(f"{kind:8} right at 32: {short!s:5}  right at 128: {long}")

code = rope._replace(rope_type="linear", factor=FACTOR)
fresh = train(code, SHORT, steps=400, batch=16, rate=8e-3)
verify(
    "a new model learns with slow pairs, too", right(fresh, slow, SHORT), above=0.7
)

# %% [markdown]
# The model with plain frequencies recovers like the one with YaRN, as you would expect if angles are new only until they are trained.
# What YaRN avoids is the loss before that training.
# The interpolated model doesn't recover in a hundred steps. Neighbouring words are four times closer in angle, so it has to become sharper, and it also has to stop looking twelve words back.
# The frequencies themselves aren't to blame, because a new model learns with them, though in more steps.
# [Chen et al. 2023](../reference/bibliography.md#chen2023) saw large models recover, on texts that seldom depend on an exact position.
#
# ## Five seeds, and a softer question { #softer }
#
# These models have two layers and four heads, and are stretched without further training.
# In *fading*, words are 0 or 1, and the question is whether ones or zeros weigh more so far, if each word counts 0.8 times as much as the next.

# %% id="fig-stretched-seeds" alt="Look back: plain RoPE falls from one to chance, interpolated RoPE is at chance from 64 words on, YaRN stays near one. Fading: all fall, plain RoPE most; interpolation and YaRN keep about three quarters at 256 words." caption="Where exact positions matter less, interpolation helps, too."
stored = load("lengths")
panels = {"look_back": {}, "fading": {}}
for task, shown in panels.items():
    for kind in ("", ", interpolated", ", yarn"):
        tests = ["x1"] + [f"x{n}{kind}" for n in (2, 4, 8)]
        runs = [stored.values(f"{task}: rope", test) for test in tests]
        shown[kind.lstrip(", ") or "plain"] = np.transpose(runs)
chance = {"look_back": 1 / 8, "fading": 1 / 2}
draw = posenc.plots.accuracies_by_length
draw([32, 64, 128, 256], panels, chance=chance, ylabel="right at the end")

# %% [markdown]
# ## What this does not show { #limits }
#
# - Heads of 16 channels have eight pairs, and YaRN keeps only one of them unchanged. Heads of large models often have 64 pairs, and YaRN keeps many.
# - Looking back exactly three words is a hard task for interpolation, and we chose it for that reason. It shows that keeping angles within the range of training still changes what a model sees. It doesn't show that interpolation is useless.
# - A hundred steps of a small model on one task say nothing about how long a large model must train.
