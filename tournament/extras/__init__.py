"""Features that an evening can do without; `EXTRAS` in tournament/settings.py lists those installed.

Each folder is a Django app. Its AppConfig may have five lists, which the core reads (tournament/server/extras.py).
To remove an extra, delete its folder, tests/extras/<name>/ and its line in `EXTRAS`.
"""
