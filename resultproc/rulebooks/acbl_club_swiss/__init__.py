"""Swiss teams in club masterpoint games: match awards alone."""
