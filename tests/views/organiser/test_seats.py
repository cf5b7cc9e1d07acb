"""The seats of a stage on the organiser's page."""

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.urls import reverse

from tests.support.factories import Event, recorded_heat, running_heats
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Draw, Entry, LedgerRow, Seat, Stage, Table, Tournament, User
from tournament.seating import DrawRecord

pytestmark = pytest.mark.django_db


@pytest.fixture
def heats(planned: Event) -> Event:
    uid = uuid4()
    planned.act(actions.plan_stage, stage=uid, kind="heats")
    planned.stage = Stage.objects.get(uid=uid)
    return planned


def page_of(heats: Event) -> str:
    return reverse("organise-seats", args=[heats.stage.uid])


def seats_in(forms: list[dict[str, Any]]) -> dict[str, str]:
    """Fields that the form of the seats sends, beside that of the draw."""
    (found,) = [form["data"] for form in forms if "seen" in form["data"]]
    return dict(found)


def seats_now(heats: Event) -> dict[int, list[int]]:
    """Start numbers by table."""
    seats = Seat.objects.filter(table__stage=heats.stage).order_by("table__number", "position")
    tables: dict[int, list[int]] = {}
    for seat in seats.select_related("table", "entry"):
        tables.setdefault(seat.table.number, []).append(seat.entry.start_number)
    return tables


def deal(browser: Browser, heats: Event, query: str = "?most=4&order=numbers") -> Any:
    return browser.send(page_of(heats) + query, "/seats/")


def seat_sixty(heats: Event, clubs: int = 0) -> None:
    """Sixty players in all, all of them here, of so many clubs."""
    rows = [
        {"entry": uuid4(), "name": f"Guest {n}", "club": f"Club {n % clubs}" if clubs else ""}
        for n in range(60 - len(heats.entries))
    ]
    heats.act(actions.enter_players, players=rows)
    heats.entries = list(Entry.objects.filter(tournament=heats.tournament))
    heats.act(actions.check_in, entries=heats.uids)


def test_first_visit_offers_a_draw_and_stores_nothing(browser: Browser, heats: Event) -> None:
    page = browser.get(page_of(heats))
    assert page.context["open"]
    assert [row.table for row in page.context["rows"]] == [""] * 7
    assert not Table.objects.exists()


def test_one_tap_draws_sixty_and_one_saves_them(browser: Browser, heats: Event) -> None:
    seat_sixty(heats)
    answer = browser.send(page_of(heats) + "?draw=1", "/seats/")
    assert answer.status_code == 303
    assert [len(table) for table in seats_now(heats).values()] == [6] * 10
    draw = Draw.objects.get()
    assert draw.number == 1
    assert DrawRecord.from_json(draw.record).seats() == {
        table.number: [str(uid) for uid in heats.at(table)] for table in heats.refresh().tables
    }
    assert LedgerRow.objects.filter(action="seat_stage").count() == 1
    assert verify(Tournament.objects.get()) == []


def test_draw_without_a_seed_gets_one_in_its_address(browser: Browser, heats: Event) -> None:
    """So that a reload and the way back show the same seats."""
    page = browser.get(page_of(heats) + "?draw=1")
    assert page.status_code == 302
    assert re.search(r"[?&]seed=[1-9][0-9]{4}$", page["Location"])
    shown = browser.get(page["Location"])
    again = browser.get(page["Location"])
    assert shown.context["proposal"] == again.context["proposal"]


def test_dealt_seats_are_stored_in_one_step(browser: Browser, heats: Event) -> None:
    assert deal(browser, heats).status_code == 303
    assert seats_now(heats) == {1: [1, 3, 5, 7], 2: [2, 4, 6]}
    assert LedgerRow.objects.filter(action="seat_stage").count() == 1


def test_dealing_again_takes_tables_away(browser: Browser, heats: Event) -> None:
    deal(browser, heats, "?least=2&most=3&order=numbers")
    assert Table.objects.count() == 3
    deal(browser, heats, "?most=7&order=numbers")
    assert seats_now(heats) == {1: [1, 2, 3, 4, 5, 6, 7]}
    assert Table.objects.count() == 1


def test_draw_is_repeated_by_its_seed(browser: Browser, heats: Event) -> None:
    deal(browser, heats, "?most=4&seed=483920")
    first = seats_now(heats)
    deal(browser, heats)
    assert seats_now(heats) != first
    deal(browser, heats, "?most=4&seed=483920")
    assert seats_now(heats) == first
    notes = [row.note.text for row in LedgerRow.objects.filter(action="seat_stage", note__isnull=False)]
    assert notes == ["483920", "483920"]


