"""Which declarations explain what a sheet prints: rating, limits of strata, games at the same time, rulebook."""
