"""Unambiguous dates; 24-hour times: 9:05."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j M Y"
TIME_FORMAT = "G:i"
DATETIME_FORMAT = "j F Y G:i"
SHORT_DATETIME_FORMAT = "j M Y G:i"
