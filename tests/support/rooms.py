"""The rooms of the house, from the ground up: a room may import only rooms on a line above its own."""

import re

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
    ("backup",),
    ("live",),
    ("files",),
    ("actions",),
    ("jobs",),
    ("practice",),
    ("forms", "templatetags"),
    ("pages",),
    ("api",),
    ("views",),
    ("extras",),
    ("apps", "settings", "urls", "wsgi"),
    ("asgi",),
    ("management",),
    ("__main__",),
)
OUTSIDE = ("migrations",)
FLOOR = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}


def as_core(path: str) -> str:
    """Where a file of an extra would lie in the core: `actions.py` or `actions/` on the floor of the actions; one that
    is named like no room stays on the floor of the extras."""
    return re.sub(
        r"tournament/extras/(\w+)/(\w+)",
        lambda found: f"tournament/{found[2]}/{found[1]}" if found[2] in FLOOR else found[0],
        path,
    )
