"""What a type checker says of a program that uses the library: mypy reads this with the package, and nobody runs it.

An error that does not come fails, too: the comment that passes over it is then one too many.
"""

import resultproc

KNOWN = (resultproc.process, resultproc.__version__)
MISSPELT = resultproc.proces  # type: ignore[attr-defined]
