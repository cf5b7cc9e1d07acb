"""`manage.py rehearse`: load test with an event day."""

import json
import os
import secrets
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournament.extras.rehearsal.day import rehearse
from tournament.extras.rehearsal.organiser import Address, Impossible, Organiser
from tournament.extras.rehearsal.own_server import OwnServer
from tournament.extras.rehearsal.plan import KINDS, Size
from tournament.extras.rehearsal.report import Report

PASSWORD = "LASTCARD_PASSWORD"  # noqa: S105 - the variable's name
TOKEN = "LASTCARD_TOKEN"  # noqa: S105 - as above
# 30 s with overhead.
QUICK = Size(players=100, tables=10, referees=10, watchers=200, games=1, seconds=20)
SIZES = {
    "players": "players",
    "tables": "tables",
    "referees": "phones that enter results",
    "watchers": "phones that follow",
    "games": "games at each table; for a match, its rounds",
    "seed": "repeat the day of an earlier rehearsal",
}


class Command(BaseCommand):
    help = (
        "Play a whole event day against a server in minutes, over a bad network, and say whether the server can run "
        "it. Without --url, start a separate server for it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quick", action="store_true", help="a small evening in half a minute")
        for name, what in SIZES.items():
            parser.add_argument(f"--{name}", type=int, help=what)
        parser.add_argument("--seconds", type=float, help="compress the day into this time")
        parser.add_argument("--kind", choices=list(KINDS), help="what kind of stage to play")
        parser.add_argument("--own-pages", type=float, help="the share of watchers on a player's own page")
        parser.add_argument("--no-faults", action="store_true", help="use a good network")
        parser.add_argument("--url", help="a running server, as http://host:port")
        parser.add_argument(
            "--user", help=f"a user who may create events there; the password is read from {PASSWORD}"
        )
        parser.add_argument(
            "--password", help=f"better set {PASSWORD}, or {TOKEN} to a token with the scope organise"
        )
        parser.add_argument("--database", help="for the separate server: postgres://user:password@host/name")
        parser.add_argument("--yes", action="store_true", help="rehearse even if the server has real events")
        parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report to FILE")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the report; exit code 1 if not passed."""
        try:
            report = self._held(size_of(options), options)
        except Impossible as why:
            raise CommandError(str(why)) from why
        self.stdout.write(report.as_text())
        if options["json"]:
            options["json"].write_text(json.dumps(report.as_json(), indent=2) + "\n")
        if not report.passed:
            raise CommandError("The answer is no.", returncode=1)

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
                raise Impossible(f"The server has {real} real events. To rehearse anyway, add --yes")
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
