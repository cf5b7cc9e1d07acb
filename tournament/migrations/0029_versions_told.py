from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLES = ("tournament_tournament", "tournament_stage")


def tell_versions(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Notify of each new version at commit; live/poller.py listens. On SQLite versions are only polled."""
    if editor.connection.vendor != "postgresql":
        return
    editor.execute(
        "CREATE OR REPLACE FUNCTION tell_version() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN PERFORM pg_notify('versions', NEW.uid || ' ' || NEW.version); RETURN NULL; END $$"
    )
    for table in TABLES:
        editor.execute(
            f"CREATE OR REPLACE TRIGGER version_told AFTER UPDATE OF version ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION tell_version()"
        )


def tell_nothing(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        for table in TABLES:
            editor.execute(f"DROP TRIGGER IF EXISTS version_told ON {table}")
        editor.execute("DROP FUNCTION IF EXISTS tell_version()")


class Migration(migrations.Migration):
    dependencies = [("tournament", "0028_typing_game")]

    operations = [migrations.RunPython(tell_versions, tell_nothing)]
