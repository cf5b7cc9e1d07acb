"""The rooms of the house, from the ground up: a room may import only rooms on a line above its own."""

# `rulesets` and `scoring` stand beside `tournament`; every other room is a folder or a module in it. Rooms on one line
# do not import each other. Landed migrations stand outside the floors: they import `ledger/triggers.py` alone.
ROOMS: tuple[tuple[str, ...], ...] = (
    ("rulesets", "__init__"),
    ("scoring", "seating"),
    ("models",),
    ("server",),
    ("results",),
    ("links", "permissions"),
    ("words",),
    ("ledger",),
    ("queries",),
    ("backup", "webhooks"),
    ("live",),
    ("files",),
    ("actions",),
    ("jobs",),
    ("practice",),
    ("forms", "templatetags"),
    ("pages",),
    ("api",),
    ("views",),
    ("admin",),
    ("extras",),
    ("apps", "settings", "urls", "wsgi"),
    ("asgi",),
    ("management",),
    ("__main__",),
)
OUTSIDE = ("migrations",)
