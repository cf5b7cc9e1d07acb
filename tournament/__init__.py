"""Lastcard: tournaments of UNO."""

__version__ = "0.2.0"  # single source for pyproject.toml and archives
