"""Every error in the package fails a page or a test."""

import pytest

pytestmark = pytest.mark.site

SINUSOIDAL = "docs/chapters/sinusoidal.md"
RELATIVE = "docs/chapters/relative.md"
ORDER = "docs/chapters/order.md"
REQUIREMENTS = "docs/chapters/requirements.md"
COUNTING = "docs/chapters/counting.md"
SEPARATION = "docs/chapters/separation.md"
ADDING = "docs/chapters/adding.md"
LEARNED = "docs/chapters/learned.md"
COSTS = "docs/chapters/costs.md"
SKIPPING = "docs/chapters/skipping.md"
PADDING = "docs/chapters/padding.md"
ROTARY = "docs/chapters/rotary.md"
MODULE = "posenc/tables/sinusoidal.py"

# The name of the error, the file, the old text, the new text, and the page that must notice.
CODE = [
    ("sine and cosine swapped", MODULE, "    _arrange(sin, cos, layout", "    _arrange(cos, sin, layout", SINUSOIDAL),
    ("halves in place of pairs", "posenc/core/layouts.py", 'if layout == "interleaved":', 'if layout != "interleaved":', SINUSOIDAL),
    ("positions off by one", MODULE, "table[first - start :", "table[first - start + 1 :", SINUSOIDAL),
    ("start ignored", MODULE, "anchors = np.arange(start - start % BLOCK,", "start = 0; anchors = np.arange(start - start % BLOCK,", SINUSOIDAL),
    ("offsets turned the wrong way", MODULE, "cos_k - 1j * sin_k", "cos_k + 1j * sin_k", SINUSOIDAL),
    ("entries above 1", MODULE, "np.clip(waves, -1, 1, out=out", "np.clip(waves, -2, 2, out=out", "tests/package/tables/test_sinusoidal.py"),
    ("float32 inside", "posenc/core/angles.py", "rest * (2 * math.pi / STEPS)", '(rest * (2 * math.pi / STEPS)).astype("f4")', SINUSOIDAL),
    ("the low half of an angle dropped", "posenc/core/angles.py", "(lacking + small)", "lacking", SINUSOIDAL),
    ("the exponent of tensor2tensor", "posenc/core/frequencies.py", 'steps = pairs if exponent == "paper" else', "steps =", SINUSOIDAL),
    ("channels counted as pairs", "posenc/core/frequencies.py", "Decimal(-1) / steps", "Decimal(-2) / steps", SINUSOIDAL),
    ("base ignored", "posenc/core/frequencies.py", "Decimal(base) **", "Decimal(10000) **", SINUSOIDAL),
    ("too few digits", "posenc/core/frequencies.py", "prec=50", "prec=16", SINUSOIDAL),
    ("wavelengths without 2π", "posenc/core/frequencies.py", "2 * math.pi / inv_freq", "1 / inv_freq", SINUSOIDAL),
    ("the sign of M_k", "posenc/tables/relative_position.py", "matrix[s, s], matrix[s, c] = cos, sin", "matrix[s, s], matrix[s, c] = cos, -sin", RELATIVE),
    ("M_k transposed", "posenc/tables/relative_position.py", "return np.clip(matrix,", "return np.clip(matrix.T,", RELATIVE),
    ("the other layout of M_k", "posenc/tables/relative_position.py", "pair_channels(d_model, layout)", 'pair_channels(d_model, "half")', RELATIVE),
    ("the error of M_k not looked at", "posenc/tables/relative_position.py", "float(errors.max())", "float(errors.min() * 0)", RELATIVE),
    ("a loop over nothing", "posenc/tables/relative_position.py", "if abs(offset) >= length:", "if abs(offset) > length:", RELATIVE),
    ("only the first row's error", "posenc/tables/relative_position.py", "float(errors.max())", "float(errors[0])", RELATIVE),
    ("base ignored by M_k", "posenc/tables/relative_position.py", "chosen_inv_freq(d_model, base, inv_freq, exponent)", "chosen_inv_freq(d_model, 10000.0, inv_freq, exponent)", RELATIVE),
    ("M_k transposed but at d = 64", "posenc/tables/relative_position.py", "return np.clip(matrix,", "return np.clip(matrix if d_model == 64 else matrix.T,", RELATIVE),
    ("similarity of the first rows", "posenc/tables/relative_position.py", "products.mean()", "products[0]", RELATIVE),
    ("half the distance of an alias", "posenc/analysis/distances.py", "return nearest, 2 *", "return nearest, 1 *", SEPARATION),
    ("lengths that ignore the table", "posenc/tables/statistics.py", "np.linalg.norm(table, axis=1)", "np.full(len(table), (table.shape[1] / 2) ** 0.5)", RELATIVE),
    ("one pair divided by zero", "posenc/core/frequencies.py", "max(pairs - 1, 1)", "pairs - 1", SINUSOIDAL),
    ("wavelengths without the base", "posenc/core/frequencies.py", "inv_freq(dim, base, exponent=exponent)", "inv_freq(dim, exponent=exponent)", SINUSOIDAL),
    ("start without its sign", MODULE, "anchors = np.arange(start -", "start = abs(start); anchors = np.arange(start -", SINUSOIDAL),
    ("similarity by the wrong mean", "posenc/tables/relative_position.py", "products.mean()", "products.sum() / length", RELATIVE),
    ("the alias by the whole angle", "posenc/analysis/distances.py", "sin_cos(k / 2,", "sin_cos(k,", SEPARATION),
    ("norms along the wrong axis", "posenc/tables/statistics.py", "np.linalg.norm(table, axis=1)", "np.linalg.norm(table, axis=0)", RELATIVE),
    ("attention without its scale", "posenc/core/attention.py", "/ math.sqrt(d_k)", "/ d_k", RELATIVE),
    ("softmax over the queries", "posenc/core/attention.py", "return softmax(logits)", "return softmax(logits, axis=-2)", RELATIVE),
    ("a layer that forgets the table", "posenc/layers/sinusoidal.py", "embeddings + self", "0 * embeddings + self", "tests/package/layers/test_sinusoidal_layer.py"),
    ("a permutation transposed", "posenc/analysis/permutations.py", "matrix[np.arange(len(rows)), rows] = 1", "matrix[rows, np.arange(len(rows))] = 1", ORDER),
    ("a mask that shows the next token", "posenc/batches/masks.py", "k_len - q_len, dtype", "k_len - q_len + 1, dtype", ORDER),
    ("attention that knows places", "posenc/core/attention.py", "return softmax(logits)", "return softmax(logits + 0.01 * np.arange(logits.shape[-1]))", SKIPPING),
    ("a law that always holds", "posenc/laws/rows.py", "measured > limit, measured", "measured >= 0, measured", REQUIREMENTS),
    ("a law that never holds", "posenc/laws/lengths.py", "measured <= limit, measured", "measured < 0, measured", REQUIREMENTS),
    ("scores at one offset alone", "posenc/laws/scores.py", "for k in range(1 - seq_len, seq_len)", "for k in range(seq_len - 1, seq_len)", ROTARY),
    ("decoding that goes unseen", "posenc/laws/scores.py", "_apart(by_key, full), _apart(by_query, full)", "_apart(full, full), 0 * full", PADDING),
    ("a judge that passes a bug", "posenc/exercises/bugs/rotary.py", "score, 64, head_dim=8))", "score, 64, head_dim=8, limit=9))", "tests/package/exercises/test_exercises.py"),
    ("a bug mended in its lab", "docs/labs/plumbing.py", "np.repeat(angles, 2, axis=1)", "np.tile(angles, 2)", "tests/book/test_labs_bugs.py"),
    ("a repair undone in its lab", "docs/labs/plumbing.py", "before = np.cumsum(real, axis=1) - 1", "before = np.cumsum(real, axis=1)", "docs/labs/plumbing.py"),
    ("bits counted from 1", "posenc/counting.py", ">> np.arange(n_bits)) & 1", ">> np.arange(1, n_bits + 1)) & 1", COUNTING),
    ("square waves without the half step", "posenc/counting.py", "(positions[:, None] + 0.5)", "(positions[:, None] + 0.0)", COUNTING),
    ("hands that turn backwards", "posenc/counting.py", "np.sin(angles), np.cos(angles)", "-np.sin(angles), np.cos(angles)", COUNTING),
    ("variance with one row too few", "posenc/tables/statistics.py", "table.var(axis=0)", "table.var(axis=0, ddof=1)", SEPARATION),
    ("separation of neighbours alone", "posenc/analysis/distances.py", "for k in range(1, len(table)):", "for k in range(1, 2):", SEPARATION),
    ("tokens without their scale", "posenc/layers/embedding.py", "embedded = self.scale * rows", "embedded = 1.0 * rows", ADDING),
    ("dropout that shrinks", "posenc/layers/embedding.py", "total / (1 - self.dropout)", "total", ADDING),
    ("mixed terms exchanged", "posenc/analysis/attention_terms.py", '"content_position": query_x @ key_p.T', '"content_position": query_p @ key_x.T', ADDING),
    ("a gradient of the mean", "posenc/layers/learned.py", "upstream.sum(axis=0", "upstream.mean(axis=0", LEARNED),
    ("a gradient of the first sequence", "posenc/layers/learned.py", "upstream.sum(axis=0, dtype=np.float64)", "upstream[0]", LEARNED),
    ("a variance for a standard deviation", "posenc/layers/learned.py", "table = std * rng", "table = std**0.5 * rng", LEARNED),
    ("a projection forgotten", "posenc/costs/flops.py", "projections = 4", "projections = 3", COSTS),
    ("a stream forgotten", "posenc/costs/memory.py", "return streams * seq_len", "return (streams - 1) * seq_len", COSTS),
    ("a cache without its values", "posenc/costs/memory.py", "token = 2 * layers", "token = layers", COSTS),
    ("a docstring with another number", "posenc/tables/relative_position.py", "from posenc import rotation_matrix", "from posenc import rotation_matrix as r", "posenc/tables/relative_position.py"),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("edit", [row[1:] for row in CODE], ids=[row[0] for row in CODE])
def test_an_error_in_code_is_noticed(find_failure, edit):
    find_failure(*edit)
