"""Rights to bring players and results in from a file."""

from collections.abc import Mapping

from tests.roles.table import ACCOUNT_NEVER, HEADS, ORGANISERS, Row

NEEDS_ACCOUNT: dict[str, Mapping[str, object]] = {
    "/organise/t/<slug:slug>/results-import/": {},
}
ROWS: dict[str, Row] = {
    "/organise/t/<slug:slug>/players.xlsx": {"GET": ORGANISERS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/import/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/import/template.<slug:kind>": {"GET": ORGANISERS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/past-results/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/results-import/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/results-template.xlsx": {"GET": HEADS, "POST": ACCOUNT_NEVER},
}
