"""`lastcard update`: a newer Lastcard from its wheel, with a way back.

    lastcard update lastcard-NEW.whl    backup, install, migrate, verify; rolled back on failure
    lastcard update --back              the version before, also later

This process stays the old program.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection, connections

from tournament import __version__
from tournament.backup.copying import ENDINGS, BackupFailed, Facts, facts_in
from tournament.backup.in_use import Locked, restoring
from tournament.backup.making import LEFT_FREE, make_backup
from tournament.backup.restoring import put
from tournament.backup.shelf import beside
from tournament.extras.update.jobs import in_order
from tournament.extras.update.management import installed
from tournament.extras.update.management.installed import CannotInstall
from tournament.management.base import check_database, is_there, say_database

HOW = (
    "Name the wheel of the newer version: `lastcard update lastcard-NEW.whl`. You have {version}. Download the wheel "
    "from the page where you got this version; Lastcard downloads nothing by itself."
)
SAME = (
    "{wheel} is your version, {version}, perhaps of another day. To install it in place of yours, stop Lastcard and "
    "run `{python} -m pip uninstall --yes lastcard`, then `{python} -m pip install {wheel}`. The next start backs up "
    "and migrates the database"
)
CHECKOUT = "This is a checkout, not an installed package. Update it with `git pull` and `make run`."
NO_ROOM = "The disk of {folder} is too full: {megabytes} MB are needed"
LATER_STEPS = (
    "Since the update, {rows} rows were added to the ledgers. They are not in the backup that version {version} needs. "
    "With `--back --without-newer` they stay in the database that is set aside. Nothing was changed."
)


@dataclass(frozen=True, slots=True)
class Way:
    """The way back: versions, folder of replaced `wheels`, database `backup` or ""."""

    before: str
    after: str
    wheels: str
    backup: str


class Command(BaseCommand):
    help = "Install a newer Lastcard from its wheel, after a backup. If it does not verify, everything is put back."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("wheel", nargs="?", type=Path, help="the newer version: lastcard-….whl")
        parser.add_argument(
            "--back", action="store_true", help="go back to the version before the last update"
        )
        parser.add_argument(
            "--without-newer",
            action="store_true",
            help="with --back: go back even if newer entries are left out",
        )

    def handle(self, *_args: Any, wheel: Path | None, **options: Any) -> None:
        """Raises CommandError if refused, rolled back, or if going back fails."""
        say_database()
        if not settings.INSTALLED:
            raise CommandError(CHECKOUT)
        try:
            place = installed.place()
            if options["back"]:
                self._back(place, without_newer=options["without_newer"])
            elif wheel is None:
                raise CommandError(HOW.format(version=__version__))
            else:
                self._update(place, wheel)
        except Locked as used:
            raise CommandError(f"Stop Lastcard first: {used}. Nothing was changed.") from used
        except (CannotInstall, BackupFailed) as failed:
            raise CommandError(f"{failed}. Nothing was changed.") from failed
        except OSError as error:
            raise CommandError(f"{error.strerror}: {error.filename}. Nothing was changed.") from error

    # ---- there

    def _update(self, place: Path, wheel: Path) -> None:
        newer = installed.version_of(wheel)
        if in_order(newer) == in_order(__version__):
            raise CannotInstall(SAME.format(wheel=wheel, version=__version__, python=sys.executable))
        if in_order(newer) < in_order(__version__):
            raise CannotInstall(f"{wheel.name} is not newer than your version, {__version__}")
        with _unused():
            _refuse_unclean()
            way = _keep(place, wheel, newer)
            try:
                installed.install(wheel)
                _run("check")
                if way.backup:
                    _run("prepare")
                    _run("verify")
            except (CannotInstall, OSError) as failed:
                self._put_back(way, str(failed))
        self.stdout.write(
            f"Lastcard {newer} is installed, and every event verifies. Start it now. "
            f"`lastcard update --back` goes back to {__version__}."
        )

    def _put_back(self, way: Way, why: str) -> None:
        """Undo the update; always raises CommandError."""
        try:
            installed.put_back(Path(way.wheels))
            if way.backup:
                self._put(way)
        except (CannotInstall, BackupFailed, OSError) as failed:
            raise CommandError(
                f"The update failed: {why}. Going back failed too: {failed}. By hand: `{sys.executable} -m pip install "
                f"--no-deps --force-reinstall {way.wheels}/*.whl`, then `lastcard restore {way.backup}`."
            ) from failed
        raise CommandError(f"Not updated: {why}. Lastcard {way.before} and its database are unchanged.")

    # ---- and back

    def _back(self, place: Path, *, without_newer: bool) -> None:
        try:
            way = Way(**json.loads(_note(place).read_text()))
        except (OSError, ValueError, TypeError):
            raise CommandError("There is no update to go back from.") from None
        if way.after != __version__:
            raise CommandError(
                f"The last update was from {way.before} to {way.after}, but you have {__version__}."
            )
        with _unused():
            changed = _refuse_newer(way, without_newer=without_newer)
            installed.put_back(Path(way.wheels))
            if changed:
                self._put(way)
            if way.backup:
                try:
                    _run("prepare")
                    _run("verify")
                except CannotInstall as found:
                    raise CommandError(
                        f"Lastcard {way.before} is installed again, but says: {found}."
                    ) from found
        self.stdout.write(
            f"Lastcard {way.before} is installed again, and every event verifies. Start it now."
        )

    def _put(self, way: Way) -> None:
        with _as_owner():
            put(Path(way.backup), say=self.stdout.write)


def _note(place: Path) -> Path:
    return place / "lastcard-versions" / "update.json"


def _keep(place: Path, wheel: Path, newer: str) -> Way:
    packages = installed.changed_by(wheel)
    needed = 3 * sum(map(installed.bytes_of, packages)) + wheel.stat().st_size + LEFT_FREE
    if shutil.disk_usage(place).free < needed:
        raise CannotInstall(NO_ROOM.format(folder=place, megabytes=needed // 1_000_000))
    file = settings.DATA_DIR / "versions" / f"{__version__}.{ENDINGS[connection.vendor]}"
    facts, backup = _facts(), ""
    if facts:
        with _as_owner():
            backup = str(make_backup(file, why=f"before update to {newer}"))
            for old in set(file.parent.iterdir()) - {file, beside(file)}:
                old.unlink()
    shutil.rmtree(_note(place).parent, ignore_errors=True)
    wheels = _note(place).parent / __version__
    wheels.mkdir(parents=True)
    for package in packages:
        installed.pack(package, wheels)
    way = Way(__version__, newer, str(wheels), backup)
    _note(place).write_text(json.dumps(asdict(way)))
    return way


def _refuse_unclean() -> None:
    """Refuse events that do not verify: checks after the update need a clean start."""
    try:
        check_database()
    except CommandError:
        return  # left to the new program
    try:
        _run("verify")
    except CannotInstall as found:
        raise CannotInstall(f"`lastcard verify` already fails: {found}. Fix that first") from found


def _refuse_newer(way: Way, *, without_newer: bool) -> bool:
    """Whether going back needs the old database. Raises CommandError if newer entries would be lost."""
    now = _facts()
    if not way.backup or now is None:
        return False
    before: dict[str, Any] = json.loads(beside(Path(way.backup)).read_text())
    if before["migration"] == now["migration"]:
        return False
    then = sum(head["rows"] for head in before["ledgers"].values())
    rows = sum(head["rows"] for head in now["ledgers"].values()) - then
    if rows and not without_newer:
        raise CommandError(LATER_STEPS.format(rows=rows, version=way.before))
    return True


def _facts() -> Facts | None:
    if not is_there():
        return None
    try:
        with _as_owner(), connection.cursor() as cursor:
            return facts_in(cursor)
    except Error:
        return None
    finally:
        connections.close_all()


@contextlib.contextmanager
def _unused() -> Iterator[None]:
    """Lock out servers. Raises Locked while one runs."""
    with contextlib.ExitStack() as held:
        if is_there():
            with _as_owner():
                held.enter_context(restoring())
        yield


def _run(*words: str) -> None:
    """Run a command of the program installed now. Raises CannotInstall with its last line."""
    environment, owner = os.environ | {"LASTCARD_DATA": str(settings.DATA_DIR)}, _owner()
    whose: dict[str, Any] = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if owner else {}
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-P", "-m", "tournament", *words],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        **whose,
    )  # fmt: skip
    if done.returncode:
        raise CannotInstall(installed.last_line(done.stderr) or f"`lastcard {words[0]}` failed")


# Root acts as the data's owner.


def _owner() -> os.stat_result | None:
    """Owner of the data, or None unless root acts for another user."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not settings.DATA_DIR.exists():
        return None
    about = settings.DATA_DIR.stat()
    return about if about.st_uid else None


@contextlib.contextmanager
def _as_owner() -> Iterator[None]:
    if (owner := _owner()) is None:
        yield
        return
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
