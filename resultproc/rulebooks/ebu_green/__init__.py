"""Green points of the English Bridge Union. The figures are in ``green.toml``."""

from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("ebu_green/green.toml")
