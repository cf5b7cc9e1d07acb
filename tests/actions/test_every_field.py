"""Every field has a say: what merging two entries, copying an event and erasing a person do with it.

A new field fails here until its line in the field table (tournament/models/) says so and a test gives it a value.
"""

from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import models

from tests.support.arriving import own
from tests.support.factories import event
from tests.support.pictures import in_base64, picture
from tournament import actions
from tournament.actions import Command
from tournament.models import (
    ROWS,
    Different,
    Entry,
    Incident,
    Organiser,
    Player,
    PublicModel,
    Registration,
    Screen,
    Stage,
    Table,
    Tournament,
    User,
)
from tournament.queries.people import data_of

# What happened at one event, or belongs to it alone: a copy of the event has no such rows.
NOT_COPIED = {
    *(
        "Organiser",
        "Table",
        "Invite",
        "Seat",
        "Decision",
        "Draw",
        "Tick",
        "Play",
        "Result",
        "Proposal",
        "Call",
    ),
    *("PastResult", "Incident", "Announcement", "HallClock", "LedgerRow", "LedgerNote"),
}
# Texts and objects in which no player is named, and so stay as they are where one is erased.
NAMES_NOBODY = {
    "Organiser": {"list_columns"},
    "Tournament": {"slug", "name", "place", "time_zone", "ruleset", "ruleset_revision", "description", "fee"}
    | {"bring", "colour", "logo", "ledger_head"},
    "Registration": {"terms", "safer_space", "questions"},
    "Entry": {"division"},
    "Player": {"lent"},  # names of fields
    "Stage": {"name", "settings", "card_texts", "plan", "first_plan", "source"},
    "Invite": {"tables"},
    "Draw": {"record"},
    "Different": {"players"},
    "PastResult": {"points", "average"},
    "Play": {"last_cards"},
    "Result": {"hand"},
    "Proposal": {"fields"},
    "Incident": {"code"},
    "Screen": {"name", "scenes"},
    "HallClock": {"extra"},
    "LedgerRow": {"device", "action", "payload", "content", "previous", "digest"},
}
# Of these the organisers write what they like; nobody's data are among them (docs/privacy.md).
OF_THE_EVENT = {("Organiser", "name"), ("Registration", "contact_person"), ("Invite", "label")}
OF_THE_EVENT |= {("Announcement", "words")}
COPIED = [model for model in ROWS if not model.FIELDS.apart and model.__name__ not in NOT_COPIED]


@pytest.mark.parametrize("model", ROWS, ids=lambda model: model.__name__)
def test_each_field_says_what_becomes_of_it(model: type[PublicModel]) -> None:
    lines = model.FIELDS.fields
    merged = {line.name for line in lines if line.merge}
    assert merged == ({line.name for line in lines} if model in (Entry, Player) else set())
    assert {line.name for line in lines if line.copy is not None} == (
        {line.name for line in lines} if model in COPIED else set()
    )
    words = {line.name for line in lines if not line.personal and holds_words(model, line.name)}
    assert words == NAMES_NOBODY.get(model.__name__, set())


def holds_words(model: type[PublicModel], name: str) -> bool:
    """Whether somebody's words, or an object of any content, may be in this field."""
    column: Any = model._meta.get_field(name)
    return isinstance(column, models.CharField | models.TextField | models.JSONField) and not column.choices


def value_of(row: PublicModel, name: str) -> Any:
    """A field's value as it can be compared between an event and its copy: rows by what they are called."""
    value: Any = getattr(row, name)
    if isinstance(value, Player | User | Organiser | Entry | Stage):
        return str(value)
    if isinstance(row, Different):
        return sorted(Player.objects.filter(uid__in=value).values_list("name", flat=True))
    if name == "questions":
        return [{**question, "id": ""} for question in value]
    return bytes(value) if isinstance(value, memoryview) else value


