"""`manage.py up`: prepare, print the addresses, serve."""

import contextlib
import io
import os
import signal
import socket
import webbrowser
from argparse import ArgumentParser, BooleanOptionalAction
from threading import Thread
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import get_resolver, reverse

from tournament.backup import hook
from tournament.backup.in_use import Locked, serving
from tournament.backup.making import keep_up
from tournament.jobs.upkeep import Upkeep, warm_up
from tournament.management.base import check_place, check_whole
from tournament.management.commands.prepare import collect, migrate
from tournament.practice.demo import make_demo, sign_in_words
from tournament.queries.installation import first_account_token, somebody_can_sign_in
from tournament.server.background import Every
from tournament.server.database import warn_of_broken_promises
from tournament.server.venue import in_container, is_loopback, network_address

NO_NETWORK = "Phones cannot reach Lastcard: there is no network, or --host limits it to this computer."
IN_CONTAINER = "Set PUBLIC_URL to show the address for phones: a container does not know it."
BACKUP_LOOKS_S = 30.0  # seconds between backup checks
ANY = "0.0.0.0"  # noqa: S104 - phones on the same network are the point


class Command(BaseCommand):
    help = "Migrate the database, collect the static files and serve Lastcard."
    requires_system_checks = []  # `prepare` or `handle` does: they load everything

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=ANY, help="address to listen on (default: all)")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-migrate", action="store_true", help="do not migrate the database")
        parser.add_argument("--prepared", action="store_true", help="only serve, after `prepare`")
        parser.add_argument("--demo", action="store_true", help="create the demo events if they are missing")
        parser.add_argument(
            "--browser",
            action=BooleanOptionalAction,
            default=False,
            help="open a browser on this computer; `lastcard` without a command does so",
        )

    def handle(self, *_: Any, host: str, port: int, **options: Any) -> None:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl+C; uvicorn raises both again
        check_place()
        with contextlib.suppress(KeyboardInterrupt), listen(host, port) as listener, in_use():
            check_whole()
            if not options["prepared"]:
                self.check()
            if not (options["prepared"] or options["no_migrate"]):
                migrate()
            self.check(tags=[Tags.database], databases=["default"])
            if not options["prepared"]:
                collect()
            if options["demo"] and sign_in_words() is None:
                make_demo()
            offer_practice(demo=options["demo"])
            warn_of_broken_promises()
            here, first = own_address(host, listener.getsockname()[1]), first_account_link()
            self._words = welcome(
                host,
                listener.getsockname()[1],
                sign_in_words() or first_account_words(here, first),
                terminal=self.stdout.isatty() and settings.LOG_FORMAT != "json",
            )
            self._opens = f"{here}{first or reverse('organise')}" if options["browser"] else ""
            connections.close_all()
            self._serve(listener)
        self.stdout.write("Stopped.")

    def _serve(self, listener: socket.socket) -> None:
        # Late: WhiteNoise looks for the static folder when Django loads.
        from tournament.asgi import application
        from tournament.live.server import Server, settle_process
        from tournament.queries.live import games_need_time

        _ = get_resolver().url_patterns  # faults in URLs end the start
        settle_process(games_need_time)
        backups = [Every("backups", BACKUP_LOOKS_S, keep_up)] if settings.BACKUP_EVERY else []
        timers = [Upkeep(), *backups]
        for timer in timers:
            timer.start()
        Thread(target=warm_up, name="warm-up", daemon=True).start()
        try:
            Server(application, self._say).run(sockets=[listener])
        finally:
            for timer in timers:
                timer.stop()
            hook.stop()

    def _say(self) -> None:
        for line in self._words:
            with contextlib.suppress(UnicodeEncodeError):  # a terminal without block characters
                self.stdout.write(line)
        self.stdout.flush()
        if self._opens:
            Thread(target=webbrowser.open, args=[self._opens], daemon=True).start()  # may take seconds


def offer_practice(*, demo: bool) -> None:
    """Practice goes with the demo, unless TRY is set."""
    if settings.TRY is None:
        settings.TRY = demo


def in_use() -> contextlib.AbstractContextManager[object]:
    """Lock out restores while serving; CommandError during one."""
    try:
        return serving()
    except Locked as locked:
        raise CommandError("A backup is being restored. Try again when it is done.") from locked


def listen(host: str, port: int) -> socket.socket:
    """A bound socket; CommandError if there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OverflowError as error:
        raise CommandError(f"{port} is not a port. Use 0 to 65535.") from error
    except OSError as error:
        raise CommandError(
            f"Cannot listen on {host} port {port}: {(error.strerror or str(error)).partition(' (')[0]}. "
            "Try another port: "
            + (f'make run ARGS="--port {port + 1}"' if "MAKELEVEL" in os.environ else f"--port {port + 1}")
        ) from error


def venue_address(host: str, port: int) -> str | None:
    """URL for phones: PUBLIC_URL, else this computer's; None without one."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    if host not in (ANY, "::"):
        return None if is_loopback(host) else url(host, port)
    found = None if in_container() else network_address()
    return url(found, port) if found else None


def own_address(host: str, port: int) -> str:
    """URL on this computer: PUBLIC_URL, else its own."""
    return settings.PUBLIC_URL or url("127.0.0.1" if host in (ANY, "::") else host, port)


def url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def welcome(host: str, port: int, sign_in: str | None, *, terminal: bool) -> list[str]:
    """Lines printed once Lastcard answers; with a QR code on a terminal."""
    here, venue = own_address(host, port), venue_address(host, port)
    lines = [f"Lastcard is running. On this computer:  {here}"]
    if venue is None:
        lines += [IN_CONTAINER if in_container() else NO_NETWORK]
    elif venue == here:
        lines = [f"Lastcard is running:  {venue}"]
    else:
        lines += [f"                     On phones here:    {venue}"]
    if venue and terminal:
        import segno

        code = io.StringIO()
        segno.make(venue, micro=False).terminal(code, border=2, compact=True)  # half blocks
        lines += ["", code.getvalue()]
    lines += [*([sign_in] if sign_in else []), "Stop with Ctrl+C."]
    return ["", *lines, ""] if terminal else lines


def first_account_link() -> str:
    """First-account path; "" once an account can sign in."""
    return "" if somebody_can_sign_in() else reverse("first-account", args=[first_account_token()])


def first_account_words(here: str, link: str) -> str | None:
    """Where to create the first account, or None."""
    return f"Nobody can sign in yet. Create your account: {here}{link}" if link else None
