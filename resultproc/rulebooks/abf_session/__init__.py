"""Session awards of the Australian Bridge Federation. The figures are in ``session.toml``."""

from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("abf_session/session.toml")
