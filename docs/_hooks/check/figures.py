"""Figures: the code of a fence gives two drawings, one for light and one for dark pages.

The code runs once, in the colours of light pages, and each colour is then replaced by its
counterpart for dark pages. A figure with an image has its colours in pixels, so its code runs again
for dark pages. Matplotlib is imported inside functions, since that takes a second.
"""

import ast
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from check import figures_csv, formulas
from check.fences import Fence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Based on the palette of Okabe and Ito, which colour-blind readers can distinguish.
LIGHT = ("#0b62a4", "#c24e00", "#00795c", "#a3478b", "#8a6d00", "#3a8dc4")
DARK = ("#6cb6f5", "#ff9d5c", "#43c9a4", "#e79fd0", "#e8c54a", "#a8dcff")


def _make_theme(ink: str, colours: tuple[str, ...]) -> dict[str, Any]:
    cycle = ", ".join(f"'{colour}'" for colour in colours)
    return {
        "axes.edgecolor": ink,
        "axes.facecolor": "none",
        "axes.labelcolor": ink,
        "axes.prop_cycle": f"cycler(color=[{cycle}])",
        "figure.facecolor": "none",
        "font.size": 11,
        "legend.frameon": False,
        "savefig.facecolor": "none",
        "svg.fonttype": "path",  # an image cannot use the fonts of the page
        "svg.hashsalt": "posenc",  # the same ids, so the same bytes, in every process
        "text.color": ink,
        "xtick.color": ink,
        "ytick.color": ink,
    }


INK = {"light": "#24292f", "dark": "#d7dae0"}
THEMES = {"light": _make_theme(INK["light"], LIGHT), "dark": _make_theme(INK["dark"], DARK)}
DARK_FOR_LIGHT = dict(zip((INK["light"], *LIGHT), (INK["dark"], *DARK), strict=True))
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
IMAGE = "data:image/png"

# With its default metadata, such as the date, each build would give different files.
NO_METADATA = {"Creator": None, "Date": None, "Format": None, "Type": None}

REQUIRED = {
    "id": "write #fig-… in its braces, so that the text can link to it",
    "alt": 'write alt="…", the message of the figure for readers who cannot see it',
    "caption": 'write caption="…"',
}
MARKUP = re.compile(r"[\[\]$*_`<>]")
RUNS_TWICE = "its code runs once for each theme, so create the figure there, without randomness"
REPEATED_ID = "the id {} is used twice on this page; give this figure another"


def check_header(fence: Fence) -> str | None:
    """Return an error message if the header of a figure is incomplete or invalid."""
    for attribute, remedy in REQUIRED.items():
        if not fence.attributes.get(attribute, "").strip():
            return f"a figure without {attribute}; {remedy}"
    if unknown := set(fence.attributes) - set(REQUIRED):
        names = ", ".join(sorted(unknown))
        return f"unknown in the braces of a figure: {names}; it has #id, alt and caption"
    if markup := MARKUP.search(fence.attributes["alt"]):
        return f"{markup[0]} in alt text, which is plain text; write it in words"
    caption = fence.attributes["caption"]
    if "][" in caption:
        return "a reference in a caption has no effect; put it into the text"
    try:
        for formula in formulas.INLINE.finditer(caption):
            formulas.convert_to_mathml(formula["tex"], display=False)
    except ValueError as error:
        return str(error)
    return None


@dataclass
class Drawing:
    """A figure as SVG text for each theme, its size in CSS pixels, and its numbers as CSV."""

    svg: dict[str, str]
    width: int
    height: int
    data: str


def draw(source: str, path: str, line: int) -> Drawing:
    """Return the drawing of a figure's code, whose last expression is the figure.

    Raises ValueError if there is no figure, or an empty one. `path` and `line` give the place of
    the code for tracebacks.
    """
    return draw_themes(compile_figure(source, path, line))


