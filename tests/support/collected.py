"""A folder of collected static files, as `collectstatic` leaves it: with a manifest."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.test import override_settings

STORAGES = {"staticfiles": {"BACKEND": "tournament.server.static_files.StaticFiles"}}


@contextmanager
def collected(folder: Path, *names: str) -> Iterator[None]:
    """Let the folder hold the collected files of these names, each under its own name; without names, none are."""
    if names:
        manifest = {"version": "1.1", "paths": {name: name for name in names}}
        (folder / "staticfiles.json").write_text(json.dumps(manifest))
    with override_settings(STATIC_ROOT=folder, STORAGES=STORAGES):
        yield
