"""The chain: what a row's digest covers, that rows hold ids and numbers only, and that free text can be erased."""

import json
from datetime import date, timedelta, timezone
from typing import Any
from uuid import uuid4

import pytest

from tests.support.factories import StaffFactory, add_stage, event, recorded_heat, started_game
from tests.support.uids import without_uids
from tournament import actions
from tournament.ledger.chain import canonical, digest, digest_of
from tournament.ledger.verify import verify
from tournament.models import (
    Decision,
    Entry,
    LedgerNote,
    LedgerRow,
    Organiser,
    Player,
    Stage,
    Tournament,
    User,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]

CANARY = "canary"


def rows() -> list[LedgerRow]:
    return list(LedgerRow.objects.select_related("tournament", "actor"))


def sung() -> Tournament:
    """An event with the canary in every text that somebody can write."""
    made = event(
        "tite-2022",
        name=f"{CANARY} cup",
        place=f"{CANARY} hall",
        organiser_name=f"{CANARY} club",
        slug=f"{CANARY}-cup",
        user=StaffFactory(
            username=f"{CANARY}-user", first_name=CANARY, last_name=CANARY, email=f"{CANARY}@a.fi"
        ),
    )
    uids = [uuid4() for _ in range(4)]
    players = [{"entry": uid, "name": f"{CANARY} {at}", "club": CANARY} for at, uid in enumerate(uids)]
    made.act(actions.enter_players, players=players)
    made.entries = list(Entry.objects.filter(tournament=made.tournament))
    made.act(
        actions.edit_entry,
        entry=uids[0],
        public_name=f"{CANARY} one",
        start_number=1,
        contact=CANARY,
        birth_date=date(1987, 6, 5),
    )
    made = add_stage(made, "heats", tables=1)
    play = recorded_heat(made)
    asked = {"play": play, "version": made.play(play).version, "reason": f"{CANARY} misread"}
    made.act(actions.correct_heat, finish_order=uids[:1], **asked)
    made.act(actions.remove_player, entry=uids[3], reason=f"{CANARY} shouted")
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", name=f"{CANARY} final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final, decided=[uids[1]], reason=f"{CANARY} drawn by lot")
    table = uuid4()
    made.act(
        actions.seat_stage, stage=final, tables=[{"number": 1, "entries": uids[:2]}], seed=f"{CANARY} seed"
    )
    del table
    return made.refresh().tournament


def test_a_row_holds_no_name_and_no_free_text() -> None:
    tournament = sung()
    for row in rows():
        said = json.dumps([row.payload, row.content, row.digest, row.action, row.device]).lower()
        assert CANARY not in said
        assert "1987" not in without_uids(said)
    assert LedgerNote.objects.filter(text__contains=CANARY).count() == 4
    assert verify(tournament) == []


def test_free_text_and_names_can_be_erased_and_the_chain_holds() -> None:
    tournament = sung()
    LedgerNote.objects.filter(text__contains="shouted").update(text="")
    LedgerNote.objects.filter(text__contains="lot").delete()
    Player.objects.update(name="erased", contact="", birth_date=None)
    Entry.objects.update(public_name="erased", club="")
    Organiser.objects.update(name="erased")
    User.objects.update(first_name="", last_name="", email="", username=uuid4().hex)
    Stage.objects.update(name="")
    Tournament.objects.update(name="erased", place="", slug="erased")
    tournament.refresh_from_db()
    assert verify(tournament) == []


def test_each_row_follows_the_one_before() -> None:
    tournament = sung()
    chain = rows()
    assert [row.sequence for row in chain] == list(range(1, len(chain) + 1))
    assert [row.previous for row in chain] == ["", *(row.digest for row in chain[:-1])]
    assert [digest_of(row) for row in chain] == [row.digest for row in chain]
    assert (tournament.version, tournament.ledger_head) == (len(chain), chain[-1].digest)


CHANGES: dict[str, Any] = {
    "sequence": 99,
    "device": "another",
    "command": uuid4(),
    "action": "nothing",
    "replaces": 1,
    "payload": {"play": {}},
    "content": "0" * 64,
    "previous": "0" * 64,
}


@pytest.mark.parametrize("field", [*CHANGES, "at", "actor", "tournament"])
@pytest.mark.sweep
def test_the_digest_covers_every_field(field: str) -> None:
    sung()
    row = rows()[3]
    if field == "at":
        row.at += timedelta(microseconds=1)
    elif field == "actor":
        row.actor = StaffFactory()
    elif field == "tournament":
        row.tournament = event().tournament
    else:
        setattr(row, field, CHANGES[field])
    assert digest_of(row) != row.digest


def test_the_digest_does_not_depend_on_the_zone_or_on_the_order_of_keys() -> None:
    sung()
    row = rows()[-1]
    row.at = row.at.astimezone(timezone(timedelta(hours=3)))
    row.payload = dict(reversed(row.payload.items()))
    assert digest_of(row) == row.digest


def test_equal_values_have_one_text_and_one_digest() -> None:
    assert canonical({"b": [1, None, True], "a": "Ä\ud800"}) == '{"a":"\\u00c4\\ud800","b":[1,null,true]}'
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert len({digest(value) for value in (1, 1.0, True, "1", [1], None)}) == 6


def test_a_withdrawn_row_is_gone_from_the_folded_facts() -> None:
    made = event(players=2)
    made.act(actions.withdraw_entry, entry=made.uids[1])
    last = rows()[-1]
    assert last.payload == {"entry": {str(made.uids[1]): None}}
    assert verify(Tournament.objects.get()) == []


def test_a_row_says_all_that_its_command_wrote() -> None:
    made = add_stage(event("kpgut-2016", 2), "session")
    play = started_game(made)
    made.act(actions.record_out, play=play, entry=made.uids[0], elapsed_s=61)
    facts = rows()[-1].payload["play"][str(play)]
    assert (facts["state"], facts["ended"], facts["duration_s"]) == ("entered", "last", 61)
    assert [(row["entry"], row["outcome"], row["elapsed_s"]) for row in facts["results"]] == [
        (str(made.uids[0]), "out", 61),
        (str(made.uids[1]), "last", None),
    ]
    assert not Decision.objects.exists()
