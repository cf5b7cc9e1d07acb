"""Keep this version's demo database for the tests of later versions: `python -m tests.support.upgrade`.

Writes fixtures/upgrade/<last migration's number>-demo.sql.gz from an empty SQLite database with the demo events. The
password of the demo's referee is taken out.
"""

import gzip
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "fixtures" / "upgrade"
NEWEST = max(path.stem for path in (ROOT / "tournament" / "migrations").glob("[0-9]*.py"))
FIRST, *_, LATE = (  # of the latest some migrations are left
    path for path in sorted(FOLDER.glob("*.sql.gz")) if path.name[:4] < NEWEST[:4]
)
PASSWORD = re.compile(r"'(?:argon2|pbkdf2_sha256)\$[^']*'")


def write() -> Path:
    """Write the file for the newest migration; gives its path."""
    with tempfile.TemporaryDirectory() as data:
        database = Path(data) / "lastcard.sqlite3"
        environment = os.environ | {"LASTCARD_DATA": data, "DATABASE_URL": f"sqlite:///{database}"}
        for command in (["migrate", "--verbosity", "0"], ["make_demo"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True)
        connection = sqlite3.connect(database)
        text, passwords = PASSWORD.subn("'!'", "\n".join(connection.iterdump()))
        connection.close()
    if passwords != 1:
        raise SystemExit(f"Expected the password of the demo's referee alone, found {passwords}.")
    file = FOLDER / f"{NEWEST[:4]}-demo.sql.gz"
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
    return file


if __name__ == "__main__":
    print(write().relative_to(ROOT))
