"""People over events: joined and parted again, renamed, left out, told apart."""

from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.arriving import own
from tests.support.asking_actions import refusal
from tests.support.factories import Event, event
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.models import Different, Entry, Invite, Membership, Player, Stage, Tournament
from tournament.queries.people import data_of
from tournament.results.faults import Forbidden

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def evenings() -> list[Event]:
    """Three evenings of a club, each of them with an Ansku of its own."""
    first = event(name="First")
    more: dict[str, Any] = {"user": first.user, "organiser": first.tournament.organiser.uid}
    made = [first, event(name="Second", **more), event(name="Third", **more)]
    for each in made:
        enter(each, "Ansku")
    return made


def enter(made: Event, name: str, **more: Any) -> Entry:
    uid = uuid4()
    made.act(actions.enter_players, players=[{"entry": uid, "name": name, **more}])
    return Entry.objects.get(uid=uid)


def players(evenings: list[Event]) -> list[UUID]:
    return [Player.objects.get(entries__tournament=each.tournament).uid for each in evenings]


def organiser(made: Event) -> UUID:
    return made.tournament.organiser.uid


def sound() -> bool:
    return not [fault for row in Tournament.objects.all() for fault in verify(row)]


def test_joined_people_are_one_in_all_events_until_they_are_parted(evenings: list[Event]) -> None:
    before = players(evenings)
    keep, other, third = before
    Player.objects.filter(uid=other).update(contact="040", birth_date=date(1990, 1, 31))
    joined = evenings[2].act(actions.join_people, groups=[[keep, other, third]])
    assert players(evenings) == [keep] * 3
    kept = Player.objects.get(uid=keep)
    assert (kept.contact, kept.birth_date) == ("040", date(1990, 1, 31))
    assert sound()
    evenings[2].act(actions.part_people, row=joined.sequence)
    assert players(evenings) == before
    assert sound()
    assert not Player.objects.exclude(joined_to=None).exists()


def details(*uids: UUID) -> list[tuple[str, date | None]]:
    rows = {row.uid: row for row in Player.objects.all()}
    return [(rows[uid].contact, rows[uid].birth_date) for uid in uids]


@pytest.mark.parametrize("way", ["all", "one"])
def test_what_each_brought_goes_back_to_it_when_they_are_parted(evenings: list[Event], way: str) -> None:
    born = date(1990, 1, 31)
    keep, other, third = uids = players(evenings)
    Player.objects.filter(uid=keep).update(birth_date=born)
    Player.objects.filter(uid=other).update(contact="040", birth_date=born)
    Player.objects.filter(uid=third).update(contact="040")
    joined = evenings[2].act(actions.join_people, groups=[[keep, other, third]])
    assert details(keep) == [("040", born)]
    if way == "all":
        evenings[2].act(actions.part_people, row=joined.sequence)
        assert details(*uids) == [("", born), ("040", born), ("040", None)]
        return
    for made, left in ((evenings[1], "040"), (evenings[2], "")):  # the third has the same contact
        made.act(actions.part_person, entry=Entry.objects.get(tournament=made.tournament).uid)
        assert details(*uids) == [(left, born), ("040", born), ("040", None)]


def test_what_was_changed_since_a_join_stays_when_they_are_parted(evenings: list[Event]) -> None:
    keep, other, _third = players(evenings)
    Player.objects.filter(uid=other).update(contact="040")
    joined = evenings[2].act(actions.join_people, groups=[[keep, other]])
    first = Entry.objects.get(tournament=evenings[0].tournament)
    evenings[0].act(actions.edit_entry, entry=first.uid, contact="050")
    evenings[2].act(actions.part_people, row=joined.sequence)
    assert details(keep, other) == [("050", None), ("040", None)]


def test_parting_moves_only_entries_that_are_still_of_the_joined_person(evenings: list[Event]) -> None:
    keep, other, third = players(evenings)
    joined = evenings[0].act(actions.join_people, groups=[[keep, other, third]])
    second = Entry.objects.get(tournament=evenings[1].tournament)
    evenings[1].act(actions.part_person, entry=second.uid)
    evenings[0].act(actions.part_people, row=joined.sequence)
    assert players(evenings) == [keep, other, third]


def test_parting_ends_one_join_and_leaves_those_made_before(evenings: list[Event]) -> None:
    keep, other, third = players(evenings)
    evenings[0].act(actions.join_people, groups=[[keep, other]])
    joined = evenings[0].act(actions.join_people, groups=[[keep, third]])
    evenings[0].act(actions.part_people, row=joined.sequence)
    assert players(evenings) == [keep, keep, third]
    assert dict(Player.objects.values_list("uid", "joined_to")) == {keep: None, other: keep, third: None}


