"""The commands: arguments in, one public function each, an answer and an exit status out."""

import dataclasses
import json
import math
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import posenc
from posenc import golden as vectors
from posenc.command import findings, inputs
from posenc.core.layouts import Layout
from posenc.judging.kinds import HEAD_DIM, SEQ_LEN, check_setup

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

# Columns of text: tables are printed whole, to be scrolled or piped, never cut to a window.
WIDEST = 2**20

# Arguments in messages of public functions that are options here.
OPTIONS = re.compile(
    r"\b(?P<name>arrays|dtype|head_dim|layer_type|layout|part|seq_len)='?(?P<value>[\w.-]+)'?"
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Subject = Annotated[
    str,
    typer.Argument(
        metavar="FILE|MODULE:FUNCTION",
        help="A .npy, .npz, .csv or .json file of numbers, or a function encode(seq_len) or"
        " rotate(x, positions), as module:function or file.py:function.",
    ),
]
Key = Annotated[str | None, typer.Option(help="Which array of an .npz file.")]
Kind = Literal["table", "rotary", "bias"]
SeqLen = Annotated[int, typer.Option(help="How many positions a function is called with.")]
HeadDim = Annotated[
    int | None,
    typer.Option(help="Width of the vectors; without, that of the config, or 64."),
]
Dtype = Annotated[str, typer.Option(help="Of the vectors: float64, float32, float16 or bfloat16.")]
Arrays = Annotated[
    Literal["numpy", "torch"] | None,
    typer.Option(help="What the function takes; without, tensors only for PyTorch modules."),
]
Part = Annotated[
    str | None, typer.Option(help="Of a multimodal config, such as vision_config; without, text.")
]
Positions = Annotated[int | None, typer.Option("--seq-len", help="How many positions there are.")]
LayerType = Annotated[str | None, typer.Option(help="Such as sliding_attention.")]


def _print_version(asked: bool) -> None:
    if asked:
        print(f"posenc {posenc.__version__}")
        raise typer.Exit()


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Positional encodings: compute them, and judge those of others."""


@app.command()
def table(
    seq_len: Annotated[int, typer.Option(help="Number of positions.")],
    d_model: Annotated[int, typer.Option(help="Number of channels.")],
    base: float = 10000.0,
    layout: Annotated[Layout, typer.Option(help="How pairs lie.")] = "interleaved",
    start: Annotated[int, typer.Option(help="Position of the first row.")] = 0,
    dtype: Annotated[str, typer.Option(help="float64, float32 or float16.")] = "float64",
    out: Annotated[Path | None, typer.Option(help="A .npy or .csv file to write.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compute the sinusoidal table."""
    with _one_line():
        values = posenc.sinusoidal_positional_encoding(
            seq_len, d_model, base=base, layout=layout, start=start, dtype=dtype
        )
        if out is not None:
            _write(out, values)
        elif as_json:
            _print_json(values)
        else:
            _print_rows(["position", *map(str, range(d_model))], _numbered(values, start))


@app.command()
def rope(
    config: Annotated[Path, typer.Option(help="A config.json of Hugging Face.")],
    layer_type: LayerType = None,
    part: Part = None,
    seq_len: Positions = None,
    as_json: AsJson = False,
) -> None:
    """Show the rotary frequencies that a model's config specifies."""
    with _one_line():
        found = posenc.rope_parameters(config, seq_len, layer_type=layer_type, part=part)
    if as_json:
        _print_json(found._asdict())
        return
    print(f"attention factor {found.attention_factor:.6g}")
    with np.errstate(divide="ignore"):  # a pair that does not rotate has no wavelength: inf
        lengths = 2 * math.pi / found.inv_freq
    waves = enumerate(zip(found.inv_freq, lengths, strict=True))
    rows = ([str(i), f"{rate:.6g}", f"{length:.6g}"] for i, (rate, length) in waves)
    _print_rows(["pair", "radians per position", "wavelength"], rows)


@app.command()
def model(
    config: Annotated[Path, typer.Argument(help="A config.json of Hugging Face.")],
    part: Part = None,
    seq_len: Positions = None,
    as_json: AsJson = False,
) -> None:
    """Show what each layer of a model does with positions."""
    with _one_line():
        found = posenc.model_positions(config, seq_len, part=part)
    if as_json:
        _print_json(dataclasses.asdict(found))
    else:
        print(found)


@app.command()
def identify(
    subject: Subject,
    key: Key = None,
    kind: Kind | None = None,
    seq_len: SeqLen = SEQ_LEN,
    head_dim: HeadDim = None,
    dtype: Dtype = "float32",
    arrays: Arrays = None,
    as_json: AsJson = False,
) -> None:
    """Name the conventions of a table, a rotation or a bias."""
    with _one_line():
        found = posenc.identify(
            inputs.subject(subject, key),
            kind=kind,
            seq_len=seq_len,
            head_dim=head_dim or HEAD_DIM,
            dtype=dtype,
            arrays=arrays,
        )
    _answer(found, found.kind != "unknown", as_json)


@app.command()
def compare(
    subject: Subject,
    reference: Annotated[
        str | None,
        typer.Option(
            "--with", help="A name, such as llama3, or a file or a function as the first argument."
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="A config.json of Hugging Face as the reference.")
    ] = None,
    layer_type: LayerType = None,
    layout: Annotated[
        Layout | None, typer.Option(help="How channels are paired, if not as in the model.")
    ] = None,
    key: Key = None,
    kind: Kind | None = None,
    seq_len: SeqLen = SEQ_LEN,
    head_dim: HeadDim = None,
    dtype: Dtype = "float32",
    arrays: Arrays = None,
    as_json: AsJson = False,
) -> None:
    """Compare a table, a rotation or a bias with the one that was meant."""
    with _one_line():
        verdict = posenc.compare(
            inputs.subject(subject, key),
            inputs.reference(reference, config),
            kind=kind,
            seq_len=seq_len,
            head_dim=head_dim,
            dtype=dtype,
            arrays=arrays,
            layout=layout,
            layer_type=layer_type,
        )
    _answer(verdict, bool(verdict), as_json)


@app.command()
def check(
    name: Annotated[str, typer.Argument(metavar="MODULE:FUNCTION")],
    judged: Annotated[findings.Judged, typer.Option("--as", help="What the function makes.")],
    seq_len: SeqLen = SEQ_LEN,
    head_dim: HeadDim = None,
    arrays: Arrays = None,
    as_json: AsJson = False,
) -> None:
    """Judge a function encode(seq_len), rotate(x, positions) or bias(seq_len) by the laws."""
    with _one_line():
        setup = check_setup(seq_len, head_dim or HEAD_DIM, "float32", arrays)
        judgements = findings.of(inputs.function(name), judged, setup)
    if as_json:
        _print_json(
            [
                {**found._asdict(), "cause": found.cause} | ({} if head is None else {"head": head})
                for found, head in judgements
            ]
        )
    else:
        for found, head in judgements:
            print(found, *([] if head is None else [f"in head {head}"]))
            if found.cause:
                print(" ", found.cause)
    raise typer.Exit(not all(judgement.finding.holds for judgement in judgements))


@app.command()
def golden(
    out: Annotated[Path, typer.Option(help="The folder to write into, new or empty.")],
    family: Annotated[str | None, typer.Option(help="Such as rotation; all without.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write exact numbers to compare a port in any language with."""
    with _one_line():
        paths = vectors.write(out, family)
    size = sum(path.stat().st_size for path in paths)
    if as_json:
        _print_json({"out": str(out), "files": [path.name for path in paths], "bytes": size})
    else:
        print(f"{len(paths)} files in {out}, {size} bytes; golden.json lists them")


@contextmanager
def _one_line() -> Iterator[None]:
    """Turn what is wrong with the input into one line and exit status 2."""
    try:
        yield
    except (OSError, TypeError, ValueError) as reason:
        words = OPTIONS.sub(_name_option, " ".join(str(reason).split()))
        print("posenc:", words, file=sys.stderr)
        raise typer.Exit(2) from None


def _name_option(argument: re.Match[str]) -> str:
    """Return an argument of a public function as the option of the command."""
    return f"--{argument['name'].replace('_', '-')} {argument['value']}"


def _answer(found: Any, well: bool, as_json: bool) -> None:
    if as_json:
        _print_json(dataclasses.asdict(found))
    else:
        print(found)
    raise typer.Exit(not well)


def _print_json(value: Any) -> None:
    print(json.dumps(_plain(value), allow_nan=False))


def _plain(value: Any) -> Any:
    """Return what JSON can hold: lists for arrays, null for what is not finite."""
    if isinstance(value, dict):
        return {name: _plain(inside) for name, inside in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(inside) for inside in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _write(path: Path, values: NDArray[Any]) -> None:
    if path.suffix == ".npy":
        np.save(path, values)
    elif path.suffix == ".csv":
        np.savetxt(path, values, fmt="%.17g", delimiter=",")
    else:
        raise ValueError(f"--out must end with .npy or .csv, got {path}")


def _numbered(values: NDArray[Any], start: int) -> Iterator[list[str]]:
    for position, row in enumerate(values, start):
        yield [str(position), *(f"{value:.4f}" for value in row)]


def _print_rows(heads: list[str], rows: Iterator[list[str]]) -> None:
    shown = Table(box=None)
    for head in heads:
        shown.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        shown.add_row(*row)
    Console(highlight=False, width=WIDEST).print(shown)