@pytest.mark.parametrize(
    ("plan", "sizes"), [({"most": 4}, [4, 3]), ({"most": 6, "tables": 2}, [4, 3]), ({"most": 7}, [7])]
)
def test_heats_are_drawn_as_planned(
    browser: Browser, heats: Event, plan: dict[str, int], sizes: list[int]
) -> None:
    heats.act(actions.set_programme, stages=[{"stage": heats.stage.uid, "plan": plan}])
    browser.send(page_of(heats) + "?draw=1&who=expected", "/seats/")
    assert [len(table) for table in seats_now(heats).values()] == sizes


def test_dealing_in_order_ends_what_the_draw_said(browser: Browser, heats: Event) -> None:
    deal(browser, heats, "?most=4&seed=483920")
    assert heats.stage.draw["seed"] == "483920"
    deal(browser, heats)
    assert heats.stage.draw == {}


def test_draw_that_was_changed_by_hand_says_who_was_moved(browser: Browser, heats: Event) -> None:
    page = page_of(heats) + "?most=4&seed=483920"
    uid = heats.uids[0]
    assert browser.send(page, "/seats/", **{f"table-{uid}": "9", f"seat-{uid}": "1"}).status_code == 303
    drawn = browser.get(page_of(heats)).context["drawn"]
    assert drawn["seed"] == "483920"
    (moved,) = drawn["moved"]
    assert re.fullmatch("Aino moved from table [12] to table 9", moved)


def test_forged_draw_is_kept_as_none(browser: Browser, heats: Event) -> None:
    page = page_of(heats) + "?most=4&seed=483920"
    assert browser.send(page, "/seats/", draw="WyJ4Il0:forged:forged").status_code == 303
    assert not Draw.objects.exists()


def test_seats_that_are_moved_later_leave_the_draw_as_it_was(browser: Browser, heats: Event) -> None:
    deal(browser, heats, "?most=4&seed=483920")
    move(browser, heats, 1, "3", "1")
    assert Draw.objects.count() == 1
    assert len(browser.get(page_of(heats)).context["drawn"]["moved"]) == 1


def move(browser: Browser, heats: Event, player: int, table: str, seat: str = "") -> Any:
    uid = heats.uids[player - 1]
    return browser.send(page_of(heats), "/seats/", **{f"table-{uid}": table, f"seat-{uid}": seat})


def test_move_to_another_table_goes_before_who_had_the_seat(browser: Browser, heats: Event) -> None:
    deal(browser, heats)
    assert move(browser, heats, 1, "2", "2").status_code == 303
    assert seats_now(heats) == {1: [3, 5, 7], 2: [2, 1, 4, 6]}


def test_without_a_table_nobody_has_a_seat(browser: Browser, heats: Event) -> None:
    deal(browser, heats)
    move(browser, heats, 7, "")
    assert seats_now(heats) == {1: [1, 3, 5], 2: [2, 4, 6]}


@pytest.mark.parametrize("typed", ["x", "-1", "0", "9" * 30, "1.5", "١"])
def test_nonsense_is_said_and_kept(browser: Browser, heats: Event, typed: str) -> None:
    deal(browser, heats)
    before = seats_now(heats)
    answer = move(browser, heats, 1, typed)
    assert answer.status_code == 422
    forms = Forms(answer.content.decode()).forms
    assert seats_in(forms)[f"table-{heats.uids[0]}"] == typed
    assert seats_now(heats) == before


@pytest.mark.parametrize(
    "query",
    ["?tables=x", "?tables=0", "?tables=9999999999", "?tables=2&seed=%00", "?order=x&seed=1", "?level=x"],
)
def test_hostile_queries_give_a_page(browser: Browser, heats: Event, query: str) -> None:
    assert browser.get(page_of(heats) + query, follow=True).status_code == 200


def test_table_that_has_begun_keeps_its_seats(browser: Browser, heats: Event) -> None:
    deal(browser, heats, "?least=2&most=3&order=numbers")
    heats.act(actions.start_stage, stage=heats.stage.uid)
    heats.refresh()
    recorded_heat(heats, heats.tables[0])
    before = seats_now(heats)
    refused = move(browser, heats, 1, "2")
    assert refused.status_code == 422
    assert "Play at table 1 has begun" in refused.content.decode()
    assert seats_now(heats) == before
    assert move(browser, heats, 2, "3").status_code == 422, "one player would be left at table 2"


