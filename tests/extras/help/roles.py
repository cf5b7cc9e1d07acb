"""Anyone reads the help."""

from tests.roles.table import ALWAYS, NEVER, Row

ROWS: dict[str, Row] = {
    "/help/": {"GET": ALWAYS, "POST": NEVER},
    "/help/<slug:topic>/": {"GET": ALWAYS, "POST": NEVER},
    "/help/client.py": {"GET": ALWAYS, "POST": NEVER},
}
