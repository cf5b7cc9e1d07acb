"""Check-in by a tap, by a badge and all at once; pages that say what follows; walk-ins."""

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Entry, LedgerRow, Seat, Stage, User
from tournament.views.organiser.players import free_tables

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def address(name: str, made: Event) -> str:
    return reverse(f"organise-{name}", args=[made.tournament.slug])


def states(made: Event) -> list[str]:
    entries = Entry.objects.filter(tournament=made.tournament).order_by("start_number")
    return list(entries.values_list("state", flat=True))


def run_by(organiser: User, made: Event) -> Event:
    made.act(actions.grant_role, membership=uuid4(), user=organiser.uid, role="organiser")
    return made


def text_of(answer: Any) -> str:
    """The page as it reads: tags taken out, spaces and isolating marks straightened."""
    page = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return re.sub(r"\s+", " ", page.replace("\u2068", "").replace("\u2069", "").replace("&quot;", '"'))


def tap(browser: Browser, made: Event, **fields: Any) -> Any:
    return browser.post(
        address("check-in", made), {"command": str(uuid4()), **fields}, headers=HTMX, follow=True
    )


def test_a_tap_gives_the_row_and_the_figures_and_is_taken_back(browser: Browser, planned: Event) -> None:
    uid = planned.uids[2]
    answer = tap(browser, planned, entry=str(uid))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "<html" not in page
    assert f'id="player-{uid}"' in page
    assert 'hx-swap-oob="true"' in page
    assert "1 here" in page
    assert "6 expected" in page
    assert "Undo check-in" in page
    assert address("walk-in", planned) in page
    answer = tap(browser, planned, not_here=str(uid))
    assert states(planned) == ["registered"] * 7
    assert "7 expected" in answer.content.decode()


def test_a_refused_tap_says_so_in_the_row(browser: Browser, organiser: User) -> None:
    made = run_by(organiser, running_match(players=3))
    made.act(actions.check_in, entries=made.uids)
    recorded_round(made)
    answer = tap(browser, made, not_here=str(made.uids[0]))
    assert answer.status_code == 422
    assert "Aino has already played here." in answer.content.decode()
    assert tap(browser, made, entry=str(uuid4())).status_code == 404


def test_all_expected_are_here_by_one_tap_but_not_who_comes_late(browser: Browser, planned: Event) -> None:
    planned.act(actions.comes_late, entry=planned.uids[0])
    rows = LedgerRow.objects.count()
    command = str(uuid4())
    for _time in range(2):  # sent twice: the late one stays late
        answer = browser.post(address("check-in", planned), {"command": command, "all": "1"}, follow=True)
        assert answer.status_code == 200
    assert states(planned) == ["late"] + ["checked_in"] * 6
    assert LedgerRow.objects.count() == rows + 1
    assert "6 here" in text_of(answer)
    assert "1 late" in text_of(answer)
    assert browser.send(address("players", planned), "/check-in/").status_code == 303
    assert states(planned) == ["checked_in"] * 7


def test_check_in_of_nobody_is_an_error_and_checks_in_nobody(browser: Browser, planned: Event) -> None:
    for fields in ({}, {"entry": "nonsense"}, {"not_here": "nonsense"}):
        answer = browser.post(address("check-in", planned), {"command": str(uuid4()), **fields})
        assert answer.status_code == 422
    assert set(states(planned)) == {"registered"}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("q=cecile", ["Cécile"]),
        ("q=CÉC", ["Cécile"]),
        ("q=3", ["Cécile"]),
        ("q=noppa", ["Dima"]),
        ("q=anna+ansku", ["Ansku"]),
        ("q=na", []),
        ("q=%00%25", ["Ansku", "Börje", "Cécile", "Dima", "Eeva", "Fatima", "Göran"]),
        ("state=here", ["Börje"]),
        ("state=here&q=dima", []),
        ("state=nonsense&q=g", ["Göran"]),
    ],
)
def test_players_are_looked_up(browser: Browser, planned: Event, query: str, names: list[str]) -> None:
    ansku, boerje, _cecile, dima = planned.uids[:4]
    planned.act(actions.edit_entry, entry=ansku, public_name="Ansku", real_name="Anna Laine", start_number=1)
    planned.act(actions.edit_entry, entry=dima, public_name="Dima", club="Noppa", start_number=4)
    planned.act(actions.check_in, entries=[boerje])
    page = browser.get(f"{address('players', planned)}?{query}")
    assert [row.entry.public_name for row in page.context["rows"]] == names
    assert ("No players found." in page.content.decode()) or names


