"""Dates as in the Swedish of Finland: day, month, year."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j.n.Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = r"j F Y \k\l. H:i"
SHORT_DATETIME_FORMAT = r"j.n.Y \k\l. H:i"
