"""Sets events up beside a running server: `python -m tests.e2e.arrange` answers each line of JSON on its input,
{"call": name, "arguments": {...}}, with {"answer": ...} or {"error": a traceback} on one line. Arranger in arranger.py
asks it.

One process for many events, because starting Django takes longer than any of them.
"""

import io
import json
import sys
import traceback
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import django

django.setup()

from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone, translation

from tests.e2e.everything import everything
from tests.support import factories, tour_evenings
from tests.support.moments import allow_quick_games
from tournament import actions
from tournament.jobs.upkeep import end_practice
from tournament.links import token_for
from tournament.models import Entry, LedgerRow, Membership, Play, Stage, Table, Tournament, User
from tournament.models.people import LASTS

allow_quick_games(setattr)  # here alone: the server has its own
PASSWORD = make_password("an evening at the tables")
EVENTS: dict[str, factories.Event] = {}
EARLIER: set[str] = set()  # slugs of events that other modules made
CLEAN: dict[str, int] = {}  # slug -> the version at which nothing was wrong
Answer = dict[str, Any]


def person(name: str, *, staff: bool = False) -> User:
    """A new user whose username is the name in small letters and a number that nobody else has."""
    username = f"{name.lower()}-{User.objects.count()}"
    return User.objects.create(username=username, first_name=name, is_staff=staff, password=PASSWORD)


def organiser(*, name: str, password: str) -> str:
    """The username of somebody new who may create events."""
    user = person(name, staff=True)
    user.set_password(password)
    user.save()
    return user.username


def signed_in(user: User) -> Answer:
    """Sign a user in: give the value of the session's cookie for a browser, and the username for signing in again."""
    client = Client()
    client.force_login(user)
    return {"username": user.username, "session": client.cookies["sessionid"].value}


def event(
    *,
    kind: str,
    ruleset: str,
    names: list[str],
    tables: int = 1,
    start: bool = True,
    name: str = "An evening",
    place: str = "",
    clubs: str = "",
    language: str = "en",
    settings: Answer | None = None,
    ago_s: int = 0,
) -> Answer:
    """A tournament with one stage and every player seated, which began `ago_s` seconds ago."""
    began = timezone.now() - timedelta(seconds=ago_s)
    with mock.patch("tournament.actions.kernel.work.now", return_value=began):
        made = factories.event(
            ruleset, user=person("Organiser", staff=True), name=name, place=place, language=language
        )
        rows = [{"entry": uuid4(), "name": each, "club": clubs} for each in names]
        made.act(actions.enter_players, players=rows)
        made.entries = list(Entry.objects.filter(tournament=made.tournament))
        factories.add_stage(made, kind, tables=tables, start=start, **(settings or {}))
    EVENTS[made.tournament.slug] = made
    return described(made)


def described(made: factories.Event) -> Answer:
    made.refresh()
    return {
        "slug": made.tournament.slug,
        "stage": str(made.stage.uid),
        "tables": [str(table.uid) for table in made.tables],
        "seats": [[str(uid) for uid in made.at(table)] for table in made.tables],
        "entries": {entry.public_name: str(entry.uid) for entry in made.entries},
        "organiser": signed_in(made.user),
    }


def club() -> Answer:
    """Two years of a club: sessions, a match and a championship; gives its tour's address, the players' uids by name
    and the slug of a session that is still played, which Börje leads."""
    made = tour_evenings.Club()
    names = ["Aino", "Börje", "Çağla", "Dima", "Eeva", "Fatima Al-Khalili de la Fontaine"]
    autumn = [[600, 900, 1200, 1500, 2100, 0], [700, 640, 1800, 2000, 2400, 0]]
    midwinter = [[600, 500, 1200, 0, 2100, 2500], [0, 640, 900, 2000, 800, 1200]]
    february = [[480, 1500, 1200, 1700, 0, None], [900, 640, 600, 2000, 0, None]]
    made.session(*names, games=autumn, on=date(2025, 9, 5), name="Autumn session", place="Café Corner")
    made.session(*names, games=midwinter, on=date(2026, 1, 16), name="Midwinter session")
    made.session(*names, games=february, on=date(2026, 2, 20), name="February session")
    made.match(*names[:4], on=date(2026, 3, 7), name="Match to five hundred")
    tour_evenings.final(made.heats(*names, tables=2, on=date(2026, 4, 1), name="Spring championship"))
    running = made.session(*names[1:4], games=[[60, 1200, 0]], on=date(2026, 5, 1), name="May", finish=False)
    EVENTS[running.tournament.slug] = running
    players = {name: str(uid) for name, uid in made.players.items()}
    return {"tour": made.address, "players": players, "slug": running.tournament.slug}