def test_names_are_not_seated_twice_by_a_forged_form(browser: Browser, heats: Event) -> None:
    deal(browser, heats)
    stranger = UUID(int=1)
    data = {"command": str(uuid4()), f"table-{stranger}": "1", f"table-{heats.uids[0]}": "1"}
    assert browser.post(page_of(heats), data).status_code == 303
    assert seats_now(heats) == {1: [1]}


def opened(browser: Browser, heats: Event) -> dict[str, str]:
    """The form of the seats as a browser would send it untouched."""
    data: dict[str, str] = seats_in(Forms(browser.get(page_of(heats)).content.decode()).forms)
    return data


def test_seats_that_somebody_changed_meanwhile_are_not_written_over(browser: Browser, heats: Event) -> None:
    deal(browser, heats)
    mine = opened(browser, heats) | {f"table-{heats.uids[0]}": "2", f"seat-{heats.uids[0]}": "1"}
    move(browser, heats, 7, "2", "1")
    theirs = seats_now(heats)
    refused = browser.post(page_of(heats), mine)
    assert refused.status_code == 422
    assert seats_now(heats) == theirs
    text = refused.content.decode()
    assert re.search(r"Not saved\. Outi Organiser changed the seats at \d{1,2}:\d\d,", text)
    kept = seats_in(Forms(text).forms)
    assert {name: kept[name] for name in mine if name.startswith(("table", "seat", "seen"))} == {
        name: text for name, text in mine.items() if name.startswith(("table", "seat", "seen"))
    }
    assert "over" not in kept
    kept["over"] = refused.context["changed"].seats
    assert browser.post(page_of(heats), kept).status_code == 303
    assert seats_now(heats) == {1: [3, 5, 7], 2: [1, 2, 4, 6]}


def test_who_agreed_to_write_over_one_change_is_asked_again_about_the_next(
    browser: Browser, heats: Event
) -> None:
    deal(browser, heats)
    mine = opened(browser, heats)
    move(browser, heats, 7, "2")
    refused = browser.post(page_of(heats), mine)
    kept = seats_in(Forms(refused.content.decode()).forms) | {"over": refused.context["changed"].seats}
    move(browser, heats, 5, "2")
    again = browser.post(page_of(heats), kept)
    assert again.status_code == 422
    assert again.context["changed"]


def test_two_first_draws_do_not_write_over_each_other(browser: Browser, heats: Event) -> None:
    first, second = (
        seats_in(Forms(browser.get(f"{page_of(heats)}?most=4&seed={seed}").content.decode()).forms)
        for seed in (1, 2)
    )
    assert browser.post(page_of(heats), first).status_code == 303
    assert browser.post(page_of(heats), second).status_code == 422


def test_double_tap_of_one_form_is_saved_once_and_answered_twice(browser: Browser, heats: Event) -> None:
    deal(browser, heats)
    mine = opened(browser, heats) | {f"table-{heats.uids[0]}": "2", f"seat-{heats.uids[0]}": "1"}
    answers = [browser.post(page_of(heats), mine) for _tap in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert answers[0]["Location"] == answers[1]["Location"]


def test_who_left_meanwhile_changed_no_seats(browser: Browser, heats: Event) -> None:
    deal(browser, heats)
    mine = opened(browser, heats)
    heats.act(actions.player_leaves, entry=heats.uids[6])
    assert browser.post(page_of(heats), mine).status_code == 303
    assert seats_now(heats) == {1: [1, 3, 5], 2: [2, 4, 6]}


def test_tables_that_have_begun_are_counted_as_they_were_typed(browser: Browser, organiser: User) -> None:
    made = running_heats(players=15, tables=3)
    made.act(actions.grant_role, membership=uuid4(), user=organiser.uid, role="organiser")
    recorded_heat(made, made.tables[1])
    page = browser.get(f"{page_of(made)}?draw=1&seed=5&who=expected&least=2&most=4&tables=3")
    text = page.content.decode()
    words = (
        "The other 10 players, at most 4 at a table, need more than 3 tables. Play has begun at 1 of them."
    )
    assert words in text
    assert "Possible for these players: 2 tables of 5 or 3 tables of 3 or 4." in text
