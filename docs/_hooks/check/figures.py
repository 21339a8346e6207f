"""Figures: a fence of code becomes two drawings, one for light and one for dark pages.

It is drawn once, in the colours of light pages, and each of these has one for dark pages that
takes its place. Where a figure holds an image, whose colours are in its pixels, its code is
run again. Matplotlib takes a second to import, so that is done where something is drawn.
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

# The colours of Okabe and Ito, told apart by colour-blind readers; on dark ground, lighter.
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
DARKER = dict(zip((INK["light"], *LIGHT), (INK["dark"], *DARK), strict=True))
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
IMAGE = "data:image/png"

# What Matplotlib would write of itself and of the hour would make every build differ.
NO_METADATA = {"Creator": None, "Date": None, "Format": None, "Type": None}


REQUIRED = {
    "id": "write #fig-… in its braces, so that text can link to it",
    "alt": 'write alt="…", the message of the figure for those who cannot see it',
    "caption": 'write caption="…"',
}
MARKUP = re.compile(r"[\[\]$*_`<>]")
DRAWN_TWICE = (
    "its code is run twice, for light and dark pages: make it there, from numbers that stay"
)


def check_header(fence: Fence) -> str | None:
    """Return what the braces of a figure lack, if anything."""
    for attribute, remedy in REQUIRED.items():
        if not fence.attributes.get(attribute, "").strip():
            return f"a figure without {attribute}; {remedy}"
    if strange := set(fence.attributes) - set(REQUIRED):
        said = ", ".join(sorted(strange))
        return f"a figure has #id, alt and caption; unknown in the braces of a figure: {said}"
    if markup := MARKUP.search(fence.attributes["alt"]):
        return f"{markup[0]} in alt text, which is plain text; say it in words"
    caption = fence.attributes["caption"]
    if "][" in caption:
        return "a reference in a caption is not followed; put it into the text"
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
    """Return what the code of a figure draws; its last expression is the figure.

    Raises ValueError where there is no figure, or nothing on it. `path` and `line`
    say where the code stands, for tracebacks.
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
    """Return what code draws that returns a figure each time it is run.

    Raises ValueError where it is none, or another each time, or one that has no theme.
    """
    figure, light, data = draw_theme(run, "light")
    if IMAGE in light:
        _, dark, again = draw_theme(run, "dark", like=figure)
        if data != again:
            raise ValueError(f"the figure shows other numbers the second time; {DRAWN_TWICE}")
    else:
        dark = recolour_for_dark(light)
    if light == dark:
        raise ValueError(f"the figure is the same on light and on dark pages; {DRAWN_TWICE}")
    width, height = _read_size(light)
    return Drawing({"light": light, "dark": dark}, width, height, data)


def draw_theme(
    run: Callable[[], object], theme: str, like: "Figure | None" = None
) -> tuple["Figure", str, str]:
    """Return what code draws for pages of a theme: the figure, as SVG, and its numbers as CSV.

    It is laid out as the figure that the same code drew before, if there is one.
    """
    from matplotlib import style

    with style.context(["default", THEMES[theme]]):
        figure = _check_figure(run())
        svg = _render_svg(figure, like)
        return figure, svg, figures_csv.write_csv(figure)  # where C0 is still the colour drawn


def no_figure(got: str) -> str:
    """Return what is wrong with code that ends with something else."""
    return (
        f"a figure is a matplotlib Figure, got {got}; "
        "its last line is what a function of posenc.plots returns, or a Figure of your own"
    )


def recolour_for_dark(light: str) -> str:
    """Return a drawing for light pages as it is on dark ones."""
    return COLOUR.sub(lambda colour: DARKER.get(colour[0], colour[0]), light)


def _check_figure(figure: object) -> "Figure":
    """Return what code ended with, if that is a figure on which there is something."""
    from matplotlib.figure import Figure

    if not isinstance(figure, Figure):
        raise ValueError(no_figure(type(figure).__name__))
    if not any(axes.has_data() for axes in figure.axes):
        raise ValueError("the figure is empty: no axes with data on it; draw on figure.subplots()")
    return figure


def _render_svg(figure: "Figure", like: "Figure | None") -> str:
    """Return a figure as SVG.

    As `savefig` does, which draws all of it once more before, only to have it laid out.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure.set_facecolor("none")
    canvas, file = FigureCanvasSVG(figure), io.StringIO()
    dots = figure.dpi  # an inch; whatever has to do with SVG leaves 72 there
    if layout := figure.get_layout_engine():
        if like and len(like.axes) == len(figure.axes):
            for axes, laid_out in zip(figure.axes, like.axes, strict=True):
                axes.set_position(laid_out.get_position(original=True))
        else:
            layout.execute(figure)
        figure.set_layout_engine("none")
        figure.dpi = dots  # of images
    canvas.print_svg(file, metadata=NO_METADATA)
    figure.dpi = dots  # in which its numbers are read
    return file.getvalue()


def _read_size(svg: str) -> tuple[int, int]:
    """Return width and height in CSS pixels; the SVG gives points, 72 to the inch."""
    tag = svg[svg.index("<svg") :].partition(">")[0]
    height, width = (
        round(float(points) * 96 / 72)
        for _, points in sorted(re.findall(r' (width|height)="([\d.]+)pt"', tag))
    )
    return width, height