def copied(tournament: Tournament) -> dict[str, list[str]]:
    """The values of all fields that a copy has, by model and field."""
    return {
        f"{model.__name__}.{line.name}": sorted(repr(value_of(row, line.name)) for row in rows)
        for model in COPIED
        for rows in [model._default_manager.filter(**{model.FIELDS.of: tournament.pk})]
        for line in model.FIELDS.fields
        if line.copy
    }


def with_all_that_is_copied() -> Any:
    """An event in which each field that a copy has has a value of its own."""
    made = event(
        "mattel-112",
        organiser_name="Guild",
        place="Tampere",
        time_zone="Asia/Tokyo",
        language="fi",
        listed=False,
        description="Uno",
        doors_at="17:30",
        starts_at="18:00",
        fee="5",
        bring="Cards",
        colour="#123456",
        logo=in_base64(picture()),
    )
    a, b = uuid4(), uuid4()
    known = {"birth_date": date(1990, 1, 31), "contact": "040", "real_name": "Anna Laine", "club": "Noppa"}
    rows = [{"entry": a, "name": "Aino", **known}, {"entry": b, "name": "Aino"}]
    made.act(actions.enter_players, players=rows)
    made.act(actions.keep_apart, first=a, second=b)
    made.act(actions.different_people, entry=a, other=b)
    stage = uuid4()
    settings = {"settings": {"target": 300, "custom_cards": 1}, "card_texts": ["Sing"], "second_look": True}
    made.act(actions.plan_stage, stage=stage, kind="match", name="The match", **settings)
    plan = {"starts_at": datetime(2026, 5, 9, 15, tzinfo=UTC).isoformat(), "minutes": 90}
    made.act(actions.set_programme, stages=[{"stage": stage, "plan": plan}])
    said = {"terms": "Be kind.", "safer_space": "For all.", "contact_person": "Outi"}
    made.act(actions.set_registration, opened=True, approval=True, most=40, **said)
    made.act(actions.set_questions, questions=[{"id": str(uuid4()), "kind": "text", "labels": {"fi": "?"}}])
    made.act(actions.set_decks, decks=4)
    screen = uuid4()
    made.act(actions.add_screen, screen=screen, name="Wall")
    made.act(actions.set_screen, screen=screen, scenes=["standings"], seconds=20, stage=stage)
    made.referee("head_referee")
    return made


@pytest.mark.django_db
def test_an_edit_that_names_nothing_changes_nothing() -> None:
    made = with_all_that_is_copied()
    stage, screen, table = Stage.objects.get().uid, Screen.objects.get().uid, uuid4()
    one, other = Entry.objects.order_by("start_number").values_list("uid", flat=True)
    made.act(actions.seat_table, stage=stage, table=table, number=1, entries=[one, other])
    made.act(actions.name_roles, table=table, oldest=one, youngest=other, starter=other)

    def stored() -> list[dict[str, Any]]:
        models: Any = (Tournament, Entry, Player, Registration, Screen, Stage, Table)
        rows = (row for model in models for row in model._default_manager.order_by("pk").values())
        return [{name: row[name] for name in row if name not in {"version", "ledger_head"}} for row in rows]

    before = stored()
    made.act(actions.edit_tournament)
    made.act(actions.edit_entry, entry=one)
    made.act(actions.set_registration)
    made.act(actions.set_screen, screen=screen)
    made.act(actions.set_stage_settings, stage=stage)
    made.act(actions.name_roles, table=table)
    made.act(actions.set_programme, stages=[{"stage": stage, "plan": {}}])
    made.act(actions.set_levels, levels=[{"stage": stage, "kind": "match"}])
    own(made, actions.change_own_entry, one)
    assert stored() == before
    made.act(actions.set_programme, stages=[{"stage": stage, "plan": {"minutes": None}}])
    assert Stage.objects.get().plan.keys() == {"starts_at"}


