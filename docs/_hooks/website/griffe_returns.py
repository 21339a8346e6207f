"""Types of return values on the API pages, taken from the signatures.

A Google-style docstring may begin its `Returns:` section with a type and a colon. Ours begin with
a sentence, because the signature has the type; a colon in the sentence would be misread.
"""

import re
from typing import Any

from griffe import Extension, Function

RETURNS = re.compile(r"^Returns:\n +", re.MULTILINE)


class TypedReturns(Extension):
    """Put the type from the signature before the first sentence of `Returns:`."""

    def on_function(self, *, func: Function, **_: Any) -> None:
        """Edit the docstring of a function before it is parsed."""
        if func.docstring is not None and func.returns is not None:
            func.docstring.value = RETURNS.sub(
                lambda head: f"{head[0]}{func.returns}: ", func.docstring.value
            )
