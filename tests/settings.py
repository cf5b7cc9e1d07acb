"""Settings of a test run: the product's own, with data of its own and what is slow for safety's sake made quick.

A run never touches var/, and neither the developer's environment nor .env decides anything but DATABASE_URL, which
`python -m tests.support.postgres` sets.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
if WORKER:
    DATA = (
        Path(os.environ["LASTCARD_DATA"]) / WORKER
    )  # inside the folder of the process that started this one
    DATA.mkdir(exist_ok=True)
else:
    DATA = Path(tempfile.mkdtemp(prefix="lastcard-tests-"))
    atexit.register(shutil.rmtree, DATA, ignore_errors=True)

os.environ.setdefault("DATABASE_URL", f"sqlite:///{DATA / 'lastcard.sqlite3'}")
os.environ.update(
    LASTCARD_DATA=str(DATA),
    SECRET_KEY="a test run's",
    PUBLIC_URL="",
    PUBLISH="1",
    DEBUG="0",
    TRY="0",
    ALLOWED_HOSTS="*",
    WEBHOOKS="1",
    WEBHOOKS_ALLOW="",
    UPDATES_FROM="",
    HOUSE_RULES="",
    BACKUP_EVERY="0",
    BACKUP_HOOK="",
    BACKUP_FOLDER=str(DATA / "backups"),
)

from tournament.settings import *
from tournament.settings import DATABASES, STORAGES

# A file, as in production: threads of one test get connections of their own, which a database in memory cannot give.
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(DATA / "tests.sqlite3")}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
