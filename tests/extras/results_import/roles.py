"""Rights to bring results in from a file."""

from collections.abc import Mapping

from tests.roles.table import ACCOUNT_NEVER, HEADS, Row

NEEDS_ACCOUNT: dict[str, Mapping[str, object]] = {
    "/organise/t/<slug:slug>/results-import/": {},
}
ROWS: dict[str, Row] = {
    "/organise/t/<slug:slug>/results-import/": {"GET": HEADS, "POST": HEADS},
    "/organise/t/<slug:slug>/results-template.xlsx": {"GET": HEADS, "POST": ACCOUNT_NEVER},
}
