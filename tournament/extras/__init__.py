"""Features that an evening can do without; `EXTRAS` in tournament/settings.py lists those installed.

Each folder is a Django app, whose AppConfig may have five lists (tournament/server/extras.py). To remove one, delete
its folder, tests/extras/<name>/ and its line in `EXTRAS`.
"""
