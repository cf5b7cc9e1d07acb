"""Settings of a run against mutants: a test run's, with the database in memory, where each child has its own."""

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES

DATABASES["default"] = {
    **DATABASES["default"],
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": ":memory:",
    "TEST": {"NAME": ":memory:"},
}
