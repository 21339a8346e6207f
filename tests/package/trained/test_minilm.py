"""The stored model: its file, its shapes, and attention weights that transformers would return."""

import hashlib

import numpy as np
import pytest

from posenc.trained import load_minilm
from posenc.trained.minilm import FILE

SHA256 = "98e17c1e49ff9d5cdeb8980e00cbd45d438a55c8a1c8ac41129a3b8959148519"
SENTENCE = ["[CLS]", "the", "dog", "bit", "the", "man", ".", "[SEP]"]


def test_file_is_the_one_that_the_benchmark_writes():
    content = FILE.read_bytes()

    assert hashlib.sha256(content).hexdigest() == SHA256
    assert len(content) < 1_000_000


def test_licence_and_origin_are_beside_the_file():
    assert "Apache License" in (FILE.parent / "LICENSE-APACHE-2.0").read_text("utf-8")
    assert "all-MiniLM-L6-v2" in (FILE.parent / "ORIGIN.txt").read_text("utf-8")


def test_weights_of_a_head_by_hand():
    """One query and one key at a time, in the order of operations of a BERT."""
    layer, head = load_minilm(), 5

    def read(word, position):
        x = layer.word_vectors[layer.words.index(word)] + layer.positions[position]
        x = x + layer.token_type
        return (x - x.mean()) / np.sqrt(x.var() + 1e-12) * layer.norm_weight + layer.norm_bias

    def project(x, weight, bias):
        return (weight @ x + bias).reshape(12, 32)[head]

    rows = [read(word, position) for position, word in enumerate(SENTENCE)]
    query = project(rows[3], layer.query_weight, layer.query_bias)
    keys = [project(x, layer.key_weight, layer.key_bias) for x in rows]
    powers = [np.exp(query @ key / 32**0.5) for key in keys]

    weights = layer.weights(head, SENTENCE)
    np.testing.assert_allclose(weights[3], np.array(powers) / sum(powers), rtol=1e-12)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-14)


def test_without_words_all_positions_have_the_mean_word():
    layer = load_minilm()

    assert layer.scores(0).shape == (512, 512)
    assert layer.inputs().shape == (512, 384)


@pytest.mark.parametrize(
    ("head", "words", "error", "message"),
    [
        (12, None, ValueError, "head must be at most 11, got head=12"),
        (-1, None, ValueError, "head must be at least 0, got head=-1"),
        (0, "the dog", TypeError, "words must be a list of words, got words='the dog'; split it"),
        (0, ["the"] * 513, ValueError, "words must be at most 512, got 513"),
        (0, ["dogs"], ValueError, "words must be one of "),
    ],
)
def test_refuses(head, words, error, message):
    with pytest.raises(error, match=message):
        load_minilm().weights(head, words)
