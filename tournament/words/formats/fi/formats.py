"""Times with a point, as Finnish writes them and as the browser does (toLocaleTimeString), of two digits each."""

DATE_FORMAT = "j. E Y"
SHORT_DATE_FORMAT = "j.n.Y"
TIME_FORMAT = "H.i"
DATETIME_FORMAT = r"j. E Y \k\l\o H.i"
SHORT_DATETIME_FORMAT = r"j.n.Y \k\l\o H.i"