def test_parting_reads_no_other_rows_of_the_same_command_id(evenings: list[Event]) -> None:
    """A command's id is unique in its event alone: another organiser and another action may have it too."""
    stranger = event()
    second = event(user=stranger.user, organiser=organiser(stranger))
    theirs = [enter(stranger, "Ansku"), enter(second, "Ansku")]
    people = [entry.player.uid for entry in theirs]
    command, before = uuid4(), players(evenings)
    actions.edit_entry(
        Command(command, evenings[2].user),
        evenings[2].tournament.uid,
        entry=Entry.objects.get(player__uid=before[2]).uid,
        public_name="Anna",
    )
    for made, group in ((second, people), (evenings[1], before[:2])):
        actions.join_people(Command(command, made.user), made.tournament.uid, groups=[group])
    row = evenings[1].tournament.ledger.get(command=command).sequence
    evenings[1].act(actions.part_people, row=row)
    assert players(evenings) == before
    assert not evenings[2].tournament.ledger.filter(action="part_people").exists()
    assert {Entry.objects.get(pk=entry.pk).player.uid for entry in theirs} == {people[0]}


def test_a_join_with_a_person_who_was_deleted_since_cannot_be_parted(evenings: list[Event]) -> None:
    keep, other, _third = players(evenings)
    joined = evenings[0].act(actions.join_people, groups=[[keep, other]])
    Player.objects.get(uid=other).delete()
    asked = {"row": joined.sequence}
    assert refusal(evenings[0], actions.part_people, **asked) == [("unknown_player", "/row")]


def test_two_who_are_entered_in_one_event_are_not_joined(evenings: list[Event]) -> None:
    enter(evenings[1], "Ansku", another=True)
    keep = players(evenings[:1])[0]
    group = [
        keep,
        *Player.objects.filter(entries__tournament=evenings[1].tournament).values_list("uid", flat=True),
    ]
    assert refusal(evenings[0], actions.join_people, groups=[group]) == [("both_entered", "/groups")]
    assert refusal(evenings[0], actions.join_people, groups=[[keep]]) == [("same_two", "/groups")]
    assert refusal(evenings[0], actions.join_people, groups=[[keep, keep]]) == [("same_two", "/groups")]
    assert refusal(evenings[0], actions.join_people, groups=[group, [uuid4()]]) == [("same_two", "/groups")]
    assert refusal(evenings[0], actions.join_people, groups=[]) == [("nobody_chosen", "/groups")]
    for unknown in (uuid4(), enter(event(), "Ansku").player.uid):
        assert refusal(evenings[0], actions.join_people, groups=[[keep, unknown]]) == [
            ("unknown_player", "/groups")
        ]
    assert refusal(evenings[0], actions.part_people, row=1) == [("unknown_row", "/row")]


def test_a_cancelled_entry_stays_with_its_own_player_where_both_were_entered(evenings: list[Event]) -> None:
    again = enter(evenings[1], "Ansku", another=True)
    own(evenings[1], actions.cancel_self, again.uid)
    (keep,) = players(evenings[:1])
    other = evenings[1].tournament.entries.exclude(pk=again.pk).get().player.uid
    evenings[0].act(actions.join_people, groups=[[keep, other, again.player.uid]])
    assert {entry.player.uid: entry.state for entry in evenings[1].tournament.entries.all()} == {
        keep: Entry.State.REGISTERED,
        again.player.uid: Entry.State.CANCELLED,
    }
    assert sound()


def test_a_joined_person_is_erased_and_exported_whole(evenings: list[Event]) -> None:
    keep, other, third = players(evenings)
    Player.objects.filter(uid=other).update(contact="040", name="Anna Laine")
    evenings[0].act(actions.join_people, groups=[[other, third]])
    evenings[0].act(actions.join_people, groups=[[keep, other]])
    data = data_of(Player.objects.get(uid=keep), all_results=True)
    assert [each["name"] for each in data["joined"]] == ["Anna Laine", "Ansku"]
    assert [each["event"] for each in data["events"]] == ["First", "Second", "Third"]
    evenings[0].act(actions.erase_person, entry=Entry.objects.get(tournament=evenings[0].tournament).uid)
    assert set(Player.objects.values_list("name", "contact")) == {("Player 1", "")}


def test_renaming_changes_each_event_that_shows_the_old_name(evenings: list[Event]) -> None:
    keep = players(evenings)[0]
    evenings[0].act(actions.join_people, groups=[players(evenings)])
    nick = Entry.objects.get(tournament=evenings[1].tournament)
    evenings[1].act(actions.edit_entry, entry=nick.uid, public_name="Nelonen", real_name="Ansku")
    evenings[0].act(actions.rename_person, player=keep, name=" Ansa ")
    assert list(Entry.objects.order_by("pk").values_list("public_name", flat=True)) == [
        "Ansa",
        "Nelonen",
        "Ansa",
    ]
    assert Player.objects.get(uid=keep).name == "Ansa"
    assert refusal(evenings[0], actions.rename_person, player=keep, name="") == [("field_blank", "/name")]
    assert refusal(evenings[0], actions.rename_person, player=keep, name="a@b.fi") == [
        ("field_private", "/public_name")
    ]
    evenings[0].act(actions.rename_person, player=keep, name="a@b.fi", public_name_is_right=True)
    assert sound()


def test_a_minor_who_is_renamed_is_shown_by_a_number(evenings: list[Event]) -> None:
    keep = players(evenings)[0]
    Player.objects.filter(uid=keep).update(birth_date=date(2020, 1, 31))
    evenings[0].act(actions.rename_person, player=keep, name="Ansa")
    assert Entry.objects.get(player__uid=keep).public_name == "Player 1"


