# ---
# title: Packing documents into one row
# description: "A lab: from the mask of a tokenizer to position ids, and from several documents to one packed row whose tokens can't see the other documents."
# question: How do several documents share one row of a batch without any of them noticing?
# minutes: 45
# ---

# %% [markdown]
# # Packing documents into one row
#
# Documents have different lengths, and the rows of a batch have the same length.
# You can *pad* each document, or you can *pack* several of them into one row and save the padding.
# Both need position ids and a mask, and mistakes in either don't raise an error.
#
# In this lab a small tokenizer makes the ids and the mask, as those in Hugging Face's transformers do.
# You write what comes after it, and one test judges everything: each document must get the same vectors as if it were alone.
# [Padding, masks and batches](../chapters/padding.md) has the formulas.

# %%
import numpy as np

import posenc
from posenc.exercises import verify

DOCUMENTS = ["the cat sat on the mat", "it rained", "the dog saw the cat"]
WORDS = ["<pad>", *sorted({word for text in DOCUMENTS for word in text.split()})]
IGNORED = -100  # the label of a token that the loss leaves out


def tokenize(texts, side="left"):
    """Return ids and a mask, 1 for tokens and 0 for padding, of shape (B, L)."""
    rows = [[WORDS.index(word) for word in text.split()] for text in texts]
    length = max(map(len, rows))
    ids, mask = np.zeros((2, len(rows), length), int)
    for i, row in enumerate(rows):
        at = slice(length - len(row), None) if side == "left" else slice(len(row))
        ids[i, at], mask[i, at] = row, 1
    return ids, mask


ids, mask = tokenize(DOCUMENTS)
print(ids)
print(mask)

# %% [markdown]
# A model that generates text is padded on the left, so that the last token of each row is the one to continue.
#
# ## A model to judge with { #model }
#
# One layer of causal attention with random weights is enough to see a mistake.
# It exists in two variants: one adds sinusoids to the words, and one rotates queries and keys.
# `allowed` is true where a query may attend to a key.


# %%
rng = np.random.default_rng(0)
EMBEDDING = rng.normal(size=(len(WORDS), 16))
QUERY, KEY, VALUE = rng.normal(size=(3, 16, 16)) / 4


def attend(ids, positions, allowed, kind):
    """Return a vector for each token of one row, shape (L, 16)."""
    x = EMBEDDING[ids]
    if kind == "added":
        x = x + posenc.sinusoidal_at(positions, 16)
    q, k = x @ QUERY, x @ KEY
    if kind == "rotary":
        q, k = (posenc.apply_rotary(part, positions) for part in (q, k))
    scores = np.where(allowed, q @ k.T / 4, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ (x @ VALUE)


def attend_alone(text, kind):
    """Return the vectors of a document in a row of its own, without padding."""
    (row,), _ = tokenize([text])
    causal = np.tri(len(row), dtype=bool)
    return attend(row, np.arange(len(row)), causal, kind)


# %% [markdown]
# ## Padding on the left { #left }
#
# **Task 1.** Return the position of each token, shape (B, L), from the mask of the tokenizer.
# The first token of each document has position 0, and padding may have any position from 0 on: [eq-position-ids][].


# %%
def position_ids(mask):
    raise NotImplementedError("task 1 is yours")


# %% tags=["solution"]
def position_ids(mask):
    return np.maximum(np.cumsum(mask, axis=1) - 1, 0)


# %%
found = position_ids(np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1], [1, 1, 0, 0, 0]]))
verify("padding on the left", found[0, 2:], [0, 1, 2])
verify("no padding", found[1], [0, 1, 2, 3, 4])
verify("padding on the right", found[2, :2], [0, 1])
verify("rows of a table that exist", found, above=-1, below=5)

# %% [markdown]
# **Task 2.** Return where a query may attend in one row of the batch, shape (L, L): not to later keys, and not to padding.
# A query that is padding has no key left, and a softmax over nothing is NaN, so let it attend to itself.


# %%
def padded_mask(real):
    raise NotImplementedError("task 2 is yours")


# %% tags=["solution"]
def padded_mask(real):
    causal = np.tri(len(real), dtype=bool)
    return causal & real.astype(bool) | np.eye(len(real), dtype=bool)


# %%
verify(
    "one row",
    padded_mask(np.array([0, 1, 1])),
    [[True, False, False], [False, True, False], [False, True, True]],
)
positions = position_ids(mask)
for kind in ("added", "rotary"):
    for i, text in enumerate(DOCUMENTS):
        made = attend(ids[i], positions[i], padded_mask(mask[i]), kind)
        real = made[mask[i] == 1]
        verify(
            f"{kind}, as alone: {text}",
            real,
            attend_alone(text, kind),
            within=1e-12,
        )

# %% [markdown]
# ## One row { #pack }
#
# Three documents with 6, 2 and 5 tokens fill 18 places if they are padded, and 13 if they are packed.
# <!-- check: (3 * 6, 6 + 2 + 5) == (18, 13) -->
#
# **Task 3.** Return three arrays of shape (T,) for documents that are packed one after the other: the ids of all tokens, their positions, which begin again with each document, and the labels.
# `rows` is a list of lists of ids.
# The label of a token is its own id, since models shift labels themselves, but the first token of each document has the label `IGNORED`. Otherwise the last token of a document would have to predict the first one of the next.


