"""Local points of the Scottish Bridge Union. The figures are in ``local.toml``."""

from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("sbu_club/local.toml")
