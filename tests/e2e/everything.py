"""Events with everything in them, on a server's own database: the addresses of all its pages, and who may see them."""

from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.test import Client, override_settings

from tests.roles.asking import Route, address, routes
from tests.roles.world import Made, world
from tests.support.factories import (
    Event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game as started,
)
from tournament import actions
from tournament.models import Play, Screen, User

QUICK = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # nobody signs in with a password
BIG = 104  # players: standings, ratings and seasons of two pages
Answer = dict[str, Any]


def everything() -> Answer:
    """`people`: the session of each role of tests/roles; `pages`: by event, each address in English by its pattern."""
    together: Any = transaction.atomic()
    together._from_testcase = True  # durable blocks of the actions lie inside: one commit for them all
    with together, override_settings(PASSWORD_HASHERS=QUICK):
        there = world()
        events = there.events | {
            "game": _game(),
            "match": _match(),
            "heats": _heats(),
            "empty": _of(running_match(3, start=False), "empty"),
            "club": _club(),
        }
        _screens(events["own"])
    return {
        "people": {role: _session(user) for role, user in there.users.items()},
        "pages": {name: _addresses(made) for name, made in events.items()},
    }


def _addresses(made: Made) -> dict[str, str]:
    """Each address that this event has, by the pattern."""
    found = {}
    for route in routes():
        with suppress(KeyError, StopIteration):
            found[route.path] = _address(route, made)
    return found


def _address(route: Route, made: Made) -> str:
    if "<int:page>" in route.path and made.name != "club":
        raise KeyError(route.path)
    asked = f"?player={made.values['player']}" if route.path.endswith("/appearances") else ""
    return address(route, made) + asked


def _of(event: Event, name: str, play: UUID | None = None, **values: Any) -> Made:
    event.refresh()
    tournament = event.tournament
    there = {
        "slug": tournament.slug,
        "tournament": tournament.uid,
        "organiser": tournament.organiser.uid,
        "stage": event.stage.uid,
        "table": event.table.uid,
        "entry": event.entries[0].uid,
        "player": event.entries[0].player.uid,
        **({"play": play} if play else {}),
        **values,
    }
    return Made(event, name, there)


def _game() -> Made:
    """A game with somebody out of it, after one that is over."""
    event = running_session()
    _over(event)
    play = started(event, elapsed_s=600)
    event.act(actions.record_out, play=play, entry=event.uids[1])
    return _of(event, "game", play)


def _over(event: Event) -> None:
    """A game at each table, of which the first player was the last."""
    for table in event.tables:
        last, *others = event.at(table)
        results = [{"entry": uid, "outcome": "out", "elapsed_s": 600 + at} for at, uid in enumerate(others)]
        event.act(
            actions.record_game,
            table=table.uid,
            play=uuid4(),
            number=1,
            ended="last",
            results=[*results, {"entry": last, "outcome": "last"}],
        )


def _match() -> Made:
    """A match between two rounds, the second changed since."""
    event = running_match(ruleset="mattel-112")
    recorded_round(event)
    play = recorded_round(event)
    row = Play.objects.get(uid=play)
    winner, *others = event.at(event.table)
    hands = {str(uid): {"8": 1, "wild4": 1} for uid in others}
    event.act(
        actions.correct_round, play=play, version=row.version, winner=winner, hands=hands, reason="8 for 7"
    )
    return _of(event, "match", play)


def _heats() -> Made:
    """Heats, one of two entered."""
    event = running_heats(advance=2)
    return _of(event, "heats", recorded_heat(event))


def _club() -> Made:
    """A session of many that is over."""
    event = running_session(BIG, tables=BIG // 4)
    _over(event)
    event.act(actions.finish_stage, stage=event.stage.uid)
    return _of(event, "club", page=2, year=event.tournament.starts_on.year)


def _screens(made: Made) -> None:
    """The screen shows every scene that there is."""
    screen = made.values["screen"]
    made.event.act(actions.set_screen, screen=screen, scenes=list(Screen.Scene.values), seconds=60)


def _session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