def test_players_page_asks_as_often_for_500_as_for_one(browser: Browser, organiser: User) -> None:
    asked = []
    for count in (1, 500):
        made = event(players=count, user=organiser)
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(address("players", made)).status_code == 200
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 12


def test_what_follows_is_said_before_it_is_done(browser: Browser, organiser: User) -> None:
    made = run_by(organiser, add_stage(event("tite-2022", 5), "heats", tables=2, start=False))
    page = reverse("organise-player-move", args=[made.uids[1], "no-show"])
    text = text_of(browser.get(page))
    assert "Heats, table 2 No longer a seat for Börje. 1 player is left. That is too few to play." in text
    assert reverse("organise-seats", args=[made.stage.uid]) in browser.get(page).content.decode()
    assert states(made) == ["registered"] * 5
    assert browser.send(page, "/no-show/").status_code == 303
    assert states(made)[1] == "no_show"
    back = reverse("organise-player-move", args=[made.uids[1], "back"])
    assert "No seat for Börje yet." in text_of(browser.get(back))
    assert browser.send(back, "/back/").status_code == 303
    assert states(made)[1] == "checked_in"


def test_leaving_a_match_names_the_round_and_the_winner(browser: Browser, organiser: User) -> None:
    made = run_by(organiser, running_match(players=2))
    recorded_round(made)
    text = text_of(browser.get(reverse("organise-player-move", args=[made.uids[0], "leave"])))
    assert "Aino is out from round 2 and listed last as left, without a place." in text
    assert "Then only Börje is left and wins the match." in text
    assert "disqualified." in text  # never as disqualified


def test_who_is_in_a_running_game_is_sent_to_the_table(browser: Browser, organiser: User) -> None:
    made = run_by(organiser, running_session())
    started_game(made)
    page = reverse("organise-player-move", args=[made.uids[0], "leave"])
    answer = browser.get(page)
    assert "This cannot be done now" in text_of(answer)
    assert reverse("table", args=[made.table.uid]) in answer.content.decode()
    assert ">Leaves</button>" not in answer.content.decode()
    assert browser.post(page, {"command": str(uuid4())}).status_code == 422


def test_all_who_are_expected_did_not_come(browser: Browser, organiser: User) -> None:
    made = run_by(organiser, add_stage(event("tite-2022", 6), "heats", tables=2, start=False))
    made.act(actions.check_in, entries=made.uids[:4])
    made.act(actions.comes_late, entry=made.uids[4])
    page = address("no-shows", made)
    text = text_of(browser.get(page))
    assert "Heats, table 2 No longer a seat for Fatima. 2 players are left." in text
    assert "Eeva" not in text
    nobody = browser.send(page, "/no-shows/")
    assert (nobody.status_code, "Choose a player." in text_of(nobody)) == (422, True)
    assert browser.send(page, "/no-shows/", all="1").status_code == 303
    assert states(made) == ["checked_in"] * 4 + ["late", "no_show"]
    assert "1 no-show" in text_of(browser.get(address("players", made)))
    assert browser.send(page, "/no-shows/", all="1").status_code == 303  # then those who came late
    assert states(made)[4] == "no_show"
    assert "Nobody else is expected." in text_of(browser.get(page))
    assert verify(made.refresh().tournament) == []


def test_those_who_are_ticked_did_not_come(browser: Browser, planned: Event) -> None:
    ticked = [str(uid) for uid in planned.uids[2:4]]
    assert browser.send(address("no-shows", planned), "/no-shows/", entries=ticked).status_code == 303
    assert states(planned) == ["registered"] * 2 + ["no_show"] * 2 + ["registered"] * 3


def test_who_came_since_the_list_was_shown_stays(browser: Browser, planned: Event) -> None:
    page = address("no-shows", planned)
    command = str(uuid4())
    named = [str(uid) for uid in planned.uids]
    planned.act(actions.check_in, entries=planned.uids[:1])
    answer = browser.post(page, {"command": command, "entries": named})
    assert answer.status_code == 422
    assert "Aino is no longer expected" in text_of(answer)
    assert states(planned)[1:] == ["registered"] * 6


