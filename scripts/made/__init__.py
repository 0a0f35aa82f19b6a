"""Games that nobody played, and the files that scoring programs would keep of them: see ``scripts/make-fixtures``.

Nothing here ranks or awards by the package: places are counted as one would by hand, and what they pay is worked by
hand in :mod:`made.games`.
"""
