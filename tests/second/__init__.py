"""Second implementations of regulations, one game at a time in plain fractions, that share nothing with the package.

The tests hold the package to them, and ``scripts/make-conformance`` takes from them what is expected of random games.
"""
