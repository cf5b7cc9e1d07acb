"""Finnish times: klo 9.05."""

DATE_FORMAT = "j. E Y"
SHORT_DATE_FORMAT = "j.n.Y"
TIME_FORMAT = "G.i"
DATETIME_FORMAT = r"j. E Y \k\l\o G.i"
SHORT_DATETIME_FORMAT = r"j.n.Y \k\l\o G.i"
