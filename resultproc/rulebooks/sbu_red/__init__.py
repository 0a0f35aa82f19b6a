"""Red points of the Scottish Bridge Union for matches won. The figures are in ``red.toml``."""

from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("sbu_red/red.toml")
