"""How each language writes dates and times (Django's FORMAT_MODULE_PATH), and what it has no format for."""

from datetime import datetime

from django.utils.formats import date_format, get_format


def to_the_minute(at: datetime) -> str:
    """The time of day in the reader's language: 14:30, in Finnish 14.30. Give it in the zone it is said in."""
    return date_format(at, "TIME_FORMAT")


def to_the_second(at: datetime) -> str:
    """The same with seconds: 14:30:05, in Finnish 14.30.05."""
    minutes = str(
        get_format("TIME_FORMAT")
    )  # H:i: between seconds and minutes stands what stands before them
    return date_format(at, f"{minutes}{minutes[-2]}s")
