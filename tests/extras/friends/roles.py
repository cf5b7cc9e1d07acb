"""Rights to score a table of friends."""

from tests.roles.table import ALWAYS, Row

ROWS: dict[str, Row] = {"/score/": {"GET": ALWAYS, "POST": ALWAYS}}
