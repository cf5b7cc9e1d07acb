"""Copies of the whole database, made while Lastcard runs, each checked and described; and the way back to one.

copying   one file with the state of one moment, on SQLite and on PostgreSQL, and the check that it is whole; what a
          database holds, in short: the head of each tournament's ledger; kept beside each copy as JSON
shelf     the folder: which copies there are, which are kept, what failed last
making    `make_backup` for a person, `before` an import or a bulk action, `keep_up` for the timer
hook      the operator's command that takes each new backup off this computer
in_use    locks: a server and a restore keep each other out
restoring `manage.py restore`
"""

from tournament.backup.copying import BackupFailed
from tournament.backup.making import before, make_backup
from tournament.backup.shelf import Shelf, folder, newest

__all__ = ["BackupFailed", "Shelf", "before", "folder", "make_backup", "newest"]
