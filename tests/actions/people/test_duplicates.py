"""Two entries that are one person, and an entry that is a player of earlier events."""

from datetime import date
from uuid import uuid4

import pytest

from tests.support.arriving import opened, registered
from tests.support.asking_actions import agree, refusal, state_of
from tests.support.factories import (
    event,
    running_match,
)
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Apart, Different, Entry, Player

pytestmark = pytest.mark.django_db


def test_merged_entries_keep_one_wish_to_sit_apart_from_each_other_player() -> None:
    made = event(players=4)
    a, b, c, d = made.uids
    for first, second in [(a, b), (b, c), (c, a), (d, b)]:
        made.act(actions.keep_apart, first=first, second=second)
    made.act(actions.merge_entries, keep=a, other=b)
    pairs = [frozenset(pair) for pair in Apart.objects.values_list("first__uid", "second__uid")]
    assert sorted(pairs, key=sorted) == sorted([frozenset({a, c}), frozenset({a, d})], key=sorted)
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


def test_a_wish_to_sit_apart_goes_along_whoever_was_named_first() -> None:
    made = event(players=3)
    keep, other, third = made.uids
    made.act(actions.keep_apart, first=other, second=third)
    made.act(actions.merge_entries, keep=keep, other=other)
    assert Apart.objects.values_list("first__uid", "second__uid").get() == (keep, third)


def test_an_entry_that_is_another_known_person_is_joined_to_them() -> None:
    made = event(players=2)
    first, _ = made.entries
    player = Player.objects.create(name="Known", organiser=made.tournament.organiser)
    made.act(actions.same_person, entry=first.uid, player=player.uid)
    assert Entry.objects.get(pk=first.pk).player == player
    assert Player.objects.get(pk=first.player_id).joined_to == player.uid
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []


def test_a_player_of_other_events_stays_when_an_entry_turns_out_to_be_another() -> None:
    made = event(players=1)
    before = made.entries[0].player
    known = Player.objects.create(name="Known", organiser=made.tournament.organiser)
    elsewhere = event(organiser=made.tournament.organiser.uid, organiser_name="", user=made.user)
    elsewhere.act(
        actions.enter_players, players=[{"entry": uuid4(), "name": before.name, "player": before.uid}]
    )
    made.act(actions.same_person, entry=made.uids[0], player=known.uid)
    assert Player.objects.filter(pk=before.pk).exists()


def test_merging_lets_nobody_in_again_who_is_out() -> None:
    made = event(players=3)
    keep, here, gone = made.uids
    made.act(actions.no_show, entries=[keep, gone])
    made.act(actions.check_in, entries=[here])
    made.act(actions.merge_entries, keep=keep, other=here)
    assert (state_of(keep), state_of(here)) == ("no_show", "cancelled")


def test_merging_keeps_what_only_the_other_knew() -> None:
    made = event()
    keep, other, third = uuid4(), uuid4(), uuid4()
    born = date(1990, 1, 31)
    made.act(
        actions.enter_players,
        players=[
            {"entry": keep, "name": "Ansku", "contact": "kept"},
            {
                "entry": other,
                "name": "Anskuu",
                "real_name": "Anna Laine",
                "club": "Noppa",
                "birth_date": born,
                "contact": "lost",
                "guardian": True,
            },
            {"entry": third, "name": "Third"},
        ],
    )
    made.act(actions.keep_apart, first=third, second=other)
    made.act(actions.check_in, entries=[other])
    made.act(actions.merge_entries, keep=keep, other=other)
    row = Entry.objects.get(uid=keep)
    assert (row.public_name, row.club, row.state, row.guardian) == ("Ansku", "Noppa", "checked_in", True)
    assert (row.player.name, row.player.birth_date, row.player.contact) == ("Anna Laine", born, "kept")
    assert state_of(other) == "cancelled"
    assert {pair.first.uid for pair in Apart.objects.all()} | {
        pair.second.uid for pair in Apart.objects.all()
    } == {keep, third}
    assert agree(made)


def test_merging_keeps_the_real_name_that_is_known() -> None:
    made = event()
    uids = [uuid4() for _ in range(4)]
    known: list[dict[str, str]] = [
        {"real_name": "Anna Laine"},
        {"real_name": "Anna Lainio"},
        {"real_name": "Kim Virta"},
        {},
    ]
    made.act(
        actions.enter_players,
        players=[
            {"entry": uid, "name": f"Nick {uid.hex[:4]}", **more}
            for uid, more in zip(uids, known, strict=True)
        ],
    )
    for keep, other in (uids[:2], uids[2:]):
        made.act(actions.merge_entries, keep=keep, other=other)
    kept = Entry.objects.filter(uid__in=(uids[0], uids[2])).order_by("start_number")
    assert list(kept.values_list("player__name", flat=True)) == ["Anna Laine", "Kim Virta"]


def test_merging_keeps_that_somebody_accepted_the_terms_and_tells_every_page() -> None:
    made = running_match(players=2)
    opened(made)
    uid = registered(made, "Aino K")
    accepted = Entry.objects.get(uid=uid).accepted_at
    row = made.act(actions.merge_entries, keep=made.uids[0], other=uid).sequence
    assert accepted
    assert Entry.objects.get(uid=made.uids[0]).accepted_at == accepted
    assert made.refresh().stage.version == row


