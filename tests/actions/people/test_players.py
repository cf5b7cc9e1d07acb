"""Players in a tournament: entered, changed, taken out."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import (
    add_stage,
    event,
)
from tournament import actions
from tournament.actions.people.players import MOST_AT_ONCE
from tournament.ledger.verify import verify
from tournament.models import Entry, Player, Tournament
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db

LONG = "x" * 200


def test_start_numbers_follow_on_and_are_nobodys_else() -> None:
    made = event(players=2)
    rows = [
        {"entry": uuid4(), "name": "Bo", "start_number": 7},
        {"entry": uuid4(), "name": "Cy"},
        {"entry": uuid4(), "name": "Di", "start_number": "20"},
        {"entry": uuid4(), "name": "Ed"},
    ]
    made.act(actions.enter_players, players=rows)
    assert list(Entry.objects.values_list("start_number", flat=True)) == [1, 2, 7, 8, 20, 21]
    taken = [{"entry": uuid4(), "name": "Fy", "start_number": 7}]
    assert refusal(made, actions.enter_players, players=taken) == [
        ("field_unique_together", "/players/0/start_number")
    ]
    asked = {"entry": made.uids[0], "public_name": "Aino"}
    assert refusal(made, actions.edit_entry, start_number=7, **asked) == [
        ("field_unique_together", "/start_number")
    ]


@pytest.mark.parametrize("number", [-1, 100_001, 2**31 - 1, 10**30, "seven", 10**12 * 10**12])
def test_a_start_number_that_is_none_is_refused_at_its_field(number: Any) -> None:
    made = event(players=1)
    players = [{"entry": uuid4(), "name": "Bo", "start_number": number}]
    ((code, path),) = refusal(made, actions.enter_players, players=players)
    assert (code in {"field_min_value", "field_max_value", "field_invalid"}, path) == (
        True,
        "/players/0/start_number",
    )
    asked = {"entry": made.uids[0], "public_name": "Aino", "start_number": number}
    assert [path for _, path in refusal(made, actions.edit_entry, **asked)] == ["/start_number"]


def test_the_highest_start_number_is_100_000_and_each_event_has_its_own() -> None:
    event(players=9)
    made = event(players=1)
    asked = {"entry": made.uids[0], "public_name": "Aino"}
    made.act(actions.edit_entry, start_number=100_000, **asked)
    made.act(actions.edit_entry, start_number=7, **asked)
    rows = [{"entry": uuid4(), "name": "Bo", "start_number": number} for number in (None, 100_000)]
    made.act(actions.enter_players, players=rows)
    numbers = Entry.objects.filter(tournament=made.tournament).order_by("start_number")
    assert list(numbers.values_list("start_number", flat=True)) == [7, 8, 100_000]
    for action, more in (
        (actions.edit_entry, {"entry": made.uids[0], "public_name": "Aino", "start_number": 100_001}),
        (actions.enter_players, {"players": [{"entry": uuid4(), "name": "Cy"}]}),
    ):
        with pytest.raises(Refused) as refused:
            made.act(action, **more)
        assert [(fault.code, fault.parameters["limit_value"]) for fault in refused.value.faults] == [
            ("field_max_value", 100_000)
        ]


def test_of_who_is_entered_with_a_name_alone_nothing_else_is_known() -> None:
    made = event()
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": " Aino "}])
    entry = Entry.objects.select_related("player").get()
    player = entry.player
    assert (entry.public_name, entry.club, entry.state, entry.guardian) == ("Aino", "", "registered", False)
    assert (player.name, player.contact, player.birth_date) == ("Aino", "", None)
    assert refusal(made, actions.enter_players, players=[{"entry": uuid4()}]) == [
        ("field_blank", "/players/0/name")
    ]
    wrong = {"entry": uuid4(), "name": "Bo", "contact": "x" * 201}
    assert refusal(made, actions.enter_players, players=[wrong]) == [
        ("field_max_length", "/players/0/contact")
    ]
    asked = {"entry": entry.uid, "public_name": "Aino", "start_number": 1, "contact": "x" * 201}
    assert refusal(made, actions.edit_entry, **asked) == [("field_max_length", "/contact")]


def test_details_fill_in_what_was_not_known_of_a_player_and_change_nothing_else() -> None:
    made = event()
    again = event(organiser=made.tournament.organiser.uid, organiser_name="", user=made.user)
    known = {"entry": uuid4(), "name": "Aino", "real_name": " Aino M ", "contact": "040"}
    made.act(actions.enter_players, players=[known])
    player = Player.objects.get()
    born = date(1990, 1, 2)
    more = {"name": "A", "real_name": "Other", "contact": "050", "birth_date": born, "player": player.uid}
    again.act(actions.enter_players, players=[{"entry": uuid4(), "club": " Noppa ", **more}])
    player.refresh_from_db()
    assert (player.name, player.contact, player.birth_date) == ("Aino M", "040", born)
    entry = Entry.objects.get(tournament=again.tournament)
    assert (entry.player, entry.public_name, entry.club) == (player, "A", "Noppa")
    third = event(organiser=made.tournament.organiser.uid, organiser_name="", user=made.user)
    later = {"birth_date": date(1991, 1, 1), "player": player.uid}
    third.act(actions.enter_players, players=[{"entry": uuid4(), "name": "A", **later}])
    player.refresh_from_db()
    assert player.birth_date == born


def test_a_list_of_players_is_entered_without_a_question_about_each() -> None:
    def queries(players: int) -> int:
        made = event()
        rows = [{"entry": uuid4(), "name": f"Player {number}"} for number in range(players)]
        with CaptureQueriesContext(connection) as asked:
            made.act(actions.enter_players, players=rows)
        return len(asked)

    assert queries(12) == queries(2)


def test_every_faulty_player_of_a_list_is_named() -> None:
    made = event()
    players = [
        {"entry": uuid4(), "name": ""},
        {"entry": uuid4(), "name": "Bo"},
        {"entry": uuid4(), "name": LONG},
    ]
    assert refusal(made, actions.enter_players, players=players) == [
        ("field_blank", "/players/0/name"),
        ("field_max_length", "/players/2/name"),
    ]


def test_a_player_enters_once_and_only_for_the_own_organiser() -> None:
    made, other = event(players=1), event(players=1, organiser_name="Others")
    known = made.entries[0].player
    again = [{"entry": uuid4(), "name": "Aino", "player": known.uid}]
    assert refusal(made, actions.enter_players, players=again) == [
        ("field_unique_together", "/players/0/player")
    ]
    other.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Aino", "player": known.uid}])
    assert Entry.objects.get(tournament=other.tournament, start_number=2).player != known
    same_uid = [{"entry": made.uids[0], "name": "Bo"}]
    assert refusal(made, actions.enter_players, players=same_uid) == [("field_unique", "/players/0/uid")]


def test_an_entry_by_mistake_is_taken_out_until_it_has_a_seat() -> None:
    made = add_stage(event(players=3), "match", tables=0, start=False)
    made.act(actions.withdraw_entry, entry=made.uids[2])
    assert (Entry.objects.count(), Player.objects.count()) == (2, 2)  # and nothing of who it was
    made.act(actions.seat_table, stage=made.stage.uid, table=uuid4(), number=1, entries=made.uids[:2])
    assert refusal(made, actions.withdraw_entry, entry=made.uids[0]) == [
        ("entry_in_use", f"/entries/{made.uids[0]}")
    ]
    assert agrees(made)


def test_a_player_of_another_event_stays_when_an_entry_is_taken_out() -> None:
    made = event(players=1)
    other = event(user=made.user, organiser=made.tournament.organiser.uid)
    known = made.entries[0].player
    other.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Aino", "player": known.uid}])
    other.act(actions.withdraw_entry, entry=Entry.objects.get(tournament=other.tournament).uid)
    assert list(Player.objects.all()) == [known]
    assert verify(Tournament.objects.get(pk=other.tournament.pk)) == []


def test_one_command_enters_as_many_as_a_file_and_no_more() -> None:
    made = event()
    names = [{"entry": uuid4(), "name": f"Player {number}"} for number in range(MOST_AT_ONCE + 1)]
    assert refusal(made, actions.enter_players, players=names) == [("too_many_at_once", "/players")]


def test_players_of_a_list_are_checked_against_each_other() -> None:
    made = event(players=1)
    known, uid = made.entries[0].player, uuid4()
    other = event(user=made.user, organiser=made.tournament.organiser.uid)
    players = [
        {"entry": uid, "name": "Aino", "player": known.uid, "contact": "040"},
        {"entry": uuid4(), "name": "Bo", "player": known.uid},
        {"entry": uid, "name": "Cy"},
        {"entry": uuid4(), "name": "Di", "start_number": 9},
        {"entry": uuid4(), "name": "Ed", "start_number": 9},
    ]
    assert refusal(other, actions.enter_players, players=players) == [
        ("field_unique_together", "/players/1/player"),
        ("field_unique", "/players/2/uid"),
        ("field_unique_together", "/players/4/start_number"),
    ]
    other.act(actions.enter_players, players=[players[0], players[3]])
    assert [(row.public_name, row.player.contact) for row in other.tournament.entries.all()] == [
        ("Aino", "040"),
        ("Di", ""),
    ]
    assert verify(Tournament.objects.get(pk=other.tournament.pk)) == []