def test_badge_opens_a_page_with_the_seat_and_one_button(browser: Browser, organiser: User) -> None:
    made = run_by(organiser, add_stage(event("tite-2022", 6), "heats", tables=2, start=False))
    page = reverse("organise-arrive", args=[made.uids[3]])
    assert "Heats , table 2, seat 2" in text_of(browser.get(page))
    answer = browser.send(page, "/arrive/")
    assert answer.status_code == 303
    assert answer["Location"].startswith(page)
    again = browser.get(answer["Location"])
    assert "Nothing to do. Scan the next badge." in text_of(again)
    assert ">Check in</button>" not in again.content.decode()
    rows = LedgerRow.objects.count()
    made.act(actions.player_leaves, entry=made.uids[3])
    assert "Let back in" in text_of(browser.get(page))
    assert rows + 1 == LedgerRow.objects.count()


@pytest.mark.parametrize("state", ["applied", "waiting"])
def test_badge_of_who_asks_or_waits_lets_them_in_by_one_tap(
    browser: Browser, planned: Event, state: str
) -> None:
    Entry.objects.filter(uid=planned.uids[0]).update(state=state)
    page = reverse("organise-arrive", args=[planned.uids[0]])
    command = str(uuid4())
    for _time in range(2):
        assert browser.send(page, "/arrive/", command=command).status_code in {303, 422}
    assert states(planned)[0] == "checked_in"


def test_who_asks_is_let_in_by_one_tap_also_beyond_the_limit(browser: Browser, planned: Event) -> None:
    planned.act(actions.set_registration, opened=True, approval=True, most=3)
    Entry.objects.filter(uid=planned.uids[0]).update(state="applied")
    page = reverse("organise-arrive", args=[planned.uids[0]])
    assert browser.send(page, "/arrive/").status_code == 303
    assert states(planned)[0] == "checked_in"


def test_head_referee_checks_in_by_badge_but_takes_nobody_from_the_waiting_list(planned: Event) -> None:
    client = Browser()
    client.force_login(planned.referee("head_referee"))
    page = reverse("organise-arrive", args=[planned.uids[0]])
    assert client.send(page, "/arrive/").status_code == 303
    Entry.objects.filter(uid=planned.uids[1]).update(state="waiting")
    other = reverse("organise-arrive", args=[planned.uids[1]])
    assert "An organiser must let them in" in text_of(client.get(other))
    assert client.post(other, {"command": str(uuid4())}).status_code == 403
    assert states(planned)[:2] == ["checked_in", "waiting"]
    own = reverse("organise-player", args=[planned.uids[0]])
    assert "birth_date" not in client.get(own).content.decode()
    assert client.post(own, {"command": str(uuid4()), "public_name": "X"}).status_code == 403
    late = reverse("organise-player-move", args=[planned.uids[2], "late"])
    assert client.send(late, "/late/").status_code == 303
    assert client.get(address("walk-in", planned)).status_code == 200
    assert client.get(address("duplicates", planned)).status_code == 403
    assert client.get(reverse("organise-player-move", args=[planned.uids[2], "withdraw"])).status_code == 403


def test_badge_of_who_does_not_take_part_leads_to_registration(browser: Browser, planned: Event) -> None:
    Entry.objects.filter(uid=planned.uids[0]).update(state="cancelled")
    page = browser.get(reverse("organise-arrive", args=[planned.uids[0]]))
    assert address("registration", planned) in page.content.decode()
    assert "Not taking part" in text_of(page)


def test_minor_without_consent_is_pointed_out(browser: Browser, planned: Event) -> None:
    given = {"entry": planned.uids[0], "public_name": "Aino", "start_number": 1}
    planned.act(actions.edit_entry, **given, birth_date=planned.tournament.starts_on.replace(year=2015))
    page = reverse("organise-arrive", args=[planned.uids[0]])
    assert "No guardian’s consent is recorded" in text_of(browser.get(page))
    own = reverse("organise-player", args=[planned.uids[0]])
    assert browser.send(own, own, guardian="on").status_code == 303
    assert "No guardian’s consent is recorded" not in text_of(browser.get(page))


