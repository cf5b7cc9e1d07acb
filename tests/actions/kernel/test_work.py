"""Commands: each is carried out once, by somebody who may, on what its actor saw; a refused one leaves no trace."""

import re
from importlib import import_module
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.archives import archived, brought, forget
from tests.support.arriving import opened, registered
from tests.support.asking_actions import refusal, results, version
from tests.support.factories import (
    Event,
    GuestFactory,
    StaffFactory,
    UserFactory,
    add_stage,
    event,
    recorded_round,
    running_match,
)
from tests.support.paper import sound
from tests.support.undoing import undo
from tournament import actions, backup, live
from tournament.actions import Command
from tournament.actions.kernel import writing
from tournament.ledger.chain import content_digest
from tournament.ledger.verify import stored_facts
from tournament.models import Entry, LedgerNote, LedgerRow, Organiser, Play, Stage, Table, Tournament, User
from tournament.queries.visible import Seen
from tournament.results.contests import contest_now
from tournament.results.faults import CommandReused, Forbidden, Refused, Stale
from tournament.server import metrics

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def everything(made: Event) -> Any:
    """All that a command could have stored."""
    made.refresh()
    return (
        stored_facts(made.tournament),
        list(LedgerRow.objects.values_list("digest", flat=True)),
        list(LedgerNote.objects.values_list("text", flat=True)),
        list(Tournament.objects.values_list("version", "ledger_head")),
        list(Stage.objects.values_list("version", flat=True)),
        list(Play.objects.values_list("uid", "version")),
    )


def test_a_command_on_what_has_changed_since_it_was_seen_stores_nothing() -> None:
    """Whatever changed elsewhere in the event; a repeated one gets its first receipt."""
    made = running_match(players=2)
    entry, table = made.uids[0], made.table
    seen = {
        kind: Seen(made.tournament.version, kind, uid)
        for kind, uid in {"": None, "entry": entry, "stage": made.stage.uid, "table": table.uid}.items()
    }
    recorded_round(made)
    event_now = made.refresh().tournament
    assert [kind for kind, each in seen.items() if each.is_stale(event_now)] == ["", "stage", "table"]
    assert Seen(event_now.version + 1, "entry", entry).is_stale(event_now)
    command = Command(uuid4(), made.user, seen=seen["entry"])
    changed: dict[str, Any] = {"entry": entry, "club": "Noppa"}
    first = actions.edit_entry(command, event_now.uid, **changed)
    before = everything(made)
    with pytest.raises(Stale):
        actions.edit_entry(Command(uuid4(), made.user, seen=seen["entry"]), event_now.uid, **changed)
    assert actions.edit_entry(command, event_now.uid, **changed).sequence == first.sequence
    assert everything(made) == before


def test_the_same_command_again_gives_the_same_receipt() -> None:
    made = running_match()
    command, asked = Command(uuid4(), made.user, "phone"), sound(made, play=uuid4())
    first = actions.record_round(command, made.tournament.uid, **asked)
    before = everything(made)
    again = actions.record_round(command, made.tournament.uid, **asked)
    assert (again.sequence, again.at) == (first.sequence, first.at)
    assert (first.replayed, again.replayed) == (False, True)
    assert everything(made) == before


def test_a_command_from_another_device_of_the_same_actor_is_the_same() -> None:
    made = running_match()
    uid, asked = uuid4(), sound(made, play=uuid4())
    actions.record_round(Command(uid, made.user, "phone"), made.tournament.uid, **asked)
    assert actions.record_round(Command(uid, made.user, "tablet"), made.tournament.uid, **asked).replayed


def test_a_command_with_other_content_another_action_or_another_actor_is_refused() -> None:
    made = running_match()
    command, asked = Command(uuid4(), made.user), sound(made, play=uuid4())
    actions.record_round(command, made.tournament.uid, **asked)
    before = everything(made)
    with pytest.raises(CommandReused):
        actions.record_round(command, made.tournament.uid, **{**asked, "winner": made.uids[1]})
    with pytest.raises(CommandReused):
        actions.stop_match(command, made.tournament.uid, table=made.table.uid)
    with pytest.raises(CommandReused):
        actions.record_round(Command(command.id, StaffFactory()), made.tournament.uid, **asked)
    assert everything(made) == before


