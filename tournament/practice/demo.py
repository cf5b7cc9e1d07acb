"""Demo: six events and their referee, from fixtures/demo, written by actions.

earlier.json  finished KPGUT session, four weeks ago
kpgut.json    KPGUT session, to be finished
mattel.json   Mattel match to 500, one round short
tite.json     championship, heats to a final in progress
race.json     race over three tables in new company, one game short
open.json     KPGUT session in a week, registration open
"""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.utils import timezone

from tournament import actions
from tournament.actions import Command
from tournament.models import Entry, LedgerRow, Organiser, Play, Table, Tournament, User
from tournament.practice import DEMO

DEMO_EVENTS = ("earlier", "kpgut", "mattel", "tite", "race", "open")
REFEREE = uuid5(DEMO, "referee")  # by uid: the username may be taken
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no lookalikes


def make_demo() -> int:
    """Create missing parts; returns the number of steps done. Idempotent."""
    referee = _referee()
    done = sum(play(read(name), referee) for name in DEMO_EVENTS)
    _give_password(referee)
    return done


def sign_in_words() -> str | None:
    """How to sign in as the referee; None without a demo."""
    referee = User.objects.filter(uid=REFEREE).first()
    path = password_path()
    if referee is None or not path.exists():
        return None
    password = path.read_text().strip()
    said = password if referee.check_password(password) else "that you chose"
    return f"Sign in as {referee.username} with the password {said}"


def password_path() -> Path:
    """Password file, private to its owner."""
    return Path(settings.DATA_DIR) / "demo-referee"


def _referee() -> User:
    referee = User.objects.filter(uid=REFEREE).first()
    if referee is None:
        names = ("referee" if number == 1 else f"demo-referee-{number}" for number in count(1))
        free = next(name for name in names if not User.objects.filter(username=name).exists())
        referee = User(uid=REFEREE, username=free, first_name="Demo", last_name="Referee", is_staff=True)
        referee.set_unusable_password()
        referee.save()
    return referee


def _give_password(referee: User) -> None:
    """The file, written last, marks completion."""
    path = password_path()
    if path.exists() and referee.has_usable_password():
        return
    password = "-".join("".join(secrets.choice(LETTERS) for _letter in range(5)) for _group in range(2))
    referee.set_password(password)
    referee.save(update_fields=["password"])
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(password + "\n")


# ---- An event played from a file of steps, a command each, with derived ids: interrupted events resume ----


Step = Mapping[str, Any]


class Event:
    """An event file with derived uids."""

    def __init__(self, data: Mapping[str, Any], uid: UUID | None = None) -> None:
        self.data = data
        self.uid = uid or uuid5(DEMO, data["slug"])

    def id(self, *names: object) -> UUID:
        return uuid5(self.uid, "/".join(str(name) for name in names))

    def entry(self, number: int | str) -> UUID:
        return self.id("entry", number)

    def entries(self, numbers: list[int]) -> list[UUID]:
        return [self.entry(number) for number in numbers]

    def stage(self, step: Step) -> UUID:
        return self.id("stage", step["stage"])

    def table(self, step: Step) -> UUID:
        """The seated table's uid, else a derived one."""
        seated = Table.objects.filter(stage__uid=self.stage(step), number=step["table"]).first()
        return seated.uid if seated else self.id("table", step["stage"], step["table"])

    def play(self, step: Step) -> UUID:
        return self.id("play", step["stage"], step["table"], step["number"])

    def a_play(self, step: Step) -> dict[str, Any]:
        """Arguments common to new plays."""
        return {"table": self.table(step), "play": self.play(step), "number": step["number"]}


def read(name: str, folder: str = "demo", visit: UUID | None = None) -> Event:
    """Load fixtures/<folder>/<name>.json; `visit` derives a newcomer's uids."""
    path = settings.BASE_DIR / "fixtures" / folder / f"{name}.json"
    return Event(json.loads(path.read_text(encoding="utf-8")), uuid5(visit, name) if visit else None)


def play(event: Event, actor: User) -> int:
    """Do all missing steps; returns their number."""
    return do(event, [{"do": "create"}, {"do": "enter"}, *event.data["steps"]], actor)


def do(event: Event, steps: Sequence[Step], actor: User) -> int:
    """Do missing ones of these steps; returns their number."""
    done = set(LedgerRow.objects.filter(tournament__uid=event.uid).values_list("command", flat=True))
    missing = [
        (command, step)
        for index, step in enumerate(steps)
        if (command := event.id("step", index)) not in done
    ]
    for command, step in missing:
        action, arguments = STEPS[step["do"]]
        action(Command(command, actor, "demo"), event.uid, **arguments(event, step))
    return len(missing)


def seconds(text: str) -> int:
    """Convert "12:34" to seconds."""
    minutes, rest = text.split(":")
    return int(minutes) * 60 + int(rest)


