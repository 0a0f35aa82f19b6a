"""Club championships and fund games of 2011 to 2014."""

from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("acbl_club_fund/fund-2011.toml")
