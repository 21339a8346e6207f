"""The experiments: which models are trained on what, and how they are tested.

Each experiment is data, a `Setting` for each model. Nothing is run here.
"""

from typing import NamedTuple

from posenc.experiments.encodings import Encoding, Encodings
from posenc.experiments.model import Shape
from posenc.experiments.tasks import CHARACTERS, NAMES, VALUES
from posenc.experiments.training import Plan

LENGTH = 32  # of the training of look_back and fading


class Trial(NamedTuple):
    """A test of a trained model."""

    name: str
    seq_len: int
    last: int | None = None  # places at the end that are asked; all
    encoding: Encoding | None = None  # instead of that of training
    sentences: int = 512  # a multiple of 64


class Reading(NamedTuple):
    """A test of a trained model on the unseen text: its loss, by place."""

    name: str
    seq_len: int
    encoding: Encoding | None = None  # instead of that of training


class Setting(NamedTuple):
    """A model, its training and its tests."""

    task: str  # a function of `tasks`
    encoding: Encodings
    shape: Shape
    plan: Plan
    tests: tuple[Trial, ...] | tuple[Reading, ...]


class Experiment(NamedTuple):
    """A question, and the models that answer it."""

    question: str
    settings: dict[str, Setting]
    seeds: int = 5


def _order() -> Experiment:
    words = Shape(vocabulary=10, classes=2, pooled=True)
    plan = Plan(steps=500, seq_len=16)
    models = {
        "none": Encoding("none"),
        "learned": Encoding("learned", train_len=16),
        "sinusoidal": Encoding("sinusoidal"),
        "rope": Encoding("rope", train_len=16),
        "alibi": Encoding("alibi"),
        "t5": Encoding("t5"),
    }
    tests = (Trial("accuracy", 16, sentences=4096),)
    settings = {
        name: Setting("which_first", encoding, words, plan, tests)
        for name, encoding in models.items()
    }
    for name in ("none", "alibi"):
        causal = words._replace(causal=True)
        settings[f"{name}, causal"] = Setting("which_first", models[name], causal, plan, tests)
    return Experiment("Which of two words comes first: who can tell?", settings)


def _bags() -> Experiment:
    plan = Plan(steps=500, seq_len=8)
    settings = {}
    for task, short in (("more_good", "words"), ("more_praise", "words and not")):
        for name in ("none", "sinusoidal", "rope"):
            settings[f"{short}: {name}"] = Setting(
                task,
                Encoding(name, train_len=8),
                Shape(vocabulary=4, classes=2, pooled=True),
                plan,
                (Trial("accuracy", 8, sentences=4096),),
            )
    return Experiment(
        "Reviews, with and without a word that turns the next: who needs order?", settings
    )


def _lengths() -> Experiment:
    settings = {}
    names = ("none", "learned", "hybrid", "sinusoidal", "rope", "alibi", "t5")
    for task, vocabulary in (("look_back", 8), ("fading", 2)):
        shape = Shape(vocabulary, classes=vocabulary, causal=True)
        for name in names:
            encoding = Encoding(name, train_len=LENGTH)
            tests = _longer(encoding) if name == "rope" else _longer()
            plan = Plan(steps=500, seq_len=LENGTH)
            settings[f"{task}: {name}"] = Setting(task, encoding, shape, plan, tests)
    # Some have not done with look_back by then.
    for name in ("sinusoidal", "rope", "t5", "alibi"):
        once = settings[f"look_back: {name}"]
        settings[f"look_back, longer: {name}"] = once._replace(plan=once.plan._replace(steps=3000))
    return Experiment("Trained on 32 words, tested on up to 256: who goes on?", settings)


