"""resultproc: duplicate bridge results, ranked and awarded under the rulebook in force."""
