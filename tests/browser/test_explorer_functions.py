"""Two explorers depend on more than a few gestures show: buckets, and lists of libraries."""

import posenc
from tests.book.test_conventions import read_table
from tests.browser.explorers import call_function

OFFSETS = [*range(-300, 301), -5000, 5000]


def test_buckets_of_t5_are_those_of_posenc(site_tab, address):
    settings = [
        (both, buckets, far)
        for both in (True, False)
        for buckets in (4, 6, 20, 32, 36, 64)
        for far in (33, 40, 100, 128, 392, 1024)
        if far > (buckets // 2 if both else buckets) // 2
    ]
    names = ("bidirectional", "numBuckets", "maxDistance")
    calls = [(OFFSETS, dict(zip(names, options, strict=True))) for options in settings]
    found = call_function(site_tab, address, "biases.relativePositionBucket", calls)
    for (both, count, far), buckets in zip(settings, found, strict=True):
        exact = posenc.relative_position_bucket(
            OFFSETS, bidirectional=both, num_buckets=count, max_distance=far
        )
        assert buckets == exact.tolist(), (both, count, far)


# What the tables of the page call the settings of the switchboard.
LAYOUTS = {
    "interleaved": ("interleaved", "sines"),
    "half": ("half", "sines"),
    "half, cosines first": ("half", "cosines"),
}
EXPONENTS = {"2i/d": "paper", "i/(d/2-1)": "tensor2tensor"}


def test_the_switchboard_lists_libraries_as_the_tables_of_its_page(site_tab, address):
    lists = site_tab.evaluate(
        """async url => {
             const { ADDED, ROTARY } = await import(url);
             return [ADDED, ROTARY].map(lines => Object.fromEntries(lines.flatMap(
               ({ libraries, settings }) => libraries.map(name => [name, settings]))));
           }""",
        f"{address}assets/scripts/explorers/parts/conventions.js",
    )
    added = dict[str, dict[str, str | int]]()
    for library, _, channels, exponent, start, _ in read_table("library", "added"):
        layout, order = LAYOUTS[channels]
        size = "root" if library == "x-transformers" else "one"  # **Size.** on the page
        added[library] = {"layout": layout, "order": order, "exponent": EXPONENTS[exponent]}
        added[library] |= {"start": int(start), "size": size}
    rotary = {
        library: {"layout": pairs, "halves": pairs == "half" or library == "DeepSeek-V3"}
        for library, _, pairs, *_ in read_table("library", "rotary")
    }
    assert lists == [added, rotary]