def _longer(rope: Encoding | None = None) -> tuple[Trial, ...]:
    """Return tests of 1, 2, 4 and 8 times the length, each of the second half of its places."""
    times = (1, 2, 4, 8)
    tests = [Trial(f"x{m}", m * LENGTH, last=m * LENGTH // 2, sentences=256) for m in times]
    stretched = {"interpolated": "linear", "yarn": "yarn"} if rope else {}
    for label, kind in stretched.items():
        for m in times[1:]:
            encoding = rope._replace(rope_type=kind, factor=float(m)) if rope else None
            tests.append(Trial(f"x{m}, {label}", m * LENGTH, m * LENGTH // 2, encoding, 256))
    return tuple(tests)


def _make_place_settings() -> Experiment:
    waves = Encoding("sinusoidal")
    ways = {
        "added": waves,
        "added, halves": waves._replace(layout="half"),
        "beside": waves._replace(place="joined"),
        "beside, halves": waves._replace(place="joined", layout="half"),
        "after": waves._replace(place="projected"),
        "rope": Encoding("rope", train_len=LENGTH),
        "rope, halves": Encoding("rope", train_len=LENGTH, layout="half"),
    }
    settings = {}
    for steps in (100, 400):
        for name, encoding in ways.items():
            joined = 8 if encoding.place == "joined" else 0
            settings[f"{steps} steps: {name}"] = Setting(
                "look_back",
                encoding,
                Shape(vocabulary=8, classes=8, causal=True, joined=joined),
                Plan(steps=steps, seq_len=LENGTH),
                (Trial("accuracy", LENGTH),),
            )
    return Experiment(
        "Where does a code enter, and does the order of its channels matter?", settings
    )


def _tables() -> Experiment:
    settings = {
        f"{start}, {steps} steps": Setting(
            "look_back",
            Encoding("learned", train_len=LENGTH, start=start),
            Shape(vocabulary=8, classes=8, causal=True),
            Plan(steps=steps, seq_len=LENGTH),
            (Trial("accuracy", LENGTH),),
        )
        for start in ("random", "sinusoidal")
        for steps in (100, 1000)
    }
    return Experiment("What does a learned table look like after training?", settings)


def _wrong() -> Experiment:
    codes = {
        "sinusoidal": Encoding("sinusoidal"),
        "wrong: precedence": Encoding("wrong: precedence"),
        "wrong: own exponents": Encoding("wrong: own exponents"),
        "wrong: noise": Encoding("wrong: noise"),
        "rope": Encoding("rope", train_len=LENGTH),
        "wrong: mixed layouts": Encoding("wrong: mixed layouts"),
    }
    settings = {
        name: Setting(
            "look_back",
            encoding,
            Shape(vocabulary=8, classes=8, causal=True),
            Plan(steps=500, seq_len=LENGTH),
            _longer(),
        )
        for name, encoding in codes.items()
    }
    return Experiment("Does the loss tell a wrong encoding from a right one?", settings)


def _bases() -> Experiment:
    settings = {}
    for task, vocabulary in (("look_back", 8), ("fading", 2)):
        for base in (100.0, 1000.0, 10_000.0, 500_000.0):
            settings[f"{task}: {base:.0f}"] = Setting(
                task,
                Encoding("rope", train_len=LENGTH, base=base),
                Shape(vocabulary, classes=vocabulary, causal=True),
                Plan(steps=500, seq_len=LENGTH),
                _longer(),
            )
    return Experiment(
        "Does the base of RoPE matter, inside and beyond the training length?", settings
    )


def _text() -> Experiment:
    shape = Shape(CHARACTERS, classes=CHARACTERS, causal=True)
    plan = Plan(steps=2000, batch=8, seq_len=2 * LENGTH, rate=8e-3)
    settings = {}
    for name in ("none", "learned", "hybrid", "sinusoidal", "rope", "alibi", "t5"):
        encoding = Encoding(name, train_len=plan.seq_len)
        tests = (Reading("plain", 8 * plan.seq_len),)
        settings[name] = Setting("text", encoding, shape, plan, tests)
    rope, alibi = settings["rope"], settings["alibi"]
    encoding = Encoding("rope", train_len=plan.seq_len)
    for base in (100.0, 500_000.0):
        settings[f"rope, base {base:.0f}"] = rope._replace(encoding=encoding._replace(base=base))
    settings["rope"] = rope._replace(tests=(*tests, *_stretched(encoding)))
    # A fifth of the training: is it the same story?
    for name, once in (("rope", rope), ("alibi", alibi)):
        settings[f"{name}, early"] = once._replace(plan=plan._replace(steps=400))
    return Experiment("Trained on 64 characters of a text, read on to 512: who goes on?", settings)


def _windows() -> Experiment:
    text = _text().settings["alibi"]
    settings = {
        name: text._replace(encoding=Encoding(name, train_len=text.plan.seq_len))
        for name in ("window of 16", "rope, window of 16", "rope, window of 64")
    }
    return Experiment(
        "Does a hard window go on beyond the training length, as ALiBi does?", settings
    )


def _layers() -> Experiment:
    rope, none = Encoding("rope", train_len=LENGTH), Encoding("none")
    settings = {
        f"{first.name}, {second.name}": Setting(
            "recall",
            (first, second),
            Shape(vocabulary=VALUES + NAMES, classes=VALUES, heads=2, causal=True),
            Plan(steps=1500, seq_len=LENGTH),
            _longer(),
        )
        for first, second in ((rope, rope), (rope, none), (none, rope), (none, none))
    }
    # From some seeds, these are still learning by then.
    for name in ("rope, rope", "rope, none"):
        once = settings[name]
        settings[f"longer: {name}"] = once._replace(plan=once.plan._replace(steps=3000))
    return Experiment("Does a layer without positions go on where RoPE fails?", settings)


def _stretched(rope: Encoding) -> tuple[Reading, ...]:
    """Return readings of 2, 4 and 8 times the length with frequencies stretched as much."""
    return tuple(
        Reading(
            f"{label}, x{m}", m * rope.train_len, rope._replace(rope_type=kind, factor=float(m))
        )
        for label, kind in (("interpolated", "linear"), ("yarn", "yarn"))
        for m in (2, 4, 8)
    )


EXPERIMENTS = {
    "order": _order(),
    "bags": _bags(),
    "lengths": _lengths(),
    "places": _make_place_settings(),
    "tables": _tables(),
    "wrong": _wrong(),
    "text": _text(),
    "bases": _bases(),
    "windows": _windows(),
    "layers": _layers(),
}
