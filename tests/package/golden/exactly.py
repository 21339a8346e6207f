"""What golden vectors should be, by mpmath with 50 digits, from the parameters alone.

Nothing of the package is called here, and each formula is written another way where there is
one: a rotation is a complex product, a bucket is counted up from its neighbour.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from mpmath import ceil, cos, exp, expj, floor, inf, log, mp, mpf, pi, power, sin, sqrt
from numpy.typing import NDArray

from posenc.golden import Case

Parameters = Mapping[str, Any]


def expected(case: Case) -> NDArray[Any]:
    """Return the exact numbers of a case, an array of mpf, or integers."""
    by_family: dict[str, Callable[[Parameters], list[Any]]] = {
        "sinusoidal": sinusoidal,
        "inverse-frequencies": lambda p: omega(p["dim"], p["base"], p["exponent"]),
        "rotation": rotation,
        "scaling": lambda p: scaling(p, case.name),
        "alibi": alibi,
        "t5": buckets,
        "grid": grid,
    }
    with mp.workdps(50):
        return np.array(by_family[case.family](case.parameters))


def omega(d: int, base: Any, exponent: str = "paper") -> list[Any]:
    steps = d // 2 if exponent == "paper" else max(d // 2 - 1, 1)
    return [exp(-log(mpf(base)) * i / steps) for i in range(d // 2)]


def row(p: int, d: int, base: int, exponent: str, halves: bool) -> list[Any]:
    angles = [p * w for w in omega(d, base, exponent)]
    if halves:
        return [sin(a) for a in angles] + [cos(a) for a in angles]
    return [f(a) for a in angles for f in (sin, cos)]


def sinusoidal(p: Parameters) -> list[Any]:
    return [
        row(at + p["start"], p["d_model"], p["base"], p["exponent"], p["layout"] == "half")
        for at in p["positions"]
    ]


def grid(p: Parameters) -> list[Any]:
    halves, width = p["layout"] == "blocks", p["d_model"] // 2
    return [
        [one for a in p["order"] for one in row(xy[a], width, p["base"], p["exponent"], halves)]
        for xy in p["points"]
    ]


def vector(r: int, d: int) -> list[Any]:
    return [mpf((7 * c + 3 * r) % 17 - 8) / 8 for c in range(d)]


def rotation(p: Parameters) -> list[Any]:
    if "positions" not in p:
        return [vector(r, p["head_dim"]) for r in range(6)]
    turned, table = p["rotary_dim"], []
    for r, at in enumerate(p["positions"]):
        x = vector(r, p["head_dim"])
        for i, w in enumerate(omega(turned, p["base"])):
            a, b = (i, i + turned // 2) if p["layout"] == "half" else (2 * i, 2 * i + 1)
            z = (x[a] + 1j * x[b]) * expj(at * w)
            x[a], x[b] = z.real, z.imag
        table.append(x)
    return table


def scaling(p: Parameters, name: str) -> list[Any]:
    if name.startswith("scaling-ntk"):
        d, s = p["dim"], mpf(p["factor"])
        return [w * s ** (-mpf(i) / (d // 2 - 1)) for i, w in enumerate(omega(d, p["base"]))]
    config, length = p["config"], p["seq_len"]
    rule, d, s = config["rope_type"], config["head_dim"], mpf(config["factor"])
    base, original = mpf(config["rope_theta"]), config.get("original_max_position_embeddings")
    plain = omega(d, base)
    if name.endswith("attention-factor"):
        return [log(exp(10) * s) / 10 if rule == "yarn" else sqrt(log(s * original, original))]
    if rule == "linear":
        return [w / s for w in plain]
    if rule == "dynamic":
        most = config["max_position_embeddings"]
        growth = s * length / most - (s - 1)  # as the post has it
        return omega(d, base * power(growth, mpf(d) / (d - 2)))
    if rule == "longrope":
        factors = config["long_factor" if length > original else "short_factor"]
        return [w / mpf(f) for w, f in zip(plain, factors, strict=True)]
    if rule == "llama3":
        lows, highs = config["low_freq_factor"], config["high_freq_factor"]
        return [llama3(w, s, original / (2 * pi / w), lows, highs) for w in plain]
    assert rule == "yarn"

    def pair(turns: float) -> Any:
        return mpf(d) / 2 * log(original / (2 * pi * turns), base)

    first = max(floor(pair(config["beta_fast"])), 0)
    last = min(ceil(pair(config["beta_slow"])), d - 1)
    ramps = [min(max((i - first) / (last - first), 0), 1) for i in range(d // 2)]
    return [w * (1 - ramp + ramp / s) for w, ramp in zip(plain, ramps, strict=True)]


def llama3(w: Any, s: Any, turns: Any, lows: float, highs: float) -> Any:
    """Return one frequency by its case, as the authors do."""
    if turns < lows:
        return w / s
    if turns > highs:
        return w
    smooth = (turns - lows) / (highs - lows)
    return (1 - smooth) * w / s + smooth * w


def slopes(heads: int) -> list[Any]:
    """Return the slopes by products, as the authors do."""
    n = 2 ** int(floor(log(heads, 2)))
    first = power(2, -mpf(8) / n)
    listed = [first ** (h + 1) for h in range(n)]
    return listed if n == heads else listed + slopes(2 * n)[::2][: heads - n]


def alibi(p: Parameters) -> list[Any]:
    if "form" not in p:
        return slopes(p["n_heads"])
    places = range(p["q_len"])
    hidden = p["form"] == "causal"
    return [
        [[-inf if hidden and k > q else -m * abs(q - k) for k in places] for q in places]
        for m in slopes(p["n_heads"])
    ]


def buckets(p: Parameters) -> list[int]:
    directed = p["num_buckets"] // 2 if p["bidirectional"] else p["num_buckets"]
    exact = directed // 2

    def bucket(k: int) -> int:
        ahead = directed if p["bidirectional"] and k > 0 else 0
        n = abs(k) if p["bidirectional"] else max(-k, 0)
        if n < exact:
            return ahead + n
        # Boundaries are whole numbers here and there: 1e-40 is far above what 50 digits err.
        steps = log(mpf(n) / exact) / log(mpf(p["max_distance"]) / exact) * (directed - exact)
        return int(ahead + min(exact + int(floor(steps + mpf("1e-40"))), directed - 1))

    return [bucket(k) for k in p["relative_position"]]
