"""Anyone reads public data."""

from tests.roles.table import NEVER, PUBLIC, Row

ROWS: dict[str, Row] = {
    "/t/<slug:slug>/data.xlsx": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/data.zip": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/results/<int:version>/": {"GET": PUBLIC, "POST": NEVER},
    "/t/<slug:slug>/results/<int:version>.xlsx": {"GET": PUBLIC, "POST": NEVER},
}
