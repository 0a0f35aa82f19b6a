"""Swiss teams in club masterpoint games: match awards alone."""

from resultproc.rulebooks.load import load_from_package

RULEBOOK_2003 = load_from_package("acbl_club_swiss/swiss-2003.toml")
RULEBOOK_2015 = load_from_package("acbl_club_swiss/swiss-2015.toml")