def _created(event: Event, _step: Step) -> Mapping[str, Any]:
    data = event.data
    organiser = Organiser.objects.filter(
        name=data["organiser"], tournaments__slug__startswith="demo-"
    ).first()
    return {
        "name": data["name"],
        "starts_on": timezone.localdate() - timedelta(days=data["days_ago"]),
        "ruleset": data["ruleset"],
        "organiser": organiser.uid if organiser else None,
        "organiser_name": data["organiser"],
        "slug": "" if Tournament.objects.filter(slug=data["slug"]).exists() else data["slug"],
        "place": data["place"],
        "language": data["language"],
    }


def _entered(event: Event, _step: Step) -> Mapping[str, Any]:
    """Reuses players of earlier demo events."""
    known = dict(
        Entry.objects.filter(
            player__organiser__tournaments__uid=event.uid, tournament__slug__startswith="demo-"
        ).values_list("public_name", "player__uid")
    )
    return {
        "players": [
            {"entry": event.entry(number), "name": name, "club": club, "player": known.get(name)}
            for number, (name, club) in enumerate(event.data["players"], 1)
        ]
    }


def _game(event: Event, step: Step) -> Mapping[str, Any]:
    """Results: "out 12:34", "gave up 12:34", "ejected 12:34", "last", or a remaining hand."""

    def result(number: str, written: str | dict[str, int]) -> dict[str, object]:
        entry = event.entry(number)
        if isinstance(written, dict):
            return {"entry": entry, "outcome": "remaining", "hand": written}
        if written == "last":
            return {"entry": entry, "outcome": "last"}
        outcome, time = written.rsplit(" ", 1)
        return {"entry": entry, "outcome": outcome.replace(" ", "_"), "elapsed_s": seconds(time)}

    return {
        **event.a_play(step),
        "ended": step["ended"],
        "results": [result(number, written) for number, written in step["results"].items()],
        "duration_s": seconds(step["duration"]) if "duration" in step else None,
        "decks": step.get("decks"),
    }


def _voided(event: Event, step: Step) -> Mapping[str, Any]:
    stored = Play.objects.get(uid=event.play(step))
    return {"play": stored.uid, "version": stored.version, "reason": step["reason"]}


# Actions and their arguments by step.
STEPS: Mapping[str, tuple[Callable[..., Any], Callable[[Event, Step], Mapping[str, Any]]]] = {
    "create": (actions.create_tournament, _created),
    "enter": (actions.enter_players, _entered),
    "plan": (
        actions.plan_stage,
        lambda event, step: {
            "stage": event.stage(step),
            "kind": step["kind"],
            "name": step["name"],
            "settings": step["settings"],
        },
    ),
    "settings": (
        actions.set_stage_settings,
        lambda event, step: {"stage": event.stage(step), "settings": step["settings"]},
    ),
    "registration": (
        actions.set_registration,
        lambda _, step: {"opened": True, **{name: value for name, value in step.items() if name != "do"}},
    ),
    "check_in": (actions.check_in, lambda event, step: {"entries": event.entries(step["players"])}),
    "seat": (
        actions.seat_table,
        lambda event, step: {
            "stage": event.stage(step),
            "table": event.table(step),
            "number": step["table"],
            "entries": event.entries(step["players"]),
        },
    ),
    "seats": (
        actions.seat_stage,
        lambda event, step: {
            "stage": event.stage(step),
            "tables": [
                {"number": number, "entries": event.entries(players)}
                for number, players in enumerate(step["tables"], 1)
            ],
        },
    ),
    "roles": (
        actions.name_roles,
        lambda event, step: {
            "table": event.table(step),
            **{role: event.entry(step[role]) for role in Table.ROLES if role in step},
        },
    ),
    "start": (actions.start_stage, lambda event, step: {"stage": event.stage(step)}),
    "finish": (actions.finish_stage, lambda event, step: {"stage": event.stage(step)}),
    "fill": (
        actions.fill_stage,
        lambda event, step: {
            "stage": event.stage(step),
            "decided": event.entries(step["decided"]),
            "reason": step["reason"],
        },
    ),
    "leave": (
        actions.player_leaves,
        lambda event, step: {"entry": event.entry(step["player"]), "reason": step["reason"]},
    ),
    "game": (actions.record_game, _game),
    "round": (
        actions.record_round,
        lambda event, step: {
            **event.a_play(step),
            "winner": event.entry(step["winner"]) if "winner" in step else None,
            "ended": step.get("ended", ""),
            "hands": {str(event.entry(number)): hand for number, hand in step["hands"].items()},
            "last_cards": step.get("last_cards"),
            "drew": event.entry(step["drew"]) if "drew" in step else None,
        },
    ),
    "heat": (
        actions.record_heat,
        lambda event, step: {**event.a_play(step), "finish_order": event.entries(step["finish_order"])},
    ),
    "void": (actions.void_play, _voided),
}
