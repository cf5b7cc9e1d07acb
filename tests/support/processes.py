"""Settings for processes beside a test, so that they find the test's own database."""

import os

from django.db import connection


def on_this_database() -> dict[str, str]:
    """Give the variables for the environment of such a process: the program's own settings, and where the database
    is."""
    name = connection.settings_dict["NAME"]
    server = os.environ["DATABASE_URL"].rpartition("/")[0]
    url = f"sqlite:///{name}" if connection.vendor == "sqlite" else f"{server}/{name}"
    return {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tournament.settings", "SECRET_KEY": "x"}
