"""Formats of dates and times in each language (Django's FORMAT_MODULE_PATH), and functions for further formats."""

from datetime import datetime

from django.utils.formats import date_format, get_format


def to_the_minute(at: datetime) -> str:
    """Write the time of day in the reader's language: 9:05, in Finnish and Swedish 9.05. Pass it in the zone to
    show."""
    return date_format(at, "TIME_FORMAT")


def to_the_second(at: datetime, form: str = "TIME_FORMAT") -> str:
    """Write the time of day, or another form that ends with it, with seconds: 9:05:09, in Finnish 9.05.09."""
    minutes = str(get_format(form))  # G:i: the sign before the minutes also separates the seconds
    return date_format(at, f"{minutes}{minutes[-2]}s")
