"""Club masterpoint games: ACBL Handbook, chapter 4, and from 2023 on, where they pay by the boards played.

The figures are in ``club.toml`` and ``club-2023.toml``.
"""

from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("acbl_club/club.toml")
RULEBOOK_2023 = load_from_package("acbl_club/club-2023.toml")
