"""Virtual club games."""

from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("acbl_online_club/online.toml")
