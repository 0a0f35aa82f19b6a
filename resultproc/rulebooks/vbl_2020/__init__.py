"""Masterpoints of the Vlaamse Bridge Liga, Flanders. The figures are in ``vbl.toml``."""

from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("vbl_2020/vbl.toml")
