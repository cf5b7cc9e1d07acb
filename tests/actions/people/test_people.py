"""People over events: joined and parted again, renamed, left out, told apart."""

from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.arriving import own
from tests.support.asking_actions import refusal
from tests.support.factories import Event, UserFactory, event
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.models import Different, Entry, Invite, Membership, Player, Tournament
from tournament.queries.personal_data import data_of
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


def test_parting_moves_only_entries_that_are_still_of_the_joined_person(evenings: list[Event]) -> None:
    keep, other, third = players(evenings)
    joined = evenings[0].act(actions.join_people, groups=[[keep, other, third]])
    second = Entry.objects.get(tournament=evenings[1].tournament)
    evenings[1].act(actions.part_person, entry=second.uid)
    evenings[0].act(actions.part_people, row=joined.sequence)
    assert players(evenings) == [keep, other, third]


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
    assert refusal(evenings[0], actions.join_people, groups=[]) == [("nobody_chosen", "/groups")]
    assert refusal(evenings[0], actions.join_people, groups=[[keep, uuid4()]]) == [
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
    assert Player.objects.get(uid=other).name == "Aino Real-Name"
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


def test_an_organiser_by_an_invite_leaves_people_of_other_events_alone(evenings: list[Event]) -> None:
    made, invited = evenings[0], UserFactory()
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
