"""Append-only triggers of the ledger, created by migration 0001. An SQLite table rebuild must recreate them; `verify`
reports missing ones."""

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE = "tournament_ledgerrow"
WORDS = "the ledger is append-only"

CREATE = {
    "sqlite": [
        f"CREATE TRIGGER IF NOT EXISTS ledger_no_update BEFORE UPDATE ON {TABLE} "
        f"BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
        f"CREATE TRIGGER IF NOT EXISTS ledger_no_delete BEFORE DELETE ON {TABLE} "
        f"BEGIN SELECT RAISE(ABORT, '{WORDS}'); END",
    ],
    "postgresql": [
        "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{WORDS}'; END $$",
        f"CREATE OR REPLACE TRIGGER ledger_no_update BEFORE UPDATE ON {TABLE} "
        "FOR EACH ROW EXECUTE FUNCTION ledger_refuse()",
        f"CREATE OR REPLACE TRIGGER ledger_no_delete BEFORE DELETE ON {TABLE} "
        "FOR EACH ROW EXECUTE FUNCTION ledger_refuse()",
    ],
}
DROP = {
    "sqlite": ["DROP TRIGGER IF EXISTS ledger_no_update", "DROP TRIGGER IF EXISTS ledger_no_delete"],
    "postgresql": [
        f"DROP TRIGGER IF EXISTS ledger_no_update ON {TABLE}",
        f"DROP TRIGGER IF EXISTS ledger_no_delete ON {TABLE}",
    ],
}
COUNT = {
    "sqlite": "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'ledger_no_%'",
    "postgresql": "SELECT count(*) FROM pg_trigger WHERE tgrelid = 'tournament_ledgerrow'::regclass "
    "AND tgname LIKE 'ledger_no_%' AND tgenabled <> 'D'",
}


def create(connection: BaseDatabaseWrapper) -> None:
    """Create the triggers; existing ones stay."""
    _run(connection, CREATE)


def drop(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers, for tests, table rebuilds and purge."""
    _run(connection, DROP)


def present(connection: BaseDatabaseWrapper) -> bool:
    """Whether both triggers exist and are enabled."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT[connection.vendor])
        row = cursor.fetchone()
    return bool(row and row[0] == 2)


def _run(connection: BaseDatabaseWrapper, statements: dict[str, list[str]]) -> None:
    with connection.cursor() as cursor:
        for statement in statements[connection.vendor]:
            cursor.execute(statement)