def test_a_commands_content_is_its_action_its_arguments_and_its_tournament() -> None:
    """These names stay for ever: a phone may send a command before an update, and again after it."""
    made = event()
    first = {"action": "create_tournament", "tournament": made.tournament.uid}
    (created,) = LedgerRow.objects.values_list("content", flat=True)
    told = {"name": made.tournament.name, "starts_on": made.tournament.starts_on}
    told |= {"organiser_name": "Club", "ruleset": "mattel-108"}
    assert created == content_digest({**first, "arguments": told})
    made.act(actions.tick, item="backup")
    again = {"action": "tick", "arguments": {"item": "backup"}, "tournament": made.tournament.uid}
    assert LedgerRow.objects.get(action="tick").content == content_digest(again)
    command = Command(uuid4(), made.user, content="x" * 64)
    actions.untick(command, made.tournament.uid, item="backup")
    assert LedgerRow.objects.get(action="untick").content == "x" * 64


def test_how_long_a_command_took_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    made = event()
    seconds: list[float] = []
    monkeypatch.setattr(metrics.saves, "observe", seconds.append)
    made.act(actions.tick, item="backup")
    assert len(seconds) == 1
    assert 0 < seconds[0] < 60


def test_before_many_are_entered_or_moved_a_backup_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = event()
    made_before: list[str] = []
    monkeypatch.setattr(backup, "before", made_before.append)
    command, players = Command(uuid4(), made.user), [{"entry": uuid4(), "name": "Aino"}]
    for _time in range(2):
        actions.enter_players(command, made.tournament.uid, players=players)
    with pytest.raises(Forbidden):
        actions.enter_players(Command(uuid4(), UserFactory()), made.tournament.uid, players=players)
    with pytest.raises(Tournament.DoesNotExist):
        actions.enter_players(command, uuid4(), players=players)
    made.act(actions.tick, item="backup")
    assert made_before == ["enter_players"]
    other = event(user=made.user)
    free = [{"entry": uuid4(), "name": "Aino"}]
    actions.enter_players(command, other.tournament.uid, players=free)  # the id is free there
    assert made_before == ["enter_players"] * 2


def test_no_backup_is_made_before_many_are_entered_in_a_guests_event(monkeypatch: pytest.MonkeyPatch) -> None:
    made = event(user=GuestFactory(), listed=False, organiser_name="")
    made_before: list[str] = []
    monkeypatch.setattr(backup, "before", made_before.append)
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Ylva"}])
    assert made_before == []


def test_a_command_id_is_free_in_another_tournament() -> None:
    one, other = running_match(), running_match()
    command = Command(uuid4(), StaffFactory())
    for made in (one, other):
        assert not actions.record_round(command, made.tournament.uid, **sound(made, play=uuid4())).replayed


def test_a_refused_command_stores_nothing_and_may_be_sent_again() -> None:
    made = running_match()
    command, asked = Command(uuid4(), made.user), sound(made, play=uuid4())
    before = everything(made)
    with pytest.raises(Refused):
        actions.record_round(command, made.tournament.uid, **{**asked, "winner": None})
    assert everything(made) == before
    assert not actions.record_round(command, made.tournament.uid, **asked).replayed


def test_creating_a_tournament_twice_makes_one() -> None:
    command, uid = Command(uuid4(), StaffFactory()), uuid4()
    asked: dict[str, Any] = {
        "name": "Spring",
        "starts_on": event().tournament.starts_on,
        "ruleset": "tite-2022",
    }
    first = actions.create_tournament(command, uid, **asked)
    assert actions.create_tournament(command, uid, **asked).sequence == first.sequence == 1
    assert Tournament.objects.filter(name="Spring").count() == Organiser.objects.count() - 1 == 1
    with pytest.raises(Refused) as refused:
        actions.create_tournament(Command(uuid4(), command.actor), uid, **asked)
    assert [fault.code for fault in refused.value.faults] == ["tournament_exists"]


