"""Every error in relative encodings, masks and grids fails a page or a test."""

import pytest

pytestmark = pytest.mark.site

ROTARY = "docs/chapters/rotary.md"
OFFSETS = "docs/chapters/offsets.md"
BIASES = "docs/chapters/biases.md"
SCALING = "docs/chapters/scaling.md"
PADDING = "docs/chapters/padding.md"
GRIDS = "docs/chapters/grids.md"
FILTERS = "docs/chapters/filters.md"
ALIASING = "docs/chapters/aliasing.md"
KERNELS = "docs/chapters/kernels.md"
EXTRAPOLATION = "docs/chapters/extrapolation.md"
SCIENCES = "docs/chapters/sciences.md"
CONFIGS = "docs/reference/configs.md"
RULES = "posenc/scaling/rules.py"

# As in test_errors_in_code.py: the name, the file, the old text, the new text, the page or test.
CODE = [
    ("a rotation with a wrong sign", "posenc/rotary/rotation.py", "a * cos - b * sin", "a * cos + b * sin", ROTARY),
    ("a rotation the other way", "posenc/rotary/rotation.py", "sin, cos = sin_cos(p, frequencies)  #", "sin, cos = sin_cos(-p, frequencies)  #", ROTARY),
    ("the other channels of a rotation lost", "posenc/rotary/rotation.py", "out[..., r:] = x[..., r:]", "out[..., r:] = 0", ROTARY),
    ("a rotation rounded to bfloat16 twice", "posenc/rotary/rotation.py", "rounded(a * cos - b * sin, out.dtype)", "a * cos - b * sin", "tests/package/core/test_bfloat16.py"),
    ("a block passed over", "posenc/core/blocks.py", "range(0, shape[0], step)", "range(0, shape[0] - step, step)", "tests/package/rotary/test_rotation_blocks.py"),
    ("a rotation along the wrong axis in memory", "posenc/rotary/rotation.py", "x, cos, sin, out = (array.swapaxes(-2, -3) for array in (x, cos, sin, out))", "x, out = (array.swapaxes(-2, -3) for array in (x, out))", "tests/package/rotary/test_rotation_axes.py"),
    ("rotary angles to 16 digits", "posenc/core/frequencies.py", 'is None:\n        return exact_inv_freq(dim, base, exponent)', 'is None:\n        return exact_inv_freq(dim, base, exponent)[0], np.zeros(dim // 2)', "tests/package/rotary/test_rotation_precision.py"),
    ("the permutation of layouts turned around", "posenc/core/layouts.py", "order[ours] = channels[theirs]", "order[theirs] = channels[ours]", "tests/package/rotary/test_rotation_golden.py"),
    ("heads mixed with channels", "posenc/core/layouts.py", "array.reshape(n_heads, head_dim, *array.shape[1:])", "array.reshape(head_dim, n_heads, *array.shape[1:]).swapaxes(0, 1)", "tests/package/rotary/test_rotation_golden.py"),
    ("NTK without its exponent", RULES, "factor ** (dim / (dim - 2))", "factor", SCALING),
    ("dynamic NTK below its length", RULES, "length = max(seq_len or 0, original)", "length = seq_len or original", SCALING),
    ("a dynamic base that is constant", RULES, "growth = 1 + factor * (length - original) / original", "growth = 1 + factor * (factor - 1)", SCALING),
    ("YaRN's ramp upside down", RULES, "kept = 1 - yarn_ramp", "kept = yarn_ramp", SCALING),
    ("an unknown key of a config accepted", "posenc/scaling/settings.py", "if KEY_NAMES.get(key, key) in OWN | SHARED:", "if True:", CONFIGS),
    ("slopes off by one", "posenc/biases/alibi.py", "[2.0 ** (-bias_max * (h + 1) / n)", "[2.0 ** (-bias_max * h / n)", BIASES),
    ("one sequence of slopes for all heads", "posenc/biases/alibi.py", "n = 1 << (n_heads.bit_length() - 1)", "n = n_heads", BIASES),
    ("a signed distance", "posenc/biases/alibi.py", "* -abs(k)", "* k", BIASES),
    ("query minus key", "posenc/biases/alibi.py", "return q - p[:, np.newaxis]", "return p[:, np.newaxis] - q", BIASES),
    ("skewed by one key too few", "posenc/biases/skewing.py", "flat[..., q_len:]", "flat[..., q_len - 1 : -1]", OFFSETS),
    ("u in the place of v", "posenc/biases/transformer_xl.py", "(queries + place) @", "(queries + content) @", OFFSETS),
    ("a key that asks at the query's offset", "posenc/biases/deberta_scores.py", "np.clip(n1 + k", "np.clip(n1 - k", OFFSETS),
    ("gates counted from the start", "posenc/biases/cope.py", "gates[..., ::-1].cumsum(axis=-1)[..., ::-1]", "gates.cumsum(axis=-1)", OFFSETS),
    ("the upper half of buckets for keys behind", "posenc/biases/t5.py", "directed * (k > 0)", "directed * (k < 0)", OFFSETS),
    ("a mask of queries", "posenc/batches/masks.py", "keys[..., np.newaxis, :] & everything", "keys[..., :, np.newaxis] & everything", PADDING),
    ("padding on the other side", "posenc/batches/masks.py", "real if right else real[:, ::-1].copy()", "real if not right else real[:, ::-1].copy()", PADDING),
    ("position ids from 1", "posenc/batches/masks.py", "dtype=np.int64) - tokens", "dtype=np.int64)", PADDING),
    ("a loss over padding", "posenc/batches/padding.py", "math.fsum(counted) / len(counted)", "math.fsum(counted) / values.size", PADDING),
    ("pooling over padding", "posenc/batches/padding.py", "counted / tokens.sum(axis=-1)[..., np.newaxis]", "counted / rows.shape[-2]", PADDING),
    ("documents that share their positions", "posenc/batches/masks.py", "np.arange(sum(counts), dtype=np.int64) - np.repeat(begins, counts)", "np.arange(sum(counts), dtype=np.int64)", PADDING),
    ("bounds without the first", "posenc/batches/masks.py", "return np.cumsum([0, *counts], dtype=np.int32)", "return np.cumsum([*counts, 0], dtype=np.int32)", PADDING),
    ("a query without keys is NaN", "posenc/core/attention.py", "np.maximum(total, 1)", "total", PADDING),
    ("columns before rows", "posenc/tables/grids.py", "np.moveaxis(coordinates, 0, -1)", "np.moveaxis(coordinates[::-1], 0, -1)", GRIDS),
    ("every block from the first coordinate", "posenc/tables/grids.py", "parts = [(p[..., axis], widths", "parts = [(p[..., 0], widths", GRIDS),
    ("sines of one axis before the other", "posenc/tables/grids.py", 'if layout == "half":', 'if layout == "never":', GRIDS),
    ("one set of frequencies for two axes", "posenc/rotary/axial.py", "rotary_cos_sin(p_a, w, base=base, inv_freq=omega, dtype=dtype)", "[t[..., :w // 2] for t in rotary_cos_sin(p_a, dim, base=base, dtype=dtype)]", GRIDS),
    ("pairs dealt out to the end", "posenc/rotary/mrope.py", "axes[axis : n * counts[axis] : n] = axis", "axes[axis :: n] = axis", GRIDS),
    ("an image that takes as many numbers as tokens", "posenc/rotary/mrope.py", "start = int(counted.max(initial=start - 1)) + 1", "start += len(cells)", GRIDS),
    ("M-RoPE in another order", "posenc/rotary/mrope.py", "np.repeat(np.arange(n, dtype=np.int64), counts)", "np.repeat(np.arange(n, dtype=np.int64)[::-1], counts)", "tests/package/tables/test_grids_golden.py"),
    ("a strand that is not reversed", "posenc/geometry/dna_strands.py", "for letter in reversed(sequence)", "for letter in sequence", SCIENCES),
    ("one channel not mirrored", "posenc/geometry/dna_strands.py", "array[..., second], array[..., first]", "array[..., second], array[..., second]", SCIENCES),
    ("half a turn for a period", "posenc/tables/periodic.py", "angle = 2 * np.pi * (rest", "angle = np.pi * (rest", SCIENCES),
    ("a power that is not squared", "posenc/analysis/periods.py", "sine_sums**2 + cosine_sums**2", "abs(sine_sums) + abs(cosine_sums)", "tests/package/tables/test_periodic.py"),
    ("a query moved like an output", "posenc/geometry/poses.py", 'if role == "query":', 'if role == "key":', SCIENCES),
    ("a left-handed third axis", "posenc/geometry/orientations.py", "np.cross(first, across)", "np.cross(across, first)", SCIENCES),
    ("a bump without its half", "posenc/tables/gaussian.py", "np.exp(-(distances**2) / 2)", "np.exp(-(distances**2))", KERNELS),
    ("a kernel as wide as a bump", "posenc/analysis/gaussian.py", "np.exp(-((k / sigma) ** 2) / 4)", "np.exp(-((k / sigma) ** 2) / 2)", KERNELS),
    ("a ripple without π", "posenc/analysis/gaussian.py", "fall = math.pi * (sigma / delta)", "fall = (sigma / delta)", KERNELS),
    ("the last row for negative positions", "posenc/tables/hybrid.py", "(p >= 0) & (p < len(rows))", "(p < len(rows))", EXTRAPOLATION),
    ("a ridge twice as high", "posenc/analysis/regression.py", "1 / (s + ridge / s)", "1 / (s + 2 * ridge / s)", EXTRAPOLATION),
    ("noise that adds up without roots", "posenc/analysis/regression.py", "np.linalg.norm(questions @ (right * gains), axis=1)", "abs(questions @ (right * gains)).sum(axis=1)", EXTRAPOLATION),
    ("a phase with the wrong sign", "posenc/analysis/rotary_scores.py", "u.conj() * v", "u * v.conj()", FILTERS),
    ("a query turned the wrong way", "posenc/analysis/rotary_scores.py", "(cos + 1j * sin) * v", "(cos - 1j * sin) * v", FILTERS),
    ("half of each stretch not searched", "posenc/analysis/aliasing.py", "np.ravel([starts, starts + half]", "np.ravel([starts, starts]", ALIASING),
    ("a stretch that loses nothing", "posenc/analysis/aliasing.py", "* half / 2", "* 0", ALIASING),
    ("a ball of twice the radius", "posenc/analysis/aliasing.py", "- math.log(2))", "- math.log(1))", ALIASING),
    ("folded by half turns", "posenc/analysis/folded_frequencies.py", "omega / (2 * math.pi)", "omega / math.pi", ALIASING),
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("edit", [row[1:] for row in CODE], ids=[row[0] for row in CODE])
def test_an_error_in_code_is_noticed(find_failure, edit):
    find_failure(*edit)
