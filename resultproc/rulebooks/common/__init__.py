"""Mechanisms that several regulations share."""
