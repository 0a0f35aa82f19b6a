"""Club games of 2017, as the league's own scoring program awarded them: regular ones and special ones.

The figures are in the TOML files beside these modules.
"""
