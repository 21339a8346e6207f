"""The learned positions of all-MiniLM-L6-v2, and what its first layer does with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks

FILE = Path(__file__).parent / "data/minilm.npz"
EPSILON = 1e-12  # layer_norm_eps of the model
HEADS = 12

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FirstLayer:
    """A BERT up to the attention scores of its first layer, with a few words of its vocabulary.

    Before layer 0, BERT adds three vectors for each token: its word, its position and its segment.
    The sum goes through a LayerNorm, and from there to the queries and keys of 12 heads.
    For the methods, `words` is a sequence of words that starts at position 0, or None for the mean
    of all word vectors at each of the 512 positions.

    Args:
        positions: The table, shape (512, 384): row p is added to the token at position p.
        token_type: The vector of the first segment, shape (384,), added to every token.
        mean_word: The mean of all 30522 word vectors, shape (384,).
        words: Some common words, and [CLS] and [SEP], which enclose a sentence; 59 in all.
        word_vectors: Their vectors, shape (59, 384).
        norm_weight: Scale of the LayerNorm, shape (384,).
        norm_bias: Shift of the LayerNorm, shape (384,).
        query_weight: Shape (384, 384), for `x @ query_weight.T`. Rows 32h to 32h + 31 belong to
            head h.
        query_bias: Shape (384,).
        key_weight: As `query_weight`, for keys.
        key_bias: Shape (384,).

    Raises:
        TypeError: A field is missing.

    Source:
        Devlin et al. 2018; BertEmbeddings and BertSelfAttention in transformers.

    Examples:
        >>> from posenc.trained import load_minilm
        >>> sentence = "[CLS] the dog bit the man . [SEP]".split()
        >>> load_minilm().weights(2, sentence).argmax(axis=1).tolist()
        [0, 0, 1, 2, 3, 4, 5, 6]
    """

    positions: Floats
    token_type: Floats
    mean_word: Floats
    words: tuple[str, ...]
    word_vectors: Floats
    norm_weight: Floats
    norm_bias: Floats
    query_weight: Floats
    query_bias: Floats
    key_weight: Floats
    key_bias: Floats

    def inputs(self, words: Sequence[str] | None = None) -> Floats:
        """Return what layer 0 reads: a row of 384 for each word, or 512 rows without words."""
        if words is None:
            total = self.mean_word + self.positions + self.token_type
        else:
            numbers = self._find_words(words)
            total = self.word_vectors[numbers] + self.positions[: len(numbers)] + self.token_type
        centred = total - total.mean(axis=1, keepdims=True)
        variance = (centred**2).mean(axis=1, keepdims=True)
        x: Floats = centred / np.sqrt(variance + EPSILON) * self.norm_weight + self.norm_bias
        return x

    def scores(self, head: int, words: Sequence[str] | None = None) -> Floats:
        """Return the scores of a head from 0 to 11: a row for each query, a column for each key.

        They are divided by the square root of 32, the width of a head.
        """
        head = checks.integer("head", head, least=0)
        if head >= HEADS:
            raise ValueError(f"head must be at most {HEADS - 1}, got head={head}")
        x, width = self.inputs(words), len(self.query_bias) // HEADS
        part = slice(width * head, width * (head + 1))
        queries = x @ self.query_weight[part].T + self.query_bias[part]
        keys = x @ self.key_weight[part].T + self.key_bias[part]
        scores: Floats = queries @ keys.T / np.sqrt(width)
        return scores

    def weights(self, head: int, words: Sequence[str] | None = None) -> Floats:
        """Return the attention weights of a head: the softmax of each row of its `scores`."""
        scores = self.scores(head, words)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights: Floats = powers / powers.sum(axis=1, keepdims=True)
        return weights

    def _find_words(self, words: Sequence[str]) -> list[int]:
        if isinstance(words, str):
            raise TypeError(f"words must be a list of words, got words={words!r}; split it")
        if len(words) > len(self.positions):
            raise ValueError(f"words must be at most {len(self.positions)}, got {len(words)}")
        for word in words:
            checks.choice("words", word, self.words)
        return [self.words.index(word) for word in words]


def load_minilm() -> FirstLayer:
    """Return the position table and the first layer of all-MiniLM-L6-v2.

    The model embeds sentences: a BERT with 6 layers, width 384, 12 heads and 512 learned
    positions. Table, word vectors, and query and key weights are rounded to `float16`.

    Returns:
        A `FirstLayer` of `float64` arrays. It is read from its file each time, so the arrays are
        yours to change.

    Source:
        sentence-transformers/all-MiniLM-L6-v2, Apache License 2.0. `posenc/trained/data/ORIGIN.txt`
        lists its origin and what was changed.

    Examples:
        >>> from posenc.trained import load_minilm
        >>> load_minilm().positions.shape
        (512, 384)
    """
    with np.load(FILE, allow_pickle=False) as arrays:
        words = tuple(arrays["words"].tolist())
        numbers = {name: arrays[name].astype(np.float64) for name in arrays if name != "words"}
    return FirstLayer(words=words, **numbers)
