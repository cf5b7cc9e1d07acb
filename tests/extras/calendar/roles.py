"""Rights to the calendar and the feed."""

from tests.roles.table import NEVER, PUBLIC, Row

ROWS: dict[str, Row] = {
    "/t/<slug:slug>/programme.ics": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/programme/subscribe/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/results.atom": {"GET": PUBLIC, "POST": NEVER},
}