@pytest.mark.django_db
def test_a_copy_has_every_field_that_says_so() -> None:
    made, uid = with_all_that_is_copied(), uuid4()
    day = made.tournament.starts_on
    asked = {"name": "Again", "starts_on": day, "players": True, "roles": True, "rehearsal": True}
    actions.copy_event(Command(uid, made.user), made.tournament.uid, **asked)
    source, copy = copied(made.tournament), copied(Tournament.objects.get(uid=uid))
    assert copy == source
    bare = copied(event("mattel-112", user=made.user).tournament)
    assert {name for name, values in source.items() if values == bare[name]} == {"Tournament.ruleset"}


@pytest.mark.django_db
def test_a_merged_entry_has_every_field_that_only_the_other_had() -> None:
    made = event(players=2)
    keep, other = made.entries
    filled: dict[type[PublicModel], dict[str, Any]] = {
        Entry: {"club": "Noppa", "guardian": True, "accepted_at": datetime(2026, 5, 9, tzinfo=UTC)},
        Player: {"birth_date": date(1990, 1, 31), "contact": "040"},
    }
    filled[Entry] |= {"paid": True, "answers": {str(uuid4()): "vegan"}, "division": "Juniors"}
    for model, values in filled.items():
        assert values.keys() == {line.name for line in model.FIELDS.fields if line.merge == "fill"}
    Player.objects.filter(pk=other.player_id).update(**filled[Player])
    Entry.objects.filter(pk=other.pk).update(**filled[Entry])
    made.act(actions.merge_entries, keep=keep.uid, other=other.uid)
    keep.refresh_from_db()
    for row, values in ((keep, filled[Entry]), (keep.player, filled[Player])):
        assert {name: getattr(row, name) for name in values} == values


CANARY = "Xanthippe"


def fill(row: PublicModel) -> None:
    """Write the canary, or a day that nobody else was born on, into each of the row's personal fields."""
    for name in row.FIELDS.personal:
        column: Any = row._meta.get_field(name)
        texts = {models.DateField: date(1987, 7, 14), models.JSONField: {CANARY: CANARY}}
        setattr(row, name, texts.get(type(column), f"{CANARY} {name} {row.pk}"))
    row.save()


@pytest.mark.django_db
@pytest.mark.parametrize("which", range(3))
def test_every_personal_field_is_erased_under_each_entry_of_a_person(which: int) -> None:
    """Whichever of the entries that were merged is erased; of somebody else, whose merging was undone, nothing is."""
    made = event(players=4)
    people, somebody = made.entries[:3], made.entries[3]
    earlier = event(user=made.user, organiser=made.tournament.organiser.uid)
    again: dict[str, Any] = {"entry": uuid4(), "name": "Again", "player": people[1].player.uid}
    earlier.act(actions.enter_players, players=[again])
    made.act(actions.remove_player, entry=people[1].uid, reason="to be erased")
    made.act(actions.readmit_player, entry=people[1].uid)
    people[1].refresh_from_db()
    for entry in (*made.entries, Entry.objects.get(uid=again["entry"])):
        fill(entry.player)
        fill(entry)
    made.act(actions.merge_entries, keep=people[1].uid, other=people[2].uid)
    made.act(actions.merge_entries, keep=people[0].uid, other=people[1].uid)
    undone = made.act(actions.merge_entries, keep=people[0].uid, other=somebody.uid).sequence
    made.act(actions.undo, row=undone)
    data = data_of(Entry.objects.get(pk=people[which].pk).player, all_results=True)
    assert [row["start_number"] for row in data["events"]] == [1, 2, 3, 1]
    made.act(actions.erase_person, entry=people[which].uid)
    left = [
        (model.__name__, row.pk)
        for model in ROWS
        for row in model._default_manager.all()
        for texts in [[getattr(row, line.name) for line in model.FIELDS.fields]]
        if CANARY in str(texts) or date(1987, 7, 14) in texts
    ]
    assert left == [("Player", somebody.player_id), ("Entry", somebody.pk)]
    assert not Incident.objects.exclude(text="").exists()