def test_merging_two_players_of_earlier_events_leaves_each_their_own() -> None:
    before = event(players=2)
    made = event(organiser=before.tournament.organiser.uid, user=before.user)
    players = [entry.player for entry in before.entries]
    uids = [uuid4(), uuid4()]
    rows = [
        {"entry": uid, "name": player.name, "player": player.uid}
        for uid, player in zip(uids, players, strict=True)
    ]
    made.act(actions.enter_players, players=rows)
    made.act(actions.merge_entries, keep=uids[0], other=uids[1])
    assert [Entry.objects.get(uid=uid).player for uid in uids] == players


def test_merging_keeps_the_player_of_earlier_events() -> None:
    before = event(players=1)
    made = event(organiser=before.tournament.organiser.uid, user=before.user)
    keep, other = uuid4(), uuid4()
    known = before.entries[0].player
    made.act(
        actions.enter_players,
        players=[{"entry": keep, "name": "Aino"}, {"entry": other, "name": "Aino", "player": known.uid}],
    )
    fresh = Entry.objects.get(uid=keep).player
    made.act(actions.merge_entries, keep=keep, other=other)
    assert Entry.objects.get(uid=keep).player == known
    assert Entry.objects.get(uid=other).player == fresh
    assert Player.objects.count() == 2
    assert agree(made)


def test_an_entry_is_not_merged_with_itself() -> None:
    made = event(players=1)
    assert refusal(made, actions.merge_entries, keep=made.uids[0], other=made.uids[0])[0][0] == "same_two"


def test_same_person_takes_the_player_of_earlier_events() -> None:
    before = event(players=2)
    made = event(organiser=before.tournament.organiser.uid, user=before.user)
    uid, known = uuid4(), before.entries[0].player
    made.act(actions.enter_players, players=[{"entry": uid, "name": "Aino", "contact": "mail"}])
    made.act(actions.same_person, entry=uid, player=known.uid)
    entry = Entry.objects.get(uid=uid)
    assert (entry.player, entry.player.contact) == (known, "mail")
    assert Player.objects.get(joined_to=known.uid).name == "Aino"
    assert agree(made)
    again = uuid4()
    made.act(actions.enter_players, players=[{"entry": again, "name": "Aino"}])
    assert refusal(made, actions.same_person, entry=again, player=known.uid)[0][0] == "entered_twice"
    stranger = event(players=1).entries[0].player
    assert refusal(made, actions.same_person, entry=again, player=stranger.uid)[0][0] == "unknown_player"


def pairs() -> list[set[str]]:
    return [set(players) for players in Different.objects.order_by("pk").values_list("players", flat=True)]


def players_of(*entries: Entry) -> set[str]:
    return {str(entry.player.uid) for entry in entries}


def test_different_people_are_kept_once_and_nobody_is_different_from_themselves() -> None:
    made = event(players=2)
    one, other = made.entries
    for first, second in ((one, other), (other, one)):
        made.act(actions.different_people, entry=first.uid, other=second.uid)
    assert pairs() == [players_of(one, other)]
    assert refusal(made, actions.different_people, entry=one.uid, other=one.uid) == [("same_two", "/other")]
    assert refusal(made, actions.different_people, entry=one.uid) == [("unknown_player", "/player")]


def test_somebody_of_the_same_name_who_is_another_is_told_apart_as_they_are_entered() -> None:
    made = event()
    first, second, third = (uuid4() for _ in range(3))
    made.act(actions.enter_players, players=[{"entry": first, "name": "Matti Virtanen"}])
    made.act(
        actions.enter_players,
        players=[
            {"entry": second, "name": "Virtanen, Matti", "another": True},
            {"entry": uuid4(), "name": "Somebody Else", "another": True},
        ],
    )
    made.act(actions.walk_in, entry=third, name="Matti Virtanen", another=True)
    entries = [Entry.objects.get(uid=uid) for uid in (first, second, third)]
    found = [frozenset(pair) for pair in pairs()]
    assert set(found) == {
        frozenset(players_of(one, other)) for one in entries for other in entries if one != other
    }
    assert len(found) == 3


def test_who_is_told_apart_stays_so_when_they_turn_out_to_be_somebody_known() -> None:
    made = event(players=3)
    one, other, third = made.entries
    known = Player.objects.create(name="Known", organiser=made.tournament.organiser)
    made.act(actions.different_people, entry=one.uid, other=other.uid)
    made.act(actions.same_person, entry=one.uid, player=known.uid)
    assert {str(known.uid), str(other.player.uid)} in pairs()
    made.act(actions.merge_entries, keep=third.uid, other=other.uid)
    kept = Entry.objects.get(pk=third.pk)
    assert {str(known.uid), str(kept.player.uid)} in pairs()


def test_merging_keeps_the_fee_and_the_answers_of_both() -> None:
    made = event(players=2)
    diet, size = str(uuid4()), str(uuid4())
    questions = [{"id": uid, "kind": "text", "labels": {"en": "?"}} for uid in (diet, size)]
    made.act(actions.set_questions, questions=questions)
    for uid, answers in zip(made.uids, ({diet: "vegan"}, {diet: "nuts", size: "L"}), strict=True):
        Entry.objects.filter(uid=uid).update(answers=answers)
    made.act(actions.mark_paid, entries=made.uids[1:])
    made.act(actions.merge_entries, keep=made.uids[0], other=made.uids[1])
    kept = Entry.objects.get(uid=made.uids[0])
    assert (kept.paid, kept.answers) == (True, {diet: "vegan", size: "L"})
