"""The process's one SQLite: pysqlite3 if installed, else Python's. Two would drop each other's file locks."""

import sys
from importlib.util import find_spec

if find_spec("pysqlite3"):
    import pysqlite3.dbapi2

    sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, pysqlite3.dbapi2
import sqlite3

__all__ = ["WAL", "sqlite3"]

# Write-ahead log; before SQLite 3.51.3 its reset can rarely corrupt the database, hence a rollback journal.
WAL = sqlite3.sqlite_version_info >= (3, 51, 3)
