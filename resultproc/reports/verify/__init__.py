"""Seals, and whether what a sealed file shows follows from its own data."""
