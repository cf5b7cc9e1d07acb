"""Events with everything in them, for tests that ask for everything: one's own, somebody else's, one that is over, and
a rehearsal that was put away; and the people with their roles in one's own, the one that is over and the one put away.

Every private field of an event holds a canary: a text that stands nowhere else, with the name of the event in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from tests.support.arriving import by_link, opened, registered, token_of
from tests.support.factories import (
    Event,
    UserFactory,
    access_token,
    event,
    recorded_heat,
    running_match,
    running_race,
    running_session,
    webhook_of,
)
from tournament import actions
from tournament.actions import Command
from tournament.links import short_code, token_for
from tournament.models import (
    Apart,
    ApiToken,
    Ask,
    Decision,
    Delivery,
    Draw,
    Entry,
    Incident,
    LedgerCheck,
    LedgerNote,
    LedgerRow,
    Membership,
    PastResult,
    Play,
    Proposal,
    Season,
    SeasonEvening,
    Seat,
    Stage,
    Table,
    User,
)
from tournament.seating import DrawRecord, Person

OWN, OTHER, FOREIGN, FINISHED, AWAY = PLACES = ("own", "other table", "foreign", "finished", "hidden")

Role = Membership.Role
Values = dict[str, Any]

QUESTION = "00000000-0000-4000-8000-0000000000d1"
BORN = {"own": 1931, "foreign": 1932, "finished": 1933, "away": 1934}  # years that nothing else has
# Points that only the round after the freeze gives, and the hand that gives them.
LATE = {"own": 461, "foreign": 463, "finished": 467, "away": 479}
MOST = {"wild4": 4, "draw2": 8, "skip": 5}  # 460
HANDS = {
    "own": MOST | {"1": 1},
    "foreign": MOST | {"3": 1},
    "finished": MOST | {"7": 1},
    "away": MOST | {"9": 2, "1": 1},
}


@dataclass
class Made:
    """One event: the values of the parts of its addresses, and what is secret in it by kind of secret."""

    event: Event
    name: str
    values: Values = field(default_factory=dict)
    elsewhere: Values = field(default_factory=dict)  # the same of another table, what differs
    tokens: Mapping[str, str] = field(default_factory=dict)  # of links, by the name of the route
    secrets: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class World:
    """Every event by its name, and who asks by the role."""

    events: dict[str, Made]
    users: dict[str, User]
    program: str  # the secret of a token that only reads, of the organiser


def canary(kind: str, name: str) -> str:
    """A word that occurs nowhere else."""
    return f"Zq{kind}qz{name}"


def world() -> World:
    """Make all events, in some tenths of a second."""
    made = {name: _event(name) for name in ("own", "foreign", "finished", "away")}
    users: dict[str, User] = {
        "table referee": UserFactory(email=canary("mail", "people")),
        "head referee": UserFactory(),
        "organiser": UserFactory(),
        "staff": UserFactory(is_staff=True),
        "site admin": UserFactory(is_staff=True, is_superuser=True),
    }
    for each in made.values():
        if each.name != "foreign":
            _give_roles(each, users)
    _finish(made["finished"], users["head referee"])
    made["away"].event.act(actions.put_away)
    for each in made.values():
        _values(each)
    access, secret = access_token(users["organiser"])
    made["own"].values["access"] = access.uid
    made["own"].secrets["token's digest"] = [access.digest]
    made["own"].secrets["token's secret"] = [secret]
    other, secret = access_token(made["foreign"].event.user)
    made["foreign"].values["access"] = other.uid
    made["foreign"].secrets["token's secret"] = [secret]
    made["foreign"].secrets["token's digest"] = [other.digest]
    for name in ("finished", "away"):
        made[name].values["access"] = access.uid
    _paths(made)
    made["own"].secrets["mail"] = [canary("mail", "people")]
    made["own"].secrets["password"] = [user.password for user in users.values()]
    return World(made, users, access_token(users["organiser"])[1])


def empty_world() -> World:
    """Events as in `world`, with an empty stage."""
    made = {}
    for name in ("own", "foreign", "away"):
        away = name == "away"
        event_ = event("mattel-108", rehearsal=away, listed=not away, organiser_name=f"Club {name}")
        event_.act(actions.plan_stage, stage=uuid4(), kind="match", settings={})
        event_.stage = Stage.objects.get(tournament=event_.tournament)
        made[name] = Made(event_, name)
    made["away"].event.act(actions.put_away)
    return World(made, {"organiser": made["own"].event.user}, "")


def _event(name: str) -> Made:
    """Heats that are over, a final with rounds, some of them after its standings were frozen; people who only asked;
    and one row at least of everything that an event has."""
    away = name == "away"
    event_ = event(
        "tite-2022",
        rehearsal=away,
        listed=not away,
        organiser_name=canary("club", name) if away else f"Club {name}",
    )
    made = Made(event_, name)
    players = [
        {
            "entry": uuid4(),
            "name": f"Nick {name} {number}",
            "real_name": canary(f"real{number}", name),
            "birth_date": date(BORN[name] + (10 if number else 0), 7, 14),
            "contact": f"{canary(f'contact{min(number, 1)}', name)}@a.example",
            "club": "Guild",
            "guardian": True,
            "answers": {QUESTION: canary(f"answer{min(number, 1)}", name)},
        }
        for number in range(8)
    ]
    asked = {"id": QUESTION, "kind": "text", "labels": {"en": "Diet?"}}
    event_.act(actions.set_questions, questions=[asked])
    event_.act(actions.enter_players, players=players)
    event_.entries = list(Entry.objects.filter(tournament=event_.tournament))
    now, hour = timezone.now(), timedelta(hours=1)
    opened(event_, approval=True, check_in_from=now - hour, check_in_until=now + hour)
    made.values["asks"] = registered(event_, canary("asks", name), real_name=canary("realasks", name))
    event_.act(actions.keep_apart, first=event_.uids[0], second=event_.uids[7])
    event_.act(actions.different_people, entry=event_.uids[0], other=event_.uids[7])
    event_.act(actions.mark_paid, entries=event_.uids[:3])
    event_.act(actions.check_in, entries=event_.uids[:7])
    event_.act(actions.tick, item="decks")
    LedgerCheck.objects.create(tournament=event_.tournament, taken_at=now)
    _before_play(made)
    _play(made)
    _beside_the_cards(made)
    made.secrets |= {
        "own birth date": [str(BORN[name])],
        "birth dates": [str(BORN[name] + 10)],
        "own answer": [canary("answer0", name)],
        "answers": [canary("answer1", name)],
        "own contact": [canary("contact0", name)],
        "contacts": [canary("contact1", name)],
        "own name": [canary("real0", name)],
        "names": [canary(f"real{number}", name) for number in range(1, 8)] + [canary("realasks", name)],
        "who asks": [canary("asks", name)],
    }
    return made


def _before_play(made: Made) -> None:
    event_, name = made.event, made.name
    until = timezone.now() + timedelta(hours=1)
    made.values["invite"], made.values["screen"] = uuid4(), uuid4()
    event_.act(
        actions.create_invite,
        invite=made.values["invite"],
        role=Role.TABLE_REFEREE,
        expires_at=until,
        label=canary("label", name),
    )
    event_.act(actions.add_screen, screen=made.values["screen"], name="Hall")
    made.values["season"] = uuid4()
    if not event_.tournament.rehearsal:
        row = Season(uid=made.values["season"], organiser=event_.tournament.organiser, name="The year")
        row.place_points = [1]
        row.save()
        row.evenings.add(event_.tournament)
    made.values["announcement"] = uuid4()
    event_.act(actions.announce, announcement=made.values["announcement"], words={"en": canary("said", name)})
    webhook = webhook_of(event_, f"https://a.example/{canary('hookpass', name)}")
    made.values["webhook"] = webhook.uid
    made.secrets |= {
        "invite's label": [canary("label", name)],
        "webhook's address": [canary("hookpass", name)],
        "webhook's secret": [webhook.secret],
    }


def _play(made: Made) -> None:
    event_ = made.event
    heats, final = uuid4(), uuid4()
    event_.act(actions.plan_stage, stage=heats, kind="heats", settings={})
    people = [Person(uid, number) for number, uid in enumerate(event_.uids, 1)]
    record = DrawRecord.of(people, [4, 4], "2468")
    tables = [
        {"number": number, "entries": [UUID(uid) for uid in uids]} for number, uids in record.seats().items()
    ]
    event_.act(actions.seat_stage, stage=heats, tables=tables, draw=record.as_json())
    made.values["heats"] = heats
    event_.act(actions.start_stage, stage=heats)
    event_.stage = Stage.objects.get(uid=heats)
    event_.refresh()
    for table in event_.tables:
        recorded_heat(event_, table, advance=2)
    made.elsewhere = {"table": event_.tables[1], "play": Play.objects.get(table=event_.tables[1])}
    event_.act(actions.finish_stage, stage=heats)
    event_.act(actions.plan_stage, stage=final, kind="final", settings={"target": 500})
    event_.act(actions.fill_stage, stage=final)
    event_.act(actions.start_stage, stage=final)
    event_.act(actions.start_hall_clock, stage=final, minutes=20)
    seated = set(Seat.objects.filter(table__stage__uid=final).values_list("entry__uid", flat=True))
    PastResult.objects.create(entry=event_.entries[0], place=1)
    reserve = next(entry for entry in event_.entries if entry.uid not in seated)
    Decision.objects.create(stage=Stage.objects.get(uid=final), kind="reserve", entry=reserve, rank=1)
    event_.act(actions.set_programme, stages=[{"stage": final, "plan": {"minutes": 47}}])
    event_.act(actions.publish_programme)
    event_.stage = Stage.objects.get(uid=final)
    event_.refresh()


def _beside_the_cards(made: Made) -> None:
    """Add remarks made at the tables, and a round after the standings were frozen."""
    event_, name, table = made.event, made.name, made.event.table
    there: Table = made.elsewhere["table"]
    _round(made, {"7": 1})
    event_.act(actions.ask_second_look_at, play=_round(made, {"8": 1}))
    event_.act(actions.freeze_standings, stage=event_.stage.uid)
    made.values["play"] = _round(made, HANDS[name])
    made.secrets["frozen"] = [str(LATE[name])]
    version = Play.objects.get(table=table, number=1).version
    event_.act(
        actions.void_play,
        play=Play.objects.get(table=table, number=1).uid,
        version=version,
        reason=canary("reason", name),
    )
    for where in (table, there):
        event_.act(actions.call_referee, table=where.uid)
        said = {
            "text": canary(f"dispute{where.stage.number}", name),
            "ruling": canary(f"ruled{where.stage.number}", name),
        }
        event_.act(actions.record_ruling, table=where.uid, incident=uuid4(), **said)
        warned = {
            "entry": next(uid for uid in event_.at(where) if uid != event_.uids[0]),
            "text": canary(f"warned{where.stage.number}", name),
        }
        event_.act(actions.warn_player, table=where.uid, incident=uuid4(), **warned)
    here = {"token": token_for("table", table.uid), "proposal": uuid4(), "play": uuid4()}
    by_link(event_, actions.propose_result, number=table.plays.count() + 1, fields={}, **here)
    Proposal.objects.create(table=there, number=2, play=uuid4(), at=timezone.now())
    made.secrets |= {
        "reasons": [canary("reason", name)],
        "rulings": [canary(f"{word}{stage}", name) for word in ("dispute", "ruled") for stage in (1, 2)],
        "incident": [canary("warned2", name)],
        "other table's incident": [canary("warned1", name)],
    }


def _round(made: Made, hand: dict[str, int]) -> UUID:
    table, play = made.event.table, uuid4()
    winner, holds, *others = made.event.at(table)
    hands = {str(holds): hand} | {str(uid): {"0": 1} for uid in others}
    number = table.plays.count() + 1
    made.event.act(
        actions.record_round, table=table.uid, play=play, number=number, winner=winner, hands=hands
    )
    return play


def _give_roles(made: Made, users: dict[str, User]) -> None:
    for role, table in (("table referee", made.event.table.uid), ("head referee", None), ("organiser", None)):
        uid = uuid4()
        made.values.setdefault("membership", uid)
        made.event.act(
            actions.grant_role,
            membership=uid,
            user=users[role].uid,
            role=role.replace(" ", "_"),
            table=table,
        )


def _finish(made: Made, referee: User) -> None:
    play = Play.objects.get(table=made.event.table, second_look=Play.SecondLook.WANTED)
    command = Command(uuid4(), referee)
    actions.accept_play(command, made.event.tournament.uid, play=play.uid, version=play.version)
    made.event.act(actions.stop_match, table=made.event.table.uid)
    made.event.act(actions.finish_stage, stage=made.event.stage.uid)


def _values(made: Made) -> None:
    """Set the values for the parameters in the addresses of this event."""
    event_, there = made.event.refresh(), made.elsewhere["table"]
    tournament, table, entry = event_.tournament, event_.table, event_.entries[0]
    made.values |= {
        "slug": tournament.slug,
        "tournament": tournament.uid,
        "stage": event_.stage.uid,
        "table": table.uid,
        "entry": entry.uid,
        "player": entry.player.uid,
        "organiser": tournament.organiser.uid,
        "pair": Apart.objects.get(tournament=tournament).uid,
        "delivery": Delivery.objects.get(webhook__tournament=tournament).uid,
        "row": 2,  # players were entered
        "page": 1,
        "year": 2026,
        "version": tournament.version,
        "kind": "csv",
        "digest": "0" * 16,
        "colour": "8a1c4a",
        "ruleset": "kpgut-2016",
        "sheet": "fi",
        "topic": "referees",
        "code": short_code(table.uid, 0),
        **_at(table),
    }
    made.values.setdefault("membership", Membership.objects.filter(tournament=tournament)[0].uid)
    made.elsewhere = {"table": there.uid, "play": made.elsewhere["play"].uid, **_at(there)}
    invite, own = made.values["invite"], token_of(entry.uid)
    made.tokens = {
        "player": own,
        "invite": token_for("invite", invite),
        "table": token_for("table", table.uid),
        "hello": token_for("hello", tournament.uid),
        "ask": token_for("ask", Ask.objects.create(table=table, number=0, at=timezone.now()).uid),
    }
    made.secrets |= {
        "own link": [own],
        "others' links": [token_of(other.uid) for other in event_.entries[1:]],
        "invite's link": [made.tokens["invite"]],
        "table's code": [made.tokens["table"]],
        "table's short code": [short_code(table.uid, 0)],
        "other table's code": [token_for("table", there.uid)],
    }


def _at(table: Table) -> Values:
    return {
        "proposal": Proposal.objects.get(table=table).uid,
        "call": table.calls.get().uid,
        "incident": Incident.objects.filter(table=table, kind="warning")[0].uid,
    }


def _paths(made: dict[str, Made]) -> None:
    """Rows of the admin by their database keys; a session and a match are of events of their own."""
    others = {"session": running_session().stage.pk, "match": running_match().stage.pk}
    others |= {kind: running_race(kind=kind).stage.pk for kind in ("race", "races")}
    for each in made.values():
        tournament = each.event.tournament
        season = Season.objects.get_or_create(
            uid=each.values["season"], organiser=tournament.organiser, defaults={"name": "The year"}
        )[0]
        SeasonEvening.objects.get_or_create(season=season, tournament=tournament)
        each.values["keys"] = {
            "user": each.event.user.pk,
            "tournament": tournament.pk,
            "entry": each.event.entries[0].pk,
            "membership": tournament.memberships.all()[0].pk,
            "stage": each.event.stage.pk,
            "heats": tournament.stages.get(kind="heats").pk,
            "final": tournament.stages.get(kind="final").pk,
            **others,
            "organiser": tournament.organiser.pk,
            "player": each.event.entries[0].player.pk,
            "table": each.event.table.pk,
            "seat": each.event.table.seats.all()[0].pk,
            "play": each.event.table.plays.all()[0].pk,
            "result": each.event.table.plays.all()[0].results.all()[0].pk,
            "decision": Decision.objects.get(stage__tournament=tournament, kind="reserve").pk,
            "draw": Draw.objects.get(stage__tournament=tournament).pk,
            "apart": tournament.aparts.get().pk,
            "different": tournament.differents.get().pk,
            "registration": tournament.registration.pk,
            "invite": tournament.invites.get().pk,
            "tick": tournament.ticks.get().pk,
            "proposal": each.event.table.proposals.get().pk,
            "call": each.event.table.calls.get().pk,
            "incident": tournament.incidents.all()[0].pk,
            "screen": tournament.screens.get().pk,
            "season": season.pk,
            "seasonevening": SeasonEvening.objects.get(season=season).pk,
            "announcement": tournament.announcements.get().pk,
            "pastresult": PastResult.objects.get(entry__tournament=tournament).pk,
            "hallclock": tournament.hall_clocks.get().pk,
            "apitoken": ApiToken.objects.get(uid=each.values["access"]).pk,
            "webhook": tournament.webhooks.get().pk,
            "delivery": Delivery.objects.get(webhook__tournament=tournament).pk,
            "ledgerrow": LedgerRow.objects.filter(tournament=tournament)[0].pk,
            "ledgercheck": tournament.ledger_check.pk,
            "ledgernote": LedgerNote.objects.filter(row__tournament=tournament)[0].pk,
        }
