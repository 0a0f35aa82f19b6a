"""Classification points of the Polish Bridge Union. The figures are in ``pkl.toml``."""

from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("pzbs_pkl/pkl.toml")
