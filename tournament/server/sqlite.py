"""The one SQLite of a process: that of the package pysqlite3 where it is installed, else Python's own.

Everything of ours imports `sqlite3` from here, and Django, which imports it by its name, gets the same. A process must
not open a file by two libraries: when one of them closes it, the system lets go of the other's locks. Two processes
may differ, since a database's files are the same for every version.
"""

import sys
from importlib.util import find_spec

if find_spec("pysqlite3"):
    import pysqlite3.dbapi2

    sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, pysqlite3.dbapi2
import sqlite3

__all__ = ["WAL", "sqlite3"]

# Whether the write-ahead log is used, so that readers and writers do not wait for each other. SQLite before 3.51.3 can,
# rarely, corrupt a database when its log is reset; there a rollback journal is used.
WAL = sqlite3.sqlite_version_info >= (3, 51, 3)