def test_an_accepted_command_raises_the_versions_of_what_readers_see() -> None:
    made = running_match(players=4, tables=2)
    other = add_stage(event("mattel-108", 2), "match")
    before = made.tournament.version
    play = recorded_round(made)
    made.refresh()
    assert made.tournament.version == before + 1
    assert made.stage.version == version(made, play) == made.tournament.version
    row = LedgerRow.objects.get(tournament=made.tournament, sequence=made.tournament.version)
    assert (row.action, row.actor, row.replaces, row.digest) == (
        "record_round",
        made.user,
        None,
        made.tournament.ledger_head,
    )
    assert other.refresh().stage.version == other.tournament.version


def test_a_correction_says_what_it_replaces() -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    was = version(made, play)
    winner, other = made.uids
    asked = {"play": play, "winner": other, "hands": {str(winner): {"7": 1}}, "reason": "misread"}
    made.act(actions.correct_round, version=was, **asked)
    assert LedgerRow.objects.get(sequence=version(made, play), tournament=made.tournament).replaces == was


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, int]]:
    """The versions that listeners hear of, by announcement."""
    event()  # of another organiser, so that the site has more versions than the organiser's events together
    announced: list[dict[str, int]] = []
    monkeypatch.setattr(live, "announce", announced.append)
    return announced


def test_listeners_are_told_after_the_commit(
    told: list[dict[str, int]], django_capture_on_commit_callbacks: Any
) -> None:
    made = running_match()
    with django_capture_on_commit_callbacks(execute=True):
        recorded_round(made)
        assert told == []
    made.refresh()
    own = {str(made.tournament.uid): made.tournament.version}
    assert told == [own | {str(made.stage.uid): made.tournament.version}]


def test_lists_of_events_hear_at_once_of_all_but_results(
    told: list[dict[str, int]], django_capture_on_commit_callbacks: Any
) -> None:
    made = running_match()
    with django_capture_on_commit_callbacks(execute=True):
        made.act(actions.edit_tournament, name="Renamed")
    made.refresh()
    (versions,) = told
    assert versions[str(made.tournament.organiser.uid)] == made.tournament.version
    assert versions["site"] == sum(Tournament.objects.values_list("version", flat=True))
    with django_capture_on_commit_callbacks(execute=True):
        assert refusal(made, actions.record_round, **sound(made, number=9, play=uuid4()))
    assert len(told) == 1


@pytest.mark.django_db(transaction=True)
def test_a_broken_listener_does_not_fail_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(changes: dict[str, int]) -> None:
        raise RuntimeError(changes)

    made = running_match()
    monkeypatch.setattr(live, "announce", broken)
    recorded_round(made)
    assert Play.objects.count() == 1


def may(user: User, made: Event, **asked: Any) -> bool:
    try:
        actions.record_round(Command(uuid4(), user), made.tournament.uid, **asked)
    except Forbidden:
        return False
    return True


def test_who_may_enter_a_round() -> None:
    made, elsewhere = running_match(players=4, tables=2), running_match()
    here, there = made.tables
    head = made.referee()
    at_table, at_other = made.referee("table_referee", here), made.referee("table_referee", there)
    anywhere = made.referee("table_referee")
    gone = made.referee()
    gone.is_active = False
    gone.save()
    organiser_elsewhere = elsewhere.user
    organiser_elsewhere.is_staff = False
    organiser_elsewhere.save()
    expected = {
        made.user: True,
        head: True,
        at_table: True,
        anywhere: True,
        StaffFactory(): True,
        UserFactory(is_superuser=True): True,
        at_other: False,
        gone: False,
        UserFactory(): False,
        StaffFactory(is_active=False): False,
        organiser_elsewhere: False,
    }
    for user, allowed in expected.items():
        before = everything(made)
        number = Play.objects.count() + 1
        assert may(user, made, **sound(made, number, play=uuid4())) is allowed, user
        assert (everything(made) == before) is not allowed


