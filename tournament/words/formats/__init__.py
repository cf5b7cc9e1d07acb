"""Date and time formats per language (FORMAT_MODULE_PATH), and further ones."""

from datetime import datetime

from django.utils.formats import date_format, get_format


def to_the_minute(at: datetime) -> str:
    """Localised time: 9:05, in Finnish and Swedish 9.05. Pass it in the zone to show."""
    return date_format(at, "TIME_FORMAT")


def to_the_second(at: datetime, form: str = "TIME_FORMAT") -> str:
    """The same or another `form` with seconds: 9:05:09, in Finnish 9.05.09."""
    minutes = str(get_format(form))  # G:i: its separator precedes the seconds too
    return date_format(at, f"{minutes}{minutes[-2]}s")