# %%
def pack(rows):
    raise NotImplementedError("task 3 is yours")


# %% tags=["solution"]
def pack(rows):
    tokens = np.concatenate(rows)
    positions = np.concatenate([np.arange(len(row)) for row in rows])
    labels = np.where(positions == 0, IGNORED, tokens)
    return tokens, positions, labels


# %%
tokens, positions, labels = pack([[5, 6, 7], [8], [9, 5]])
verify("ids", tokens, [5, 6, 7, 8, 9, 5])
verify("positions begin again", positions, [0, 1, 2, 0, 0, 1])
verify("labels", labels, [IGNORED, 6, 7, IGNORED, IGNORED, 5])

# %% [markdown]
# This is also what `DataCollatorWithFlattening` of transformers returns.
# Nothing else in these arrays says where a document ends, so the positions have to.
#
# **Task 4.** Return where a query may attend in a packed row, shape (T, T), from the positions: to keys of its own document that are not later: [eq-packed][].


# %%
def packed_mask(positions):
    raise NotImplementedError("task 4 is yours")


# %% tags=["solution"]
def packed_mask(positions):
    document = np.cumsum(positions == 0)
    same = document[:, None] == document
    return same & np.tri(len(positions), dtype=bool)


# %%
verify(
    "two documents",
    packed_mask(np.array([0, 1, 0])),
    [[True, False, False], [True, True, False], [False, False, True]],
)
lengths = [len(text.split()) for text in DOCUMENTS]
tokens, positions, labels = pack([row[row > 0] for row in ids])
exact = posenc.batches.packed_mask(lengths, causal=True)
verify("as the package", packed_mask(positions), exact)


def split(vectors):
    """Return the vectors of each document of the packed row."""
    return np.split(vectors, np.cumsum(lengths)[:-1])


for kind in ("added", "rotary"):
    made = split(attend(tokens, positions, packed_mask(positions), kind))
    for text, vectors in zip(DOCUMENTS, made):
        verify(
            f"{kind}, as alone: {text}",
            vectors,
            attend_alone(text, kind),
            within=1e-12,
        )

# %% id="fig-masks" alt="Two square masks of 13 tokens. The causal one is a filled triangle. The one for packed documents has three small triangles of 6, 2 and 5 tokens along the diagonal." caption="Where a query (down) may attend (across): a causal mask and the mask of the packed row."
import posenc.plots

masks = {"causal": np.tri(len(tokens)), "packed": packed_mask(positions) * 1.0}
posenc.plots.panels(masks, label="may attend", xlabel="key", ylabel="query")

# %% [markdown]
# ## What goes wrong { #wrong }
#
# Each line below makes one mistake and prints, for both variants, the largest difference from the documents alone.
# Before you run it, guess which mistakes each variant notices.

# %%
causal = np.tri(len(tokens), dtype=bool)
running = np.arange(len(tokens))
mistakes = {
    "none": (positions, packed_mask(positions)),
    "positions run on": (running, packed_mask(positions)),
    "causal mask only": (positions, causal),
    "both": (running, causal),
}
gaps = {}
for name, (used, allowed) in mistakes.items():
    for kind in ("added", "rotary"):
        made = split(attend(tokens, used, allowed, kind))
        alone = [attend_alone(text, kind) for text in DOCUMENTS]
        gap = max(abs(a - b).max() for a, b in zip(made, alone))
        gaps[name, kind] = gap
    shown = (f"{kind} {gaps[name, kind]:.2f}" for kind in ("added", "rotary"))
    print(f"{name:18}", *shown)

verify(
    "rotary doesn't notice positions that run on",
    gaps["positions run on", "rotary"],
    below=1e-12,
)
verify("added encodings do", gaps["positions run on", "added"], above=0.1)
verify(
    "both notice a causal mask",
    [gaps["causal mask only", k] for k in ("added", "rotary")],
    above=0.1,
)

# %% [markdown]
# With the right mask, a rotary model doesn't care where a document begins, because only offsets count: [eq-constant-shift][].
# That hides a mistake: many programs infer the borders of documents from positions that begin again, and if the positions run on, they find no border and use a causal mask.
# Then each document reads the ones before it.
#
# The same happens to padding on the left if you number the places of the row and not the tokens:

# %%
places = np.arange(ids.shape[1])
for kind in ("added", "rotary"):
    made = attend(ids[1], places, padded_mask(mask[1]), kind)[mask[1] == 1]
    gaps["places", kind] = abs(made - attend_alone(DOCUMENTS[1], kind)).max()
    print(f"{kind:7} {gaps['places', kind]:.2f}")

# %% [markdown]
# ## What this does not show { #limits }
#
# - A real program doesn't build the mask of a packed row, which has $T^2$ entries. It passes the borders, `cu_seqlens`, to a kernel that skips the rest.
# - Layers with a recurrence or a convolution ignore positions and masks, so packed documents leak through them.
# - The test *as alone* works for large models, too. Allow for rounding, which is larger in half precision.
