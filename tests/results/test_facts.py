"""The ledger's facts of a row of each kind are, byte for byte, those of fixtures/ledger/facts.json.

Digests of ledgers that people keep cover these texts. A field that came later is in none of the `bare` rows: nobody
set it, so rows from before are what they were. A new kind or field is added there by hand; a line that stands there is
never changed.
"""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

import pytest

from tournament.models import (
    Apart,
    Call,
    Decision,
    Draw,
    Entry,
    Incident,
    Invite,
    Membership,
    Organiser,
    Play,
    Player,
    Proposal,
    Registration,
    Screen,
    Seat,
    Stage,
    Table,
    Tick,
    Tournament,
    User,
)
from tournament.models.base import PublicModel
from tournament.results.facts import PlayFacts, ResultFacts, facts_of, grouped, kind_of

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "ledger" / "facts.json").read_text(encoding="utf-8")
)
NOON = datetime(2026, 5, 9, 12, 0, 0, 250_000, tzinfo=UTC)


def uid(name: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"lastcard:facts:{name}")


USER = User(uid=uid("user"))
ORGANISER = Organiser(uid=uid("organiser"))
EVENT = Tournament(
    uid=uid("event"),
    organiser=ORGANISER,
    name="Cup",
    starts_on=date(2026, 5, 9),
    ruleset="mattel-108",
    ruleset_revision="3",
)
ONE, TWO, THREE = (
    Entry(uid=uid(f"entry {n}"), player=Player(uid=uid(f"player {n}")), public_name="Aino", start_number=n)
    for n in (1, 2, 3)
)
STAGE = Stage(uid=uid("stage"), tournament=EVENT, number=1, kind=Stage.Kind.MATCH)
TABLE = Table(uid=uid("table"), stage=STAGE, number=4)
PLAY = Play(uid=uid("play"), table=TABLE, number=2, state=Play.State.ENTERED)
INVITE = Invite(uid=uid("invite"), role=Membership.Role.TABLE_REFEREE, expires_at=NOON)