def test_a_change_of_people_refreshes_the_pages_of_each_event_whose_entries_change(
    evenings: list[Event],
) -> None:
    keep, other, _third = players(evenings)
    for made in evenings[:2]:
        made.act(actions.plan_stage, stage=uuid4(), kind="match")
    entry = Entry.objects.get(tournament=evenings[1].tournament).uid
    for action, arguments, names in (
        (actions.join_people, {"groups": [[keep, other]]}, {"Second"}),
        (actions.rename_person, {"player": keep, "name": "Ansa"}, {"First", "Second"}),
        (actions.part_person, {"entry": entry}, {"Second"}),
    ):
        before = set(Stage.objects.values_list("tournament__name", "version"))
        evenings[1].act(action, **arguments)
        assert {
            name for name, _ in {*Stage.objects.values_list("tournament__name", "version")} - before
        } == names


def test_a_person_is_left_out_and_offered_again(evenings: list[Event]) -> None:
    keep = players(evenings)[0]
    for left_out in (True, False):
        evenings[0].act(actions.leave_out_person, player=keep, left_out=left_out)
        assert Player.objects.get(uid=keep).left_out is left_out


@pytest.mark.parametrize("way", ["join_people", "same_person"])
def test_a_player_told_apart_is_again_who_they_were(evenings: list[Event], way: str) -> None:
    keep, other, _third = players(evenings)
    Player.objects.filter(uid=other).update(name="Aino Real-Name")
    entry = Entry.objects.get(tournament=evenings[1].tournament)
    assert refusal(evenings[1], actions.part_person, entry=entry.uid) == [("no_other_event", "/entry")]
    if way == "join_people":
        evenings[0].act(actions.join_people, groups=[[keep, other]])
    else:
        evenings[1].act(actions.same_person, entry=entry.uid, player=keep)
    assert players(evenings)[1] == keep
    evenings[1].act(actions.part_person, entry=entry.uid)
    assert players(evenings)[1] == other
    again = Player.objects.get(uid=other)
    assert (again.name, again.joined_to) == ("Aino Real-Name", None)
    assert Different.objects.get().players == sorted([str(keep), str(other)])
    assert sound()


def test_a_player_who_was_entered_as_someone_known_is_a_new_person(evenings: list[Event]) -> None:
    keep = players(evenings)[0]
    made = event(user=evenings[0].user, organiser=evenings[0].tournament.organiser.uid)
    entry = enter(made, "Aino M", player=keep)
    made.act(actions.part_person, entry=entry.uid)
    fresh = Entry.objects.get(uid=entry.uid).player
    assert (fresh.uid != keep, fresh.name) == (True, "Aino M")
    assert Different.objects.get().players == sorted([str(keep), str(fresh.uid)])


def test_a_player_told_apart_is_nobody_else_who_was_joined(evenings: list[Event]) -> None:
    keep, other, third = players(evenings)
    evenings[0].act(actions.join_people, groups=[[keep, other, third]])
    evenings[2].act(actions.part_person, entry=Entry.objects.get(tournament=evenings[2].tournament).uid)
    assert players(evenings) == [keep, keep, third]


def test_a_player_told_apart_is_a_new_person_if_the_one_before_is_joined_to_another(
    evenings: list[Event],
) -> None:
    keep, other, third = players(evenings)
    entry = Entry.objects.get(tournament=evenings[1].tournament).uid
    for known in (third, keep):
        evenings[1].act(actions.same_person, entry=entry, player=known)
    evenings[1].act(actions.part_person, entry=entry)
    assert players(evenings)[1] not in {keep, other, third}
    assert Player.objects.get(uid=other).joined_to == third


def test_a_player_told_apart_is_a_new_person_if_the_one_before_was_entered_again(
    evenings: list[Event],
) -> None:
    keep, other, _third = players(evenings)
    entry = Entry.objects.get(tournament=evenings[1].tournament).uid
    evenings[0].act(actions.join_people, groups=[[keep, other]])
    again = enter(evenings[1], "Ansku", player=other)
    evenings[1].act(actions.part_person, entry=entry)
    assert again.player.uid == other
    assert Entry.objects.get(uid=entry).player.uid not in {keep, other}


@pytest.mark.beside
def test_an_organiser_by_an_invite_leaves_people_of_other_events_alone(evenings: list[Event]) -> None:
    made, invited = evenings[0], event().user  # who runs an organiser of their own
    invite = Invite.objects.create(
        tournament=made.tournament, role="organiser", expires_at=evenings[0].tournament.ledger.latest("pk").at
    )
    Membership.objects.create(tournament=made.tournament, user=invited, role="organiser", invite=invite)
    for action, arguments in (
        (actions.join_people, {"groups": [players(evenings)]}),
        (actions.rename_person, {"player": players(evenings)[0], "name": "X"}),
        (actions.leave_out_person, {"player": players(evenings)[0], "left_out": True}),
    ):
        with pytest.raises(Forbidden):
            action(Command(uuid4(), invited), made.tournament.uid, **arguments)