def test_a_table_referee_corrects_and_voids_at_the_own_table_only() -> None:
    made = running_match(players=4, tables=2)
    play = recorded_round(made)
    at_table, at_other = (made.referee("table_referee", table) for table in made.tables)
    asked: dict[str, Any] = {"play": play, "version": version(made, play), "reason": "cards were missing"}
    with pytest.raises(Forbidden):
        actions.void_play(Command(uuid4(), at_other), made.tournament.uid, **asked)
    actions.void_play(Command(uuid4(), at_table), made.tournament.uid, **asked)
    made.tables = made.tables[1:]
    other = recorded_round(made)
    asked |= {"play": other, "version": version(made, other)}
    with pytest.raises(Forbidden):
        actions.void_play(Command(uuid4(), at_table), made.tournament.uid, **asked)
    actions.void_play(Command(uuid4(), at_other), made.tournament.uid, **asked)


def test_a_table_referee_removes_only_who_sits_at_the_own_table() -> None:
    made = running_match(players=4, tables=2)
    referee = made.referee("table_referee", made.table)
    stranger, own = made.at(made.tables[1])[0], made.at(made.table)[0]
    command = Command(uuid4(), referee)
    with pytest.raises(Forbidden):
        actions.remove_player(command, made.tournament.uid, entry=own, reason="disturbed")
    with pytest.raises(Refused) as refused:
        actions.remove_player(
            command, made.tournament.uid, entry=stranger, reason="disturbed", table=made.table.uid
        )
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [("not_seated", "/table")]
    actions.remove_player(command, made.tournament.uid, entry=own, reason="disturbed", table=made.table.uid)


def test_a_referee_sets_nothing_up() -> None:
    made = add_stage(event("mattel-108", 3), "match", start=False)
    for user in (made.referee(), StaffFactory()):
        command = Command(uuid4(), user)
        with pytest.raises(Forbidden):
            actions.plan_stage(command, made.tournament.uid, stage=uuid4(), kind="match")
        with pytest.raises(Forbidden):
            actions.enter_players(command, made.tournament.uid, players=[])
        actions.check_in(command, made.tournament.uid, entries=made.uids)
    assert set(Entry.objects.values_list("state", flat=True)) == {"checked_in"}


def test_a_device_may_say_anything_of_itself() -> None:
    made = running_match()
    device = "🃏\x00\ud800" * 100
    actions.record_round(
        Command(uuid4(), made.user, device), made.tournament.uid, **sound(made, play=uuid4())
    )
    assert LedgerRow.objects.get(action="record_round").device == "🃏" * 64
    assert results(made)


def test_a_table_read_before_the_lock_counts_until_the_ledger_grows() -> None:
    made = running_match()
    read = Table.objects.select_related("stage__tournament").get(pk=made.table.pk)
    read.stage.state = Stage.State.PLANNED  # unlike the row
    command, asked = Command(uuid4(), made.user, table=read), sound(made, play=uuid4())
    with pytest.raises(Refused, match="stage_not_running"):
        actions.record_round(command, made.tournament.uid, **asked)
    made.act(actions.tick, item="backup")
    assert not actions.record_round(command, made.tournament.uid, **asked).replayed


def test_a_tournament_that_is_not_there_is_said_so() -> None:
    made = running_match()
    with pytest.raises(Tournament.DoesNotExist):
        actions.record_round(Command(uuid4(), made.user), UUID(int=7), **sound(made, play=uuid4()))


def queries_of_a_round(made: Event) -> int:
    asked = sound(made, play=uuid4())
    contest_now(made.table)  # as far as the last command
    with CaptureQueriesContext(connection) as captured:
        made.act(actions.record_round, **asked)
    return len([query for query in captured if "SAVEPOINT" not in query["sql"]])


# Without BEGIN and COMMIT, with the table, which a page has read before; named in tests/views/entry/test_statements.py
ROUND_QUERIES = 8