def finish(*, slug: str) -> None:
    """Finish the stage that is played."""
    tour_evenings.over(EVENTS[slug].refresh())


def stop_match(*, slug: str) -> None:
    """End the match at every table, as the referees do."""
    made = EVENTS[slug].refresh()
    for table in made.tables:
        made.act(actions.stop_match, table=table.uid, reason="late")


def screen(*, slug: str, scenes: list[str], seconds: int = 60, uid: str = "") -> str:
    """Hang up a big screen that shows these, each page for so many seconds; gives its address."""
    screen = UUID(uid) if uid else uuid4()
    EVENTS[slug].act(actions.add_screen, screen=screen, name="Hall")
    EVENTS[slug].act(actions.set_screen, screen=screen, scenes=scenes, seconds=seconds)
    return f"/en/t/{slug}/screen/{screen}/"


def remove_screen(*, slug: str, uid: str) -> None:
    EVENTS[slug].act(actions.remove_screen, screen=UUID(uid))


def announce(*, slug: str, words: dict[str, str], minutes: int | None = None) -> str:
    """Say something to everybody at the event; gives the announcement's uid."""
    uid = uuid4()
    EVENTS[slug].act(actions.announce, announcement=uid, words=words, minutes=minutes)
    return str(uid)


def call_referee(*, slug: str, table: str) -> None:
    EVENTS[slug].act(actions.call_referee, table=UUID(table))


def referee(*, slug: str, name: str) -> Answer:
    """A new head referee of that name."""
    user = person(name)
    role = Membership.Role.HEAD_REFEREE
    EVENTS[slug].act(actions.grant_role, membership=uuid4(), user=user.uid, role=role)
    return signed_in(user)


def token(*, slug: str, scope: str, everywhere: bool = False) -> str:
    """The secret of a new token of the event's organiser, for this event or for all of theirs."""
    made = EVENTS[slug]
    return factories.access_token(made.user, scope, None if everywhere else made.tournament)[1]


def let_players_time(*, slug: str) -> None:
    made = EVENTS[slug].refresh()
    made.act(actions.let_players_time, stage=made.stage.uid, wanted=True)


def start_game(*, slug: str, elapsed_s: int = 0) -> str:
    return str(factories.started_game(EVENTS[slug].refresh(), elapsed_s=elapsed_s))


def tap_out(*, slug: str, play: str, entry: str, elapsed_s: int | None = None) -> None:
    EVENTS[slug].act(actions.record_out, play=UUID(play), entry=UUID(entry), elapsed_s=elapsed_s)


def warn(*, slug: str, entry: str) -> None:
    made = EVENTS[slug].refresh()
    asked = {"table": made.table.uid, "incident": uuid4(), "text": "mocks"}
    made.act(actions.warn_player, entry=UUID(entry), **asked)


def end_game(*, slug: str, hands: dict[str, dict[str, int]]) -> None:
    """End the running game at the hour with these hands."""
    game = Play.objects.get(table__stage__tournament__slug=slug, state=Play.State.RUNNING)
    EVENTS[slug].act(actions.end_game, play=game.uid, ended="time", hands=hands, version=game.version)


def record_round(*, slug: str, winner: str, hands: dict[str, dict[str, int]]) -> str:
    return str(factories.recorded_round(EVENTS[slug].refresh(), UUID(winner), **hands))


def record_game(*, slug: str, out: list[str] | dict[str, int], last: str, table: int = 0) -> str:
    """The next game of a session's table: those of `out` went out a minute after each other, or in these seconds;
    `last` was left."""
    made = EVENTS[slug].refresh()
    play = uuid4()
    seconds = out if isinstance(out, dict) else {uid: 600 + 60 * index for index, uid in enumerate(out)}
    results: list[Answer] = [
        {"entry": UUID(uid), "outcome": "out", "elapsed_s": at} for uid, at in seconds.items()
    ]
    made.act(
        actions.record_game,
        table=made.tables[table].uid,
        play=play,
        number=made.tables[table].plays.count() + 1,
        ended="last",
        results=[*results, {"entry": UUID(last), "outcome": "last"}],
    )
    return str(play)


def own_link(*, entry: str) -> str:
    """The address of the page that is this player's own."""
    return f"/en/p/{token_for('player', UUID(entry), Entry.objects.get(uid=entry).link_number)}/"


