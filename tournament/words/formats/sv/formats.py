"""Finland's Swedish: kl. 9.05."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j.n.Y"
TIME_FORMAT = "G.i"
DATETIME_FORMAT = r"j F Y \k\l. G.i"
SHORT_DATETIME_FORMAT = r"j.n.Y \k\l. G.i"
