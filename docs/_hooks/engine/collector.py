"""How often Python looks for objects that nothing leads to but they themselves.

Python 3.11 looks each time that there are 700 objects more, which is for every few lines of a
page. That was a twentieth of the time in which pages are checked and tests are run; a process took
no more memory when it looked as seldom as here.
"""

import gc

OBJECTS = 20_000  # more than before, until it looks at the new ones
TURNS = 20  # of these, until it looks at older ones


def look_seldom() -> None:
    """Look seldom from now on.

    What there is now is not frozen, as Hypothesis asks the collector who leads to an object.
    """
    gc.set_threshold(OBJECTS, TURNS, TURNS)