BARE: list[PublicModel] = [
    EVENT,
    ONE,
    Membership(user=USER, role=Membership.Role.ORGANISER),
    STAGE,
    TABLE,
    Seat(table=TABLE, entry=ONE, position=1),
    Decision(stage=STAGE, kind=Decision.Kind.ADVANCE, entry=ONE),
    Draw(stage=STAGE, number=1, record={}),
    Apart(first=ONE, second=TWO),
    Registration(),
    INVITE,
    Tick(item=Tick.Item.DECKS, at=NOON, by=USER),
    Proposal(table=TABLE, number=3, play=uid("proposed"), at=NOON),
    Call(table=TABLE, at=NOON),
    Incident(kind=Incident.Kind.RULING, at=NOON, by=USER),
    Screen(name="Hall", scenes=["welcome"]),
]
FULL: list[PublicModel] = [
    Tournament(
        organiser=ORGANISER,
        slug="cup",
        name="Cup",
        starts_on=date(2026, 5, 9),
        place="Hall",
        time_zone="Europe/Stockholm",
        language=Tournament.Language.SWEDISH,
        ruleset="tite-2022",
        ruleset_revision="2",
        state=Tournament.State.RUNNING,
        listed=False,
        rehearsal=True,
        put_away=True,
        decks=4,
        version=7,
        ledger_head="0",
    ),
    Entry(
        player=Player(uid=uid("player 2"), contact="0401"),
        public_name="Aino",
        club="Club",
        start_number=7,
        state=Entry.State.CHECKED_IN,
        guardian=True,
        accepted_at=NOON,
        link_number=2,
    ),
    Membership(user=USER, role=Membership.Role.TABLE_REFEREE, table=TABLE, invite=INVITE),
    Stage(
        number=2,
        kind=Stage.Kind.HEATS,
        name="Heats",
        settings={"advance": {"1": 2}},
        card_texts=["Sing"],
        plan={"minutes": 30},
        first_plan={"minutes": 20},
        state=Stage.State.FINISHED,
        second_look=True,
        frozen_after=5,
        revealed=0,
        version=7,
    ),
    Stage(number=3, kind=Stage.Kind.FINAL, state=Stage.State.RUNNING, frozen_after=5),
    Table(
        stage=STAGE,
        number=4,
        stopped=True,
        oldest=ONE,
        youngest=TWO,
        starter=THREE,
        link_number=3,
    ),
    Seat(table=TABLE, entry=ONE, position=1, out_as=Seat.OutAs.WITHDRAWN, out_from=7),
    Decision(stage=STAGE, kind=Decision.Kind.RESERVE, entry=ONE, rank=2),
    Draw(stage=STAGE, number=2, record={"seed": "7", "of": [1, 2]}),
    Apart(first=TWO, second=ONE),
    Registration(
        opened=True,
        closes_at=NOON,
        approval=True,
        most=24,
        check_in_from=NOON,
        check_in_until=NOON,
        terms="Be kind.",
        safer_space="All welcome.",
        contact_person="Kim",
    ),
    Invite(
        role=Membership.Role.HEAD_REFEREE,
        tables=[str(TABLE.uid)],
        label="Kim",
        most=3,
        expires_at=NOON,
        revoked_at=NOON,
    ),
    Tick(item=Tick.Item.BACKUP, at=NOON, by=USER),
    Proposal(
        table=TABLE,
        number=3,
        play=uid("proposed"),
        fields={"ended": "time"},
        state=Proposal.State.ACCEPTED,
        at=NOON,
    ),
    Call(table=TABLE, kind=Call.Kind.CONTEST, play=PLAY, at=NOON, answered_at=NOON, answered_by=USER),
    Incident(
        table=TABLE,
        play=PLAY,
        entry=ONE,
        kind=Incident.Kind.DISPUTE,
        code="late",
        cards=4,
        at=NOON,
        by=USER,
        text="Stacked?",
        ruling="No.",
        decided=Incident.Decided.VOTES,
        yes=False,
        votes_yes=1,
        votes_no=2,
        withdrawn=True,
    ),
    Screen(name="Hall", scenes=["seats", "clock"], stage=STAGE, seconds=20),
]
PLAYS = {
    "bare": PlayFacts(PLAY.uid, TABLE.uid, 2, Play.State.RUNNING),
    "full": PlayFacts(
        uid=PLAY.uid,
        table=TABLE.uid,
        number=2,
        state=Play.State.ENTERED,
        results=(
            ResultFacts(uid("result 1"), ONE.uid),
            ResultFacts(uid("result 2"), TWO.uid, "holds", 61, {"wild4": 1}, 2),
        ),
        started_at=NOON,
        ended=Play.Ended.TIME,
        duration_s=900,
        decks=2,
        last_cards={"draw2": 1},
        drew=TWO.uid,
        advance=3,
        second_look=Play.SecondLook.WANTED,
        version=7,
    ),
}


def texts() -> dict[str, list[str]]:
    """Each row as the text that the database is given."""
    of: dict[str, list[Any]] = {"bare": [], "full": []}
    for name, rows in (("bare", BARE), ("full", FULL)):
        of[name] += [{kind_of(row): facts_of(row)} for row in rows]
        of[name].append({"play": PLAYS[name].as_json()})
    return {name: [json.dumps(row) for row in rows] for name, rows in of.items()}


@pytest.mark.parametrize("rows", ["bare", "full"])
def test_facts_of_each_kind_are_those_of_every_version(rows: str) -> None:
    assert texts()[rows] == [json.dumps(row) for row in GOLDEN[rows]]


@pytest.mark.parametrize("play", PLAYS)
def test_a_play_is_read_as_it_was_written(play: str) -> None:
    said = PLAYS[play]
    assert PlayFacts.from_json(str(said.uid), said.as_json()) == said


def test_values_are_grouped_by_key_in_the_order_in_which_they_come() -> None:
    assert list(grouped([("b", 1), ("a", 2), ("b", 3)]).items()) == [("b", [1, 3]), ("a", [2])]
