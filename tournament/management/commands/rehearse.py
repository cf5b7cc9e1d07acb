"""`manage.py rehearse`: can this server carry our event?"""

import json
import os
import secrets
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournament.practice.rehearse.day import rehearse
from tournament.practice.rehearse.organiser import Address, Impossible, Organiser
from tournament.practice.rehearse.own_server import OwnServer
from tournament.practice.rehearse.plan import KINDS, Size
from tournament.practice.rehearse.report import Report

PASSWORD = "LASTCARD_PASSWORD"  # noqa: S105 - the variable's name
TOKEN = "LASTCARD_TOKEN"  # noqa: S105 - as above
# 30 s with what goes around it.
QUICK = Size(players=100, tables=10, referees=10, watchers=200, games=1, seconds=20)
SIZES = {
    "players": "players",
    "tables": "tables that they sit at",
    "referees": "phones that enter",
    "watchers": "phones that watch",
    "games": "games of each table; of a match rounds",
    "seed": "the chance of a day that was rehearsed before",
}


class Command(BaseCommand):
    help = (
        "Play a whole event day against a server in minutes, with a bad network, and say whether it carries it. "
        "Without --url against a server of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quick", action="store_true", help="a small evening in half a minute")
        for name, what in SIZES.items():
            parser.add_argument(f"--{name}", type=int, help=what)
        parser.add_argument("--seconds", type=float, help="how long the day takes")
        parser.add_argument("--kind", choices=list(KINDS), help="of the stage")
        parser.add_argument("--own-pages", type=float, help="the share of watchers on a player's own page")
        parser.add_argument("--no-faults", action="store_true", help="with a good network")
        parser.add_argument("--url", help="a server that runs, as http://host:port")
        parser.add_argument("--user", help=f"who may make events there; the password is asked of {PASSWORD}")
        parser.add_argument(
            "--password", help=f"better in {PASSWORD}, or a token that may organise in {TOKEN}"
        )
        parser.add_argument("--database", help="of a server of its own: postgres://user:password@host/name")
        parser.add_argument("--yes", action="store_true", help="also where real events are")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the report there too")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the report; exit code 1 when the answer is no."""
        try:
            report = self._held(size_of(options), options)
        except Impossible as why:
            raise CommandError(str(why)) from why
        self.stdout.write(report.as_text())
        if options["json"]:
            options["json"].write_text(json.dumps(report.as_json(), indent=2) + "\n")
        if not report.passed:
            raise CommandError("The rehearsal says no.", returncode=1)

    def _held(self, size: Size, options: dict[str, Any]) -> Report:
        own = None if options["url"] else OwnServer(options["database"] or "")
        try:
            if own:
                own.prepare()
                organiser = Organiser(Address.of(own.url))
                organiser.sign_in(own.user, own.password)
            else:
                organiser = Organiser(Address.of(options["url"]), os.environ.get(TOKEN, ""))
                if options["user"]:
                    organiser.sign_in(options["user"], options["password"] or os.environ.get(PASSWORD, ""))
            if (real := organiser.real_events()) and not options["yes"]:
                raise Impossible(f"{real} real events are there. A rehearsal beside them: --yes")
            return rehearse(organiser, size, own, self._say)
        finally:
            if own:
                own.close()

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def size_of(options: dict[str, Any]) -> Size:
    usual = replace(QUICK if options["quick"] else Size(), seed=secrets.randbelow(10**6))
    names = [name for name in (*SIZES, "seconds", "kind", "own_pages") if options[name] is not None]
    return replace(usual, **{name: options[name] for name in names}, faults=not options["no_faults"])