def compile_figure(source: str, path: str = "<figure>", line: int = 0) -> Callable[[], object]:
    """Return a function that runs the code of a figure, in a namespace of its own."""
    module = ast.parse("\n" * line + source, path)
    if not module.body or not isinstance(module.body[-1], ast.Expr):
        raise ValueError("a figure ends with an expression that is a matplotlib Figure")
    last = ast.Expression(module.body.pop().value)  # type: ignore[attr-defined]

    def run() -> object:
        namespace: dict[str, Any] = {"__name__": "__figure__"}
        exec(compile(module, path, "exec"), namespace)
        return eval(compile(last, path, "eval"), namespace)

    return run


def draw_themes(run: Callable[[], object]) -> Drawing:
    """Return the drawing of the figure that a function returns each time it is called.

    Raises ValueError if it isn't a figure, differs in its numbers, or ignores the theme.
    """
    figure, light, data = draw_theme(run, "light")
    if IMAGE in light:
        _, dark, dark_data = draw_theme(run, "dark", like=figure)
        if data != dark_data:
            raise ValueError(f"the figure shows different numbers the second time; {RUNS_TWICE}")
    else:
        dark = recolour_for_dark(light)
    if light == dark:
        raise ValueError(f"the figure is the same on light and on dark pages; {RUNS_TWICE}")
    width, height = _read_size(light)
    return Drawing({"light": light, "dark": dark}, width, height, data)


def draw_theme(
    run: Callable[[], object], theme: str, like: "Figure | None" = None
) -> tuple["Figure", str, str]:
    """Return a figure drawn in a theme, as SVG, and its numbers as CSV.

    `like` is the same figure in another theme, whose layout is used again.
    """
    from matplotlib import style

    with style.context(["default", THEMES[theme]]):
        figure = _check_figure(run())
        svg = _render_svg(figure, like)
        return figure, svg, figures_csv.write_csv(figure)  # reads C0 as a colour of the theme


def recolour_for_dark(light: str) -> str:
    """Return a drawing for light pages in the colours of dark pages."""
    return COLOUR.sub(lambda colour: DARK_FOR_LIGHT.get(colour[0], colour[0]), light)


def _check_figure(figure: object) -> "Figure":
    """Return the value if it is a figure with data; raise ValueError otherwise."""
    from matplotlib.figure import Figure

    if not isinstance(figure, Figure):
        raise ValueError(
            f"a figure is a matplotlib Figure, got {type(figure).__name__}; end with a call of a "
            "function of posenc.plots, or with a Figure of your own"
        )
    if not any(axes.has_data() for axes in figure.axes):
        raise ValueError("the figure is empty: no axes have data; draw on figure.subplots()")
    return figure


def _render_svg(figure: "Figure", like: "Figure | None") -> str:
    """Return a figure as SVG.

    The result is that of `savefig`, which would draw the figure twice to lay it out.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure.set_facecolor("none")
    canvas, file = FigureCanvasSVG(figure), io.StringIO()
    dpi = figure.dpi  # SVG functions set it to 72
    if layout := figure.get_layout_engine():
        if like and len(like.axes) == len(figure.axes):
            for axes, laid_out in zip(figure.axes, like.axes, strict=True):
                axes.set_position(laid_out.get_position(original=True))
        else:
            layout.execute(figure)
        figure.set_layout_engine("none")
        figure.dpi = dpi  # of images
    canvas.print_svg(file, metadata=NO_METADATA)
    figure.dpi = dpi  # for reading its numbers
    return file.getvalue()


def _read_size(svg: str) -> tuple[int, int]:
    """Return width and height in CSS pixels of an SVG, which has them in points."""
    tag = svg[svg.index("<svg") :].partition(">")[0]
    height, width = (
        round(float(points) * 96 / 72)
        for _, points in sorted(re.findall(r' (width|height)="([\d.]+)pt"', tag))
    )
    return width, height
