"""Club games of 2017, as the league's own scoring program awarded them: regular ones and special ones.

The figures stand in the TOML files beside these modules.
"""
