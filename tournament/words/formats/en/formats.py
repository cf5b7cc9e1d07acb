"""Dates that nobody can read the wrong way round, and times of the 24-hour clock without a leading zero: 9:05."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j M Y"
TIME_FORMAT = "G:i"
DATETIME_FORMAT = "j F Y G:i"
SHORT_DATETIME_FORMAT = "j M Y G:i"
