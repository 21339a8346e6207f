"""How often Python looks for objects that nothing leads to but they themselves.

By default it looks each time that there are 700 objects more, which is for every few lines of a
page, and each hundredth time at all that the process has. That costs some twentieth of the time in
which pages are checked and tests are run, for memory that is free soon anyway.
"""

import gc

OBJECTS = 20_000  # more than before, until it looks at the new ones
TURNS = 20  # of these, until it looks at older ones


def look_seldom() -> None:
    """Look seldom from now on.

    What there is now is not frozen, as Hypothesis asks the collector who leads to an object.
    """
    gc.set_threshold(OBJECTS, TURNS, TURNS)
