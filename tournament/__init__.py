"""Lastcard: tournaments of UNO."""

__version__ = "0.2.0"  # the one place; pyproject.toml and archives read it here