def test_a_round_takes_as_many_queries_at_one_table_as_among_many() -> None:
    few, many = running_match(players=4), running_match(players=24, tables=6)
    for table in many.tables[1:]:
        many.tables = [table, *[other for other in many.tables if other != table]]
        recorded_round(many)
    many.refresh()
    assert queries_of_a_round(few) == queries_of_a_round(many) == ROUND_QUERIES


@pytest.mark.parametrize("reason", ["", "  ", "\x00\t"])
def test_a_correction_wants_a_reason(reason: str) -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    first, second = (str(uid) for uid in made.uids)
    asked = {
        "play": play,
        "version": made.play(play).version,
        "winner": UUID(first),
        "hands": {second: {"7": 1}},
    }
    assert refusal(made, actions.correct_round, reason=reason, **asked) == [("missing_reason", "/reason")]


@pytest.mark.django_db(transaction=True)
def test_how_long_others_wait_for_a_transaction_is_measured_once_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds: list[float] = []
    monkeypatch.setattr(metrics.holds, "observe", seconds.append)
    made = event()
    seconds.clear()
    with writing():
        made.act(actions.tick, item="backup")
        made.act(actions.untick, item="backup")
    made.act(actions.tick, item="backup")
    with pytest.raises(Refused):
        made.act(actions.tick, item="nothing")
    assert len(seconds) == 3
    assert min(seconds) > 0


def names_in(made: Event, client: Client) -> list[str]:
    """The names of the first table's players: in the cache of contests, if a published page says the same."""
    row = Stage.objects.select_related("tournament").get(pk=made.stage.pk)
    names = [contest_now(Table.objects.get(pk=made.table.pk)).names[str(uid)] for uid in made.uids[:2]]
    page = client.get(f"/en/t/{row.tournament.slug}/stage/{row.uid}/").content.decode()
    assert re.findall(r'standings__name"[^>]*><bdi>([^<]+)', page)[:2] == names
    return names


def test_a_name_is_told_apart_as_long_as_another_reads_the_same(client: Client) -> None:
    """Also on pages that were published and in contests that were read before."""
    made = running_match(players=2)
    opened(made, approval=True)
    assert names_in(made, client) == ["Aino", "Börje"]
    came = uuid4()
    made.act(actions.walk_in, entry=came, name="AINO")
    assert names_in(made, client) == ["Aino #1", "Börje"]
    assert made.refresh().stage.version == made.tournament.version  # its readers were told
    made.act(actions.edit_entry, entry=came, public_name="Borje", start_number=9, club="Noppa")
    assert names_in(made, client) == ["Aino", "Börje #2"]
    assert Entry.objects.get(uid=came).shown_name == "Borje (Noppa)"
    made.act(actions.edit_entry, entry=came, public_name="Outi", start_number=9)
    assert names_in(made, client) == ["Aino", "Börje"]
    made.act(actions.withdraw_entry, entry=came)
    asks = registered(made, "Àino")
    assert names_in(made, client) == ["Aino #1", "Börje"]
    made.act(actions.decline_entry, entry=asks)
    assert names_in(made, client) == ["Aino", "Börje"]
    undo(made)
    assert names_in(made, client) == ["Aino #1", "Börje"]
    made.act(actions.erase_person, entry=asks)
    assert names_in(made, client) == ["Aino", "Börje"]


def test_names_are_told_apart_in_an_archive_that_is_imported_and_in_rows_of_before() -> None:
    made = event(players=3)
    for uid, number in ((made.uids[0], 1), (made.uids[2], 3)):
        made.act(actions.edit_entry, entry=uid, public_name="Aino", start_number=number)
    shown = ["Aino #1", "Börje", "Aino #3"]
    assert [*made.tournament.entries.names().values()] == shown
    archive = archived(made.tournament)
    rows = Entry.objects.filter(tournament__uid=made.tournament.uid)
    rows.update(name_suffix="")
    import_module("tournament.migrations.0020_name_suffix").name_suffixes(apps, None)
    assert [*rows.names().values()] == shown
    forget(made.tournament)
    brought(archive)
    assert [*rows.names().values()] == shown
