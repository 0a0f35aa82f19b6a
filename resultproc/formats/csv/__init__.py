"""Comma-, semicolon- or tab-separated values."""
