"""Virtual club games."""
