"""Who may copy the pages."""

from tests.roles.table import ACCOUNT_NEVER, ORGANISERS, Row

ROWS: dict[str, Row] = {
    "/organise/t/<slug:slug>/archive/pages.zip": {"GET": ORGANISERS, "POST": ACCOUNT_NEVER},
}
