"""Dates and times in Finnish."""
