"""Dates that nobody can read the wrong way round, and times of the 24-hour clock, as on every clock in the room."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y H:i"
SHORT_DATETIME_FORMAT = "j M Y H:i"
