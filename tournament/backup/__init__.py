"""Online, verified database backups and restore.

- copying: consistent copy, check, facts
- shelf: folder, retention, last failure
- making: on request, before bulk actions, by timer
- hook: BACKUP_HOOK, off-site copies
- in_use: locks of servers, backups, migrations, restores
- restoring: `manage.py restore`
"""

from tournament.backup.copying import BackupFailed
from tournament.backup.making import before, make_backup
from tournament.backup.shelf import Shelf, folder, newest

__all__ = ["BackupFailed", "Shelf", "before", "folder", "make_backup", "newest"]
