"""What a function returns, on the API pages: its annotation, and then the words of the docstring.

In the style of Google a docstring may give a type before the first colon. Ours has its types
in the signature, and begins with a sentence, whose colon would cut it into a type and the rest.
"""

import re
from typing import Any

from griffe import Extension, Function

RETURNS = re.compile(r"^Returns:\n +", re.MULTILINE)


class Returned(Extension):
    """Have each docstring name the type that the signature does."""

    def on_function(self, *, func: Function, **_: Any) -> None:
        """Put the annotation before the first sentence."""
        if func.docstring is not None and func.returns is not None:
            told = RETURNS.sub(lambda head: f"{head[0]}{func.returns}: ", func.docstring.value)
            func.docstring.value = told
