"""The masterpoint chart."""