def table_links(*, slug: str) -> list[str]:
    """The addresses in the codes of the event's tables, in their order."""
    tables = Table.objects.filter(stage__tournament__slug=slug).order_by("number")
    return [f"/en/at/{token_for('table', table.uid, table.link_number)}/" for table in tables]


def erase(*, slug: str, entry: str) -> None:
    EVENTS[slug].act(actions.erase_person, entry=UUID(entry))


def record_heat(*, slug: str, table: int = 0) -> str:
    made = EVENTS[slug].refresh()
    return str(factories.recorded_heat(made, made.tables[table]))


def plays(*, slug: str) -> list[Answer]:
    """Number, state and address of each play, in the order of the numbers."""
    rows = Play.objects.filter(table__stage__tournament__slug=slug).order_by("number")
    return [{"number": row.number, "state": row.state, "uid": str(row.uid)} for row in rows]


def ledger(*, slug: str) -> list[str]:
    """The actions in the ledger, the oldest first."""
    rows = LedgerRow.objects.filter(tournament__slug=slug).order_by("sequence")
    return list(rows.values_list("action", flat=True))


def rows(*, slug: str, username: str) -> dict[str, int]:
    """Give the sequence in the ledger of each command that this person entered."""
    found = LedgerRow.objects.filter(tournament__slug=slug, actor__username=username)
    return {str(command): sequence for command, sequence in found.values_list("command", "sequence")}


def games(*, slug: str) -> list[Answer]:
    """Each game, in the order of the numbers: how many seconds ago it began, and what each player did and when."""
    played = Play.objects.filter(table__stage__tournament__slug=slug).order_by("number")
    return [
        {
            "ago": (timezone.now() - game.started_at).total_seconds() if game.started_at else None,
            "results": {
                each.entry.public_name: [each.outcome, each.elapsed_s] for each in game.results.all()
            },
        }
        for game in played
    ]


def end_sign_ins(*, username: str) -> None:
    """Sign this person out on every device."""
    user = User.objects.get(username=username)
    for session in Session.objects.all():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def plan_stage(*, slug: str, kind: str) -> None:
    """Plan a stage after the others, nobody seated."""
    EVENTS[slug].act(actions.plan_stage, stage=uuid4(), kind=kind)


def next_stage(*, slug: str, kind: str, settings: Answer | None = None) -> Answer:
    """Finish the stage and plan another, filled from it and started."""
    made = EVENTS[slug].refresh()
    made.act(actions.finish_stage, stage=made.stage.uid)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind=kind, settings=settings or {})
    made.act(actions.fill_stage, stage=stage)
    made.act(actions.start_stage, stage=stage)
    made.stage = Stage.objects.get(uid=stage)
    return described(made)


def begin() -> None:
    """Begin another module's tests: `verify` skips the events that are there already."""
    EARLIER.update(Tournament.objects.values_list("slug", flat=True))


def verify(*, again: bool = False) -> str:
    """List what `manage.py verify` finds wrong in the events since `begin` that were written to since they were last
    clean or, `again`, in all of them; "" when everything is clean."""
    told = io.StringIO()
    versions = Tournament.objects.exclude(slug__in=EARLIER).order_by("pk").values_list("slug", "version")
    asked = {slug: version for slug, version in versions if again or CLEAN.get(slug) != version}
    try:
        if asked:
            call_command("verify", *asked, stdout=told)
    except CommandError as error:
        return f"{told.getvalue()}{error}"
    CLEAN.update(asked)
    return ""


def manage(*, arguments: list[str]) -> str:
    """Run a management command here, which is quicker than in a process of its own; gives what it printed."""
    told = io.StringIO()
    with translation.override("en"):
        call_command(*arguments, stdout=told)
    return told.getvalue()


def hour_is_up() -> None:
    """End every newcomer's practice."""
    end_practice(timezone.now() + LASTS)


OFFERED: list[Callable[..., Any]] = [
    event,
    organiser,
    club,
    finish,
    stop_match,
    screen,
    remove_screen,
    announce,
    call_referee,
    referee,
    token,
    start_game,
    tap_out,
    let_players_time,
    warn,
    end_game,
    record_round,
    record_game,
    own_link,
    table_links,
    erase,
    record_heat,
    plays,
    ledger,
    rows,
    games,
    end_sign_ins,
    everything,
    next_stage,
    plan_stage,
    hour_is_up,
    manage,
    begin,
    verify,
]
CALLS = {each.__name__: each for each in OFFERED}


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            said = {"answer": CALLS[asked["call"]](**asked["arguments"])}
        except Exception:  # told to the test, which fails with it; the next test goes on
            said = {"error": traceback.format_exc()}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