# -- walk-ins


def walk_in(browser: Browser, made: Event, name: str, **typed: Any) -> Any:
    return browser.send(address("walk-in", made), "/walk-in/", name=name, **typed)


def seat_of(name: str) -> tuple[int, int]:
    seat = Seat.objects.get(entry__public_name=name)
    return seat.table.number, seat.position


def test_walk_in_sits_where_they_play_soonest(browser: Browser, organiser: User) -> None:
    """Three at tables 1 and 2, two at 3; a game runs at 3 that nobody can join any more."""
    made = run_by(organiser, running_session(players=8, tables=3))
    play = uuid4()
    made.act(actions.start_game, table=made.tables[2].uid, play=play, number=1)
    assert [free.table.number for free in free_tables(made.tournament)] == [3, 1, 2]
    made.act(actions.join_game, play=play, entry=_entered(made, "Joins"))
    made.act(actions.record_out, play=play, entry=made.at(made.tables[2])[0])
    assert [free.table.number for free in free_tables(made.tournament)] == [1, 2, 3]
    answer = walk_in(browser, made, "Walker")
    assert answer.status_code == 303
    assert seat_of("Walker") == (1, 4)
    page = browser.get(answer["Location"])
    assert "Walker Session , table 1, seat 4" in text_of(page)
    assert "autofocus" in page.content.decode()
    assert verify(made.refresh().tournament) == []


def _entered(made: Event, name: str) -> UUID:
    uid = uuid4()
    made.act(actions.enter_players, players=[{"entry": uid, "name": name}])
    return uid


@pytest.mark.parametrize(
    ("typed", "club", "entered"),
    [
        ("Hanna-Stina Ek, Kårspexet", "", ("Hanna-Stina Ek", "Kårspexet")),
        ("Ek, Hanna", "Kårspexet", ("Ek, Hanna", "Kårspexet")),
        (", Kårspexet", "", (", Kårspexet", "")),
    ],
)
def test_walk_in_may_be_typed_with_the_club_as_in_a_list(
    browser: Browser, planned: Event, typed: str, club: str, entered: tuple[str, str]
) -> None:
    """Findings, D10."""
    walk_in(browser, planned, typed, club=club)
    last = Entry.objects.order_by("pk").last()
    assert last is not None
    assert (last.public_name, last.club) == entered


def test_walk_in_waits_where_no_table_is_free(browser: Browser, organiser: User) -> None:
    made = run_by(organiser, running_heats(players=6, tables=2))
    recorded_heat(made, made.tables[0])
    assert [free.table.number for free in free_tables(made.tournament)] == [2]
    recorded_heat(made, made.tables[1])
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    assert free_tables(made.tournament) == []
    assert "and seat" not in text_of(browser.get(address("walk-in", made)))
    answer = walk_in(browser, made, "Walker")
    assert "without a seat yet" in text_of(browser.get(answer["Location"]))
    assert not Seat.objects.filter(entry__public_name="Walker").exists()


def test_walk_in_may_sit_elsewhere_and_is_entered_once(browser: Browser, organiser: User) -> None:
    made = run_by(organiser, running_session(players=6, tables=2))
    command = str(uuid4())
    for _time in range(2):
        answer = walk_in(browser, made, "Walker", table=str(made.tables[1].uid), command=command)
        assert answer.status_code == 303
    assert seat_of("Walker") == (2, 4)


def test_walk_in_with_a_name_that_is_there_asks_first(browser: Browser, planned: Event) -> None:
    answer = walk_in(browser, planned, "CECILE")
    assert answer.status_code == 422
    assert "CECILE is already in the event." in text_of(answer)
    assert reverse("organise-arrive", args=[planned.uids[2]]) in answer.content.decode()
    assert 'type="checkbox" name="namesake"' in answer.content.decode()
    assert walk_in(browser, planned, "CECILE", namesake="on").status_code == 303
    assert states(planned) == ["registered"] * 7 + ["checked_in"]


