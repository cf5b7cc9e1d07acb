"""Rights to export and import an event."""

from tests.roles.table import ACCOUNT_NEVER, ORGANISERS, STAFFS, Row

AS_EVERYBODY = {"/organise/t/<slug:slug>/archive/pages.zip"}
ROWS: dict[str, Row] = {
    "/organise/import-archive/": {"GET": STAFFS, "POST": STAFFS},
    "/organise/t/<slug:slug>/archive/": {"GET": ORGANISERS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/archive/event.zip": {"GET": ORGANISERS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/archive/pages.zip": {"GET": ORGANISERS, "POST": ACCOUNT_NEVER},
}
