"""Belot Stats."""