def test_walk_in_with_a_name_that_looks_private_asks_first(browser: Browser, planned: Event) -> None:
    asked = walk_in(browser, planned, "0401234567, Noppa")
    assert "Everyone will see “0401234567”." in text_of(asked)
    assert 'type="checkbox" name="public_name_is_right"' in asked.content.decode()
    assert walk_in(browser, planned, "0401234567, Noppa", public_name_is_right="on").status_code == 303
    entry = Entry.objects.get(public_name="0401234567")
    renamed = reverse("organise-player", args=[entry.uid])
    asked = browser.send(renamed, renamed, public_name="www.aino")
    assert 'type="checkbox" name="public_name_is_right"' in asked.content.decode()
    assert (
        browser.send(renamed, renamed, public_name="www.aino", public_name_is_right="on").status_code == 303
    )


@pytest.mark.parametrize("name", ["", "   ", "x" * 101, "\x00"])
def test_walk_in_without_a_fit_name_is_an_error_at_its_place(
    browser: Browser, planned: Event, name: str
) -> None:
    answer = walk_in(browser, planned, name, club="Noppa")
    assert answer.status_code == 422
    assert "field__error" in answer.content.decode()
    assert 'value="Noppa"' in answer.content.decode()
    assert Entry.objects.count() == 7


def test_limit_is_said_and_holds_no_organiser_back(browser: Browser, planned: Event) -> None:
    planned.act(actions.set_registration, opened=True, most=7)
    assert "The player limit (7) is reached." in text_of(browser.get(address("walk-in", planned)))
    assert walk_in(browser, planned, "Walker").status_code == 303


def test_walk_in_asks_as_often_for_many_tables_as_for_one(browser: Browser, organiser: User) -> None:
    asked = []
    for tables in (1, 3, 6):
        made = run_by(organiser, running_session(players=3 * tables, tables=tables))
        started_game(made)
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(address("walk-in", made)).status_code == 200
        asked.append(len(queries))
    assert len(set(asked)) == 1


def test_stage_that_heats_fill_is_no_place_for_a_walk_in() -> None:
    made = running_heats(players=4, tables=1)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.seat_table, stage=final, table=uuid4(), number=1, entries=made.uids[:2])
    assert {free.table.stage for free in free_tables(made.tournament)} == {Stage.objects.get(kind="heats")}


def test_fees_are_marked_by_a_tap_with_a_total_and_who_has_not_paid(browser: Browser, planned: Event) -> None:
    page = address("players", planned)
    assert "Mark as paid" not in browser.get(page).content.decode()
    assert "Mark as paid" in browser.get(page, {"state": "unpaid"}).content.decode()
    one = planned.uids[0]
    planned.act(actions.no_show, entries=planned.uids[6:])
    fields = {"command": str(uuid4()), "paid": str(one), "fees": "1"}
    row = browser.post(address("paid", planned), fields, headers=HTMX)
    assert row.status_code == 200
    assert "✓ Paid" in text_of(row)
    assert "1 of 6 paid" in text_of(row)
    assert "5 unpaid" in text_of(row)
    browser.post(address("paid", planned), fields, headers=HTMX)  # the same tap again
    shown = browser.get(page, {"state": "unpaid"}).context["rows"]
    assert [each.entry.uid for each in shown] == planned.uids[1:6]
    assert [each.entry.uid for each in browser.get(page, {"state": "paid"}).context["rows"]] == [one]
    back = browser.post(address("paid", planned), {"command": str(uuid4()), "unpaid": str(one), "fees": "1"})
    assert (back.status_code, Entry.objects.get(uid=one).paid) == (303, False)
    assert "state=unpaid" in back["Location"]


@pytest.mark.parametrize("back", ["player", "arrive"])
def test_fee_is_noted_on_a_players_own_pages_too(browser: Browser, planned: Event, back: str) -> None:
    one, other = planned.uids[:2]
    page = reverse(f"organise-{back}", args=[other])
    assert "Mark as paid" not in browser.get(page).content.decode()
    planned.act(actions.mark_paid, entries=[one])
    answer = browser.send(page, "/paid/", paid=str(other))
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (303, page)
    assert "Fee paid" in browser.get(page).content.decode()


def test_nonsense_about_fees_is_refused(browser: Browser, planned: Event) -> None:
    for fields in ({}, {"paid": "x"}, {"paid": str(uuid4())}):
        answer = browser.post(address("paid", planned), {"command": str(uuid4()), **fields})
        assert answer.status_code == 422
    assert browser.get(address("paid", planned)).status_code == 302
