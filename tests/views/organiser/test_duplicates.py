"""Possible duplicates: suggested on a page of their own, made one by a person only."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import Event, add_stage, event, recorded_heat
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.models import Different, Entry, LedgerRow, Player, Tournament, User

pytestmark = pytest.mark.django_db


def page_of(made: Event) -> str:
    return reverse("organise-duplicates", args=[made.tournament.slug])


def entered(made: Event, *names: str, **more: Any) -> list[Entry]:
    players = [{"entry": uuid4(), "name": name, **more} for name in names]
    made.act(actions.enter_players, players=players)
    return [Entry.objects.get(uid=player["entry"]) for player in players]


def link_on_players_page(browser: Browser, made: Event) -> str:
    page = browser.get(reverse("organise-players", args=[made.tournament.slug])).content.decode()
    return page_of(made) if page_of(made) in page else ""


def test_nothing_is_suggested_where_nobody_looks_the_same(browser: Browser, planned: Event) -> None:
    assert not link_on_players_page(browser, planned)
    page = browser.get(page_of(planned))
    assert page.context["pairs"] == []
    assert "Nobody seems to be in the list twice." in page.content.decode()


def test_two_entries_are_made_one_when_somebody_says_so(browser: Browser, planned: Event) -> None:
    entered(planned, "AINO")
    rows = LedgerRow.objects.count()
    assert link_on_players_page(browser, planned)
    page = browser.get(page_of(planned))
    assert [
        (pair["kept"].public_name, pair["gone"].public_name, pair["swap"]) for pair in page.context["pairs"]
    ] == [("Aino", "AINO", True)]
    assert LedgerRow.objects.count() == rows
    assert browser.send(page_of(planned), "/duplicates/").status_code == 303
    assert Entry.objects.get(public_name="AINO").state == "cancelled"
    assert Entry.objects.get(public_name="Aino").state == "registered"
    assert not link_on_players_page(browser, planned)


def test_pair_says_who_stays_and_which_result_stands_against_it(browser: Browser, organiser: User) -> None:
    made = event("tite-2022", players=4, user=organiser)
    (second,) = entered(made, "Aino")
    add_stage(made, "heats", start=False)
    free = entered(made, "Börje")[0]

    def offered() -> dict[str, tuple[int, bool, str | None]]:
        pairs = browser.get(page_of(made)).context["pairs"]
        return {
            pair["kept"].public_name: (pair["gone"].start_number, pair["swap"], pair["refused"])
            for pair in pairs
        }

    assert offered() == {"Aino": (5, False, None), "Börje": (6, False, None)}
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=made.uids[:2])
    other = uuid4()
    places = {"number": 2, "entries": [made.uids[2], second.uid]}
    made.act(actions.seat_table, stage=made.stage.uid, table=other, **places)
    assert offered()["Aino"] == (5, True, None)
    made.act(actions.start_stage, stage=made.stage.uid)
    made.refresh()
    play = [recorded_heat(made, table) for table in made.tables][1]
    fault = "Both have a result in Heats (Heat 2). If one of the two is wrong, correct or void it."
    answer = browser.get(page_of(made))
    assert [str(pair["refused"])[: len(fault)] for pair in answer.context["pairs"] if pair["swap"]] == [fault]
    page = answer.content.decode()
    assert reverse("play", args=[play]) in page
    assert page.count("Merge, keep No.") == 1  # Börje
    fields = {"command": str(uuid4()), "keep": str(made.uids[0]), "other": str(second.uid)}
    answer = browser.post(page_of(made), fields)
    assert (answer.status_code, fault in answer.content.decode()) == (422, True)
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="the same person")
    assert browser.post(page_of(made), {**fields, "command": str(uuid4())}).status_code == 303
    made.act(actions.remove_player, entry=free.uid, reason="shouted")
    assert offered() == {"Börje": (2, False, None)}


def test_two_results_from_a_file_are_not_offered_as_one(browser: Browser, planned: Event) -> None:
    made = event("tite-2022", players=0, user=planned.user)
    players = [
        {"entry": uuid4(), "name": name, "place": place} for place, name in enumerate(["Åke", "Ake"], 1)
    ]
    made.act(actions.bring_in_results, players=players)
    page = browser.get(page_of(made))
    assert [str(pair["refused"])[:31] for pair in page.context["pairs"]] == [
        "Both have a result from a file."
    ]
    assert "Merge, keep No." not in page.content.decode()
    assert "Different people" in page.content.decode()


def test_different_people_are_not_asked_about_again(browser: Browser, planned: Event) -> None:
    entered(planned, "Aino", "Aino")
    pairs = browser.get(page_of(planned)).context["pairs"]
    assert len(pairs) == 3
    for pair in pairs:
        fields = {"keep": str(pair["kept"].uid), "other": str(pair["gone"].uid), "different": "1"}
        for _twice in range(2):
            assert browser.post(page_of(planned), {"command": str(uuid4()), **fields}).status_code == 303
    assert browser.get(page_of(planned)).context["pairs"] == []
    assert not link_on_players_page(browser, planned)
    assert Different.objects.count() == 3
    assert verify(Tournament.objects.get(pk=planned.tournament.pk)) == []


def test_pair_told_apart_is_not_asked_about_in_a_copy_or_a_rehearsal(
    browser: Browser, planned: Event
) -> None:
    (other,) = entered(planned, "Aino")
    planned.act(actions.different_people, entry=planned.entries[0].uid, other=other.uid)
    for rehearsal in (False, True):
        copy = uuid4()
        actions.copy_event(
            Command(copy, planned.user),
            planned.tournament.uid,
            name="Again",
            starts_on=date(2027, 5, 9),
            players=True,
            roles=False,
            rehearsal=rehearsal,
        )
        slug = Tournament.objects.get(uid=copy).slug
        assert Entry.objects.filter(tournament__uid=copy, public_name="Aino").count() == 2
        assert browser.get(reverse("organise-duplicates", args=[slug])).context["pairs"] == []


def test_player_of_an_earlier_event_who_is_another_is_not_suggested_again(
    browser: Browser, organiser: User
) -> None:
    before = event(user=organiser)
    entered(before, "Anna Laine")
    made = event(user=organiser, organiser=before.tournament.organiser.uid)
    (entry,) = entered(made, "Anna Laine")
    (pair,) = browser.get(page_of(made)).context["pairs"]
    fields = {"keep": str(entry.uid), "player": str(pair["earlier"].uid), "different": "1"}
    assert browser.post(page_of(made), {"command": str(uuid4()), **fields}).status_code == 303
    assert browser.get(page_of(made)).context["pairs"] == []
    again = event(user=organiser, organiser=before.tournament.organiser.uid)
    again.act(
        actions.enter_players, players=[{"entry": uuid4(), "name": "Anna Laine", "player": entry.player.uid}]
    )
    assert browser.get(page_of(again)).context["pairs"] == []


def test_player_of_an_earlier_event_is_found(browser: Browser, organiser: User) -> None:
    before = event(user=organiser, name="Spring Cup")
    (known,) = entered(before, "Ansku", real_name="Anna Laine", club="Noppa")
    rehearsed = event(user=organiser, organiser=before.tournament.organiser.uid, rehearsal=True, listed=False)
    entered(rehearsed, "Cécile Dupont")
    made = event(user=organiser, organiser=before.tournament.organiser.uid)
    entry, _other = entered(made, "Laine, Anna", "Cecile Dupont")
    stranger = event(user=organiser)
    entered(stranger, "Anna Laine")
    (pair,) = browser.get(page_of(made)).context["pairs"]
    assert (pair["kept"], pair["earlier"].uid, pair["earlier"].event) == (
        entry,
        known.player.uid,
        "Spring Cup",
    )
    assert browser.send(page_of(made), "/duplicates/").status_code == 303
    entry.refresh_from_db()
    assert entry.player == known.player
    assert Player.objects.get(name="Laine, Anna").joined_to == known.player.uid
    assert browser.get(page_of(made)).context["pairs"] == []


@pytest.mark.parametrize("fields", [{}, {"keep": "x"}, {"keep": str(uuid4()), "other": "x"}])
def test_nonsense_is_refused(browser: Browser, planned: Event, fields: dict[str, str]) -> None:
    assert browser.post(page_of(planned), {"command": str(uuid4()), **fields}).status_code == 422


def test_page_asks_as_often_for_many_pairs_as_for_one(browser: Browser, organiser: User) -> None:
    asked = []
    for count in (1, 5):
        made = event(user=organiser, players=5)
        entered(made, *[entry.public_name for entry in made.entries[:count]])
        with CaptureQueriesContext(connection) as queries:
            assert len(browser.get(page_of(made)).context["pairs"]) == count
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 15
