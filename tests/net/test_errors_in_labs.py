"""A lab refuses a typical wrong solution, and names the claim that is not true."""

import contextlib
import io
from pathlib import Path

import pytest

from check import lab_source, labs

# The lab, the solution, a wrong solution, and the claim that is not true.
MISTAKES = [
    ("build", "p // 2**j % 2 for", "p // 2**j for", "your digits are Python's"),
    ("build", "[p // 2**j % 2 for j in range(n)]", "[p // 2**j % 2 for j in range(n - 1, -1, -1)]", "your digits are Python's"),
    ("build", "return math.sin(omega * p), math.cos(omega * p)", "return math.cos(omega * p), math.sin(omega * p)", "a hand begins at the top"),
    ("build", "return math.sin(omega * p), math.cos(omega * p)", "return math.sin(p), math.cos(p)", "each step turns it by the same angle"),
    ("build", "return math.sin(omega * p), math.cos(omega * p)", "return math.sin(omega * p), 1 - (omega * p) ** 2 / 2", "each step turns it by the same angle"),
    ("build", "-2 * i / d) for", "-4 * i / d) for", "the last is one step before 1/b"),
    ("build", "-2 * i / d) for", "-2 * i / (d - 2)) for", "the last is one step before 1/b"),
    ("build", "for i in range(d // 2)]", "for i in range(d)]", "d/2 of them"),
    ("build", "return [b ** (-2 * i / d)", "return [0.99 * b ** (-2 * i / d)", "the first is 1"),
    ("build", "for omega in frequencies(d) for number in hand(p, omega)]", "for part in (0, 1) for number in [hand(p, omega)[part] for omega in frequencies(d)]]", "position 0 is 0, 1, 0, 1"),
    ("build", "made[:, 1::2] = np.cos(angles)", "made[:, 1::2] = np.sin(angles)", "each row is that of task 4"),
    ("build", "np.arange(seq_len), frequencies(d))", "np.arange(1, seq_len + 1), frequencies(d))", "each row is that of task 4"),
    ("build", "# (L, d/2), in float64", ".astype(dtype)", "rounded once"),
    ("build", "made = np.empty((seq_len, d), dtype)", "made = np.empty((seq_len, d))", "it has the dtype that was asked for"),
    ("build", "np.stack([np.sin(angles), np.cos(angles)], axis=-1)", "np.stack([np.sin(angles), np.cos(angles)])", "any order"),
    ("build", "np.outer(positions, frequencies(d))", "np.outer(np.abs(positions), frequencies(d))", "a sine changes its sign"),
    ("build", "np.outer(positions, frequencies(d))", "np.outer(np.floor(positions), frequencies(d))", "a sine changes its sign"),
    ("regression", "rcond=1e-9)[0].T", "rcond=1e-9)[0]", "all rows are predicted"),
    ("regression", "lstsq(pe[:-k], pe[k:]", "lstsq(pe[k:], pe[:-k]", "all rows are predicted"),
    ("regression", "matrix[i, i + 1], matrix[i, i]", "matrix[i + 1, i], matrix[i, i]", "pair i turns by"),
    ("regression", "fit(pe[:, i : i + 2], k)", "fit(pe[:, i : i + 2], 1)", "the weights are the rotation"),
    ("regression", "/ true.var(axis=0)", "/ true.var()", "0 for the mean"),
    ("regression", "return 1 - ((true", "return ((true", "1 for what is right"),
]  # fmt: skip


@pytest.mark.parametrize(("lab", "right", "wrong", "claim"), MISTAKES)
def test_a_wrong_solution_is_refused(lab, right, wrong, claim):
    path = lab_source.FOLDER / f"{lab}.py"
    text = path.read_text("utf-8")
    assert text.count(right) == 1
    code = compile(text.replace(right, wrong), path, "exec")

    with (
        contextlib.redirect_stdout(io.StringIO()),
        pytest.raises(AssertionError, match=f"not yet true: .*{claim}"),
    ):
        exec(code, {"__name__": "__main__"})


@pytest.mark.parametrize(
    "script", sorted(lab_source.FOLDER.glob("*.py")), ids=lambda path: path.stem
)
def test_a_task_has_to_begin_a_paragraph(script):
    text = script.read_text("utf-8")
    assert count_refused_tasks(script, text) == 0

    within = text.replace("#\n# **Task", "# **Task")
    within = within.replace("[markdown]\n# **Task", "[markdown]\n# Now:\n# **Task")
    assert count_refused_tasks(script, within) == text.count("# **Task") > 0


def count_refused_tasks(script: Path, text: str) -> int:
    regions = labs.parse(labs.Lab(text, str(script)))
    return sum("a task begins a paragraph" in region.parsed for region in regions)
