"""Lastcard: tournaments of UNO."""

__version__ = "0.4.0.dev0"  # single source for pyproject.toml and archives
