"""Rights to print."""

from tests.roles.table import ACCOUNT_NEVER, HEADS, Row

ROWS: dict[str, Row] = {
    "/organise/t/<slug:slug>/print/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/print/results/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/print/certificates/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/stage/<uuid:stage>/seats/print/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/stage/<uuid:stage>/print/seats/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
    "/organise/stage/<uuid:stage>/print/sheets/": {"GET": HEADS, "POST": ACCOUNT_NEVER},
}
