"""Dates and times in Swedish."""
