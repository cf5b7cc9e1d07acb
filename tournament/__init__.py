"""Lastcard: tournaments of UNO."""

__version__ = "0.3.0"  # single source for pyproject.toml and archives
