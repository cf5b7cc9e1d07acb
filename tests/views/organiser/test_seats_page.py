"""Drawing and levelling on the organiser's page: what is proposed, what is impossible, what stays as it is."""

import re
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    running_heats,
    running_session,
    started_game,
)
from tests.support.pages import folded
from tests.support.uids import without_uids
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Draw, Entry, Player, Seat, Stage, Table, Tournament, User
from tournament.seating import met_in, repeated

pytestmark = pytest.mark.django_db


def planned_event(
    organiser: User, players: int, kind: str = "heats", ruleset: str = "tite-2022", **more: Any
) -> Event:
    """Everybody is here, nobody has a seat."""
    made = event(ruleset, players=players, user=organiser, **more)
    if players:
        made.act(actions.check_in, entries=made.uids)
    uid = uuid4()
    made.act(actions.plan_stage, stage=uid, kind=kind)
    made.stage = Stage.objects.get(uid=uid)
    return made.refresh()


def own(organiser: User, made: Event) -> Event:
    """The event with this organiser too, whose browser the test drives."""
    made.act(actions.grant_role, membership=uuid4(), user=organiser.uid, role="organiser")
    return made


def page_of(made: Event, query: str = "") -> str:
    return reverse("organise-seats", args=[made.stage.uid]) + query


def seats_now(made: Event) -> dict[int, list[int]]:
    """Start numbers by table, clockwise."""
    tables: dict[int, list[int]] = {table.number: [] for table in Table.objects.filter(stage=made.stage)}
    seats = Seat.objects.filter(table__stage=made.stage, out_as="").order_by("table__number", "position")
    for number, start in seats.values_list("table__number", "entry__start_number"):
        tables[number].append(start)
    return tables


def agrees() -> bool:
    return verify(Tournament.objects.get()) == []


def test_only_who_is_here_is_drawn_unless_others_are_asked_for(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 6)
    late = [{"entry": uuid4(), "name": f"Late {n}"} for n in range(3)]
    made.act(actions.enter_players, players=late)
    browser.send(page_of(made, "?draw=1"), "/seats/")
    assert sorted(seats_now(made)[1]) == [1, 2, 3, 4, 5, 6]
    browser.send(page_of(made, "?draw=1&who=expected"), "/seats/")
    assert sorted(map(len, seats_now(made).values())) == [4, 5]


def test_what_is_impossible_says_what_would_be_possible_and_leads_there(
    browser: Browser, organiser: User
) -> None:
    made = planned_event(organiser, 60)
    page = browser.get(page_of(made, "?draw=1&least=3&most=6&tables=8"), follow=True)
    text = page.content.decode()
    assert "60 players with at most 6 at a table need more than 8 tables." in text
    assert "8 tables of 7 or 8 or 10 tables of 6" in text
    for way, sizes in zip(page.context["ways"], ({7, 8}, {6}), strict=True):
        assert browser.send(page_of(made) + way["url"], "/seats/").status_code == 303
        assert {len(table) for table in seats_now(made).values()} == sizes


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("least=5&most=4", "The minimum at a table, 5, is more than the maximum, 4."),
        ("least=8&most=9", "7 players are too few. At least 8 are needed."),
        ("least=4&most=6", "7 players cannot be divided into tables of 4 to 6."),
        ("least=2&most=3&tables=2", "need more than 2 tables"),
        (
            "tables=40",
            "40 tables are too many for 7 players with at least 3 at each. Possible: 2 tables of 3 or 4.",
        ),
    ],
)
def test_each_impossible_wish_is_worded(browser: Browser, organiser: User, query: str, words: str) -> None:
    made = planned_event(organiser, 7)
    page = browser.get(page_of(made, f"?draw=1&{query}"), follow=True)
    assert words in page.content.decode()
    assert not Table.objects.exists()


def test_a_wish_that_is_no_number_is_said_at_its_field_and_kept(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 7)
    page = browser.get(page_of(made, "?asked=1&who=present&least=x&most=999&order=drawn"))
    form = page.context["form"]
    assert set(form.errors) == {"least", "most"}
    assert (form["least"].value(), form["most"].value()) == ("x", "999")


def test_a_draw_with_more_tables_than_referees_says_so_first_and_again(
    browser: Browser, organiser: User
) -> None:
    made = planned_event(organiser, 18)
    made.referee("table_referee")
    said = "1 referee here, so not every table has its own."
    for _ in range(2):
        assert said in browser.get(page_of(made, "?draw=1"), follow=True).content.decode()
        assert browser.send(page_of(made, "?draw=1"), "/seats/").status_code == 303
    assert said not in browser.get(page_of(made, "?draw=1&tables=1"), follow=True).content.decode()


def test_as_many_tables_are_drawn_as_are_wished_for(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 19)
    browser.send(page_of(made, "?draw=1&tables=3"), "/seats/")
    assert sorted(map(len, seats_now(made).values())) == [6, 6, 7]
    page = browser.get(page_of(made, "?draw=1&tables=3"), follow=True)
    assert '<button class="button" form="draw-form">Draw seats again</button>' in page.content.decode()


def test_plan_is_kept_for_whoever_is_counted_and_where_it_is_not_the_page_says_so(
    browser: Browser, organiser: User
) -> None:
    """42 planned, 34 here and 3 late (findings, D1 and D34)."""
    made = planned_event(organiser, 37)
    Stage.objects.filter(uid=made.stage.uid).update(plan={"players": 37, "tables": 7, "most": 6})
    made.act(actions.take_back_check_in, entries=made.uids[34:])
    for who, sizes in (("present", [4] + [5] * 6), ("expected", [5] * 5 + [6] * 2)):
        asked = page_of(made, f"?draw=1&asked=1&order=drawn&who={who}")
        assert browser.get(asked, follow=True).context["differs"] == ""
        browser.send(asked, "/seats/")
        assert sorted(map(len, seats_now(made).values())) == sizes
    text = browser.get(page_of(made, "?draw=1&who=expected&most=5"), follow=True).context["differs"]
    assert text == "The plan has 7 tables of 5 or 6 for 37 players. This draw has 8 tables of 4 or 5 for 37."


def test_clubs_are_spread_over_the_tables(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 0)
    rows = [
        {"entry": uuid4(), "name": f"P{n}", "club": "Noppa" if n < 6 else " nOPPA " if n < 8 else ""}
        for n in range(24)
    ]
    made.act(actions.enter_players, players=rows)
    browser.send(page_of(made, "?draw=1"), "/seats/")
    noppa = set(range(1, 9))
    assert {len(noppa & set(table)) for table in seats_now(made).values()} == {2}


def test_tables_that_have_begun_stay_and_the_rest_is_drawn_anew(browser: Browser, organiser: User) -> None:
    made = own(organiser, running_heats(players=12, tables=3))
    recorded_heat(made, made.tables[1])
    before = seats_now(made)
    page = browser.get(page_of(made, "?draw=1&seed=5"))
    card = next(card for card in page.context["cards"] if card.number == "2")
    assert card.begun == "Play at this table has begun, so the seats stay."
    assert browser.send(page_of(made, "?draw=1&seed=5"), "/seats/").status_code == 303
    after = seats_now(made)
    assert after[2] == before[2]
    assert after != before
    assert sorted(after[1] + after[3]) == sorted(before[1] + before[3])
    assert Draw.objects.get().record["fixed"]["2"] == list(map(str, made.at(made.tables[1])))
    assert agrees()


def test_next_game_of_a_session_meets_new_people_and_leaves_running_tables(
    browser: Browser, organiser: User
) -> None:
    made = own(organiser, running_session(players=16, tables=4))
    games = [list(seats_now(made).values())]
    for table in made.tables:
        play = uuid4()
        made.act(
            actions.record_game,
            table=table.uid,
            play=play,
            number=1,
            ended="last",
            results=[
                {"entry": uid, "outcome": "last" if last else "out", **({} if last else {"elapsed_s": 60})}
                for at, uid in enumerate(made.at(table))
                for last in [at == 3]
            ],
        )
    browser.send(page_of(made, "?draw=1"), "/seats/")
    games.append(list(seats_now(made).values()))
    assert repeated(met_in(games)) == 0
    assert agrees()
    started_game(made)
    before = seats_now(made)
    page = browser.get(page_of(made, "?draw=1&seed=1"))
    assert page.context["cards"][0].begun == "A game is running here, so the seats stay."
    browser.send(page_of(made, "?draw=1&seed=1"), "/seats/")
    after = seats_now(made)
    assert after[1] == before[1]
    assert after != before


def test_a_draw_that_was_never_played_counts_for_nothing(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 8, "session", "kpgut-2016")
    browser.send(page_of(made, "?draw=1&most=4"), "/seats/")
    page = browser.get(page_of(made, "?draw=1&most=4&seed=9"))
    assert page.context["proposal"].record.past == ()


def test_a_sessions_table_that_played_stays_when_nobody_sits_there_any_more(
    browser: Browser, organiser: User
) -> None:
    made = own(organiser, running_session(players=4, tables=2))
    play = uuid4()
    made.act(actions.start_game, table=made.tables[1].uid, play=play, number=1)
    made.act(actions.record_out, play=play, entry=made.at(made.tables[1])[0])
    browser.send(page_of(made, "?draw=1&least=2&most=4&who=expected"), "/seats/")
    assert {number: len(table) for number, table in seats_now(made).items()} == {1: 4, 2: 0}
    assert browser.get(reverse("organise-stage", args=[made.stage.uid])).status_code == 200
    assert agrees()


def test_levelling_shows_the_moves_first_and_stores_them_when_confirmed(
    browser: Browser, organiser: User
) -> None:
    made = planned_event(organiser, 12)
    browser.send(page_of(made, "?draw=1&order=numbers"), "/seats/")
    for uid in made.at(made.refresh().tables[0])[:3]:
        made.act(actions.player_leaves, entry=uid)
    before = seats_now(made)
    assert sorted(map(len, before.values())) == [3, 6]
    assert browser.get(page_of(made)).context["uneven"]
    page = browser.get(page_of(made, "?level=1"))
    (move,) = page.context["moves"]
    assert re.fullmatch(r"\w.* moves from table 2 to table 1", move)
    assert seats_now(made) == before
    assert browser.send(page_of(made, "?level=1"), "/seats/").status_code == 303
    assert sorted(map(len, seats_now(made).values())) == [4, 5]
    assert not browser.get(page_of(made)).context["uneven"]
    assert agrees()


def test_levelling_never_touches_a_table_that_has_begun(browser: Browser, organiser: User) -> None:
    made = own(organiser, running_heats(players=15, tables=3))
    recorded_heat(made, made.tables[0])
    for uid in made.at(made.tables[1])[:3]:
        made.act(actions.player_leaves, entry=uid)
    before = seats_now(made)
    assert browser.send(page_of(made, "?level=1"), "/seats/").status_code == 303
    after = seats_now(made)
    assert after[1] == before[1]
    assert [len(table) for table in after.values()] == [5, 3, 4]
    assert agrees()


def test_who_left_a_table_that_was_played_does_not_stop_other_moves(
    browser: Browser, organiser: User
) -> None:
    made = own(organiser, running_heats(players=9, tables=3))
    recorded_heat(made, made.tables[0])
    made.act(actions.player_leaves, entry=made.at(made.tables[0])[0])
    one, other = made.at(made.tables[1])[0], made.at(made.tables[2])[0]
    typed = {f"table-{one}": "3", f"seat-{one}": "1", f"table-{other}": "2", f"seat-{other}": "1"}
    assert browser.send(page_of(made), "/seats/", **typed).status_code == 303
    assert agrees()


def test_a_pair_that_is_kept_apart_is_asked_about_before_it_is_put_together(
    browser: Browser, organiser: User
) -> None:
    made = planned_event(organiser, 8)
    one, two = made.uids[:2]
    made.act(actions.keep_apart, first=one, second=two)
    browser.send(page_of(made, "?draw=1&most=4"), "/seats/")
    before = seats_now(made)
    there = next(str(number) for number, table in before.items() if 2 in table)
    typed = {f"table-{one}": there, f"seat-{one}": "9"}
    answer = browser.send(page_of(made), "/seats/", **typed)
    assert answer.status_code == 422
    assert answer.context["together"] == ["Aino and Börje"]
    assert seats_now(made) == before
    assert browser.send(page_of(made), "/seats/", **typed, together="1").status_code == 303
    page = browser.get(page_of(made))
    assert page.context["sharing"] == ["Aino and Börje"]
    assert browser.send(page_of(made), "/seats/").status_code == 303, (
        "who sits together already is not asked about"
    )


def test_pairs_that_cannot_be_kept_apart_are_named(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 4)
    made.act(actions.keep_apart, first=made.uids[0], second=made.uids[1])
    page = browser.get(page_of(made, "?draw=1"), follow=True)
    assert "These pairs cannot all be kept apart: Aino – Börje." in page.content.decode()


def test_each_table_says_what_it_needs(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 8, "session", "kpgut-2016")
    browser.send(page_of(made, "?draw=1"), "/seats/")
    page = browser.get(page_of(made))
    (card,) = page.context["cards"]
    assert card.line == "8 players · 2 decks"
    assert card.ask == reverse("table-roles", args=[Table.objects.get().uid])
    text = page.content.decode()
    assert "The oldest player deals and keeps the time" in text
    assert "From a box of 112 take out: 1 × Shuffle Hands and 3 × Customizable." in text
    for at, entry in enumerate(Entry.objects.order_by("start_number")):
        Player.objects.filter(pk=entry.player_id).update(birth_date=date(1950 + at, 1, 1))
    (card,) = browser.get(page_of(made)).context["cards"]
    assert (card.oldest, card.youngest, card.ask) == ("Aino", "Hilla", "")


def test_a_table_whose_deal_does_not_fit_is_warned_about(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 16, "match", "mattel-108")
    page = browser.get(page_of(made, "?draw=1&most=16&seed=1"))
    assert page.context["cards"][0].line == "16 players · 1 deck: not enough cards for this many players"


def test_seats_on_paper_are_a_page_a_table_and_a_list_for_the_door(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 0, language="fi")
    names = ["Ähtäri", "Åke", "Zoë", "Eeva", "édith", "Öde"]
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": name} for name in names])
    address = reverse("organise-seats-print", args=[made.stage.uid])
    assert "Nobody has a seat here yet." in browser.get(f"{address}?language=en").content.decode()
    browser.send(page_of(made, "?draw=1&most=3"), "/seats/")
    page = browser.get(f"{address}?language=en")
    assert [place.entry.public_name for place in page.context["places"]] == [
        "édith",
        "Eeva",
        "Zoë",
        "Åke",
        "Ähtäri",
        "Öde",
    ]
    assert [(sheet["number"], sheet["decks"]) for sheet in page.context["sheets"]] == [
        (1, "1 deck"),
        (2, "1 deck"),
    ]
    assert "Take out of each deck: 4 × Joker." in page.content.decode()


def test_seats_are_the_organisers_and_paper_is_the_head_referees_too(organiser: User) -> None:
    made = planned_event(organiser, 4)
    for role, seats, paper in (("head_referee", 403, 200), ("table_referee", 403, 403)):
        client = Client()
        client.force_login(made.referee(role))
        assert client.get(page_of(made)).status_code == seats
        assert client.get(reverse("organise-seats-print", args=[made.stage.uid])).status_code == paper


def public(made: Event, what: str = "stage") -> Any:
    return Client().get(reverse(what, args=[made.tournament.slug, made.stage.uid]))


def test_everybody_is_told_of_the_draw_and_can_repeat_it(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 7)
    assert public(made, "stage-draw").status_code == 404
    browser.send(page_of(made, "?draw=1&most=4&seed=48213"), "/seats/")
    page = public(made).content.decode()
    assert re.search(
        r"Drawn with the seed <strong>48213</strong> from the start numbers, at \d{1,2}:\d\d\.", page
    )
    record = public(made, "stage-draw").json()
    assert (record["seed"], record["apart"]) == ("48213", [])
    assert [number for _uid, number, _group in record["people"]] == [1, 2, 3, 4, 5, 6, 7]
    uid = made.uids[0]
    browser.send(page_of(made), "/seats/", **{f"table-{uid}": "3", f"seat-{uid}": "1"})
    assert re.search(
        "Moved by hand since:.*Aino moved from table [12] to table 3", public(made).content.decode(), re.S
    )


def test_who_is_kept_apart_is_nowhere_in_public(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 7)
    one, two = made.uids[:2]
    made.act(actions.keep_apart, first=one, second=two)
    browser.send(page_of(made, "?draw=1&most=4"), "/seats/")
    assert "The pairs kept apart are not published." in public(made).content.decode()
    assert public(made, "stage-draw").json()["apart"] == "not published"


def test_seats_that_are_dealt_in_order_are_no_draw(browser: Browser, organiser: User) -> None:
    made = planned_event(organiser, 7)
    browser.send(page_of(made, "?draw=1&most=4&order=numbers"), "/seats/")
    assert "The draw" not in public(made).content.decode()


def test_tables_of_the_public_page_say_what_they_need_without_a_birth_date(
    browser: Browser, organiser: User
) -> None:
    made = planned_event(organiser, 4, "session", "kpgut-2016")
    Player.objects.filter(entries__public_name="Aino").update(birth_date=date(1961, 2, 3))
    Player.objects.exclude(entries__public_name="Aino").update(birth_date=date(1999, 2, 3))
    browser.send(page_of(made, "?draw=1"), "/seats/")
    text = folded(public(made))
    assert "4 players · 1 deck" in text
    assert re.search(r"Oldest: <strong><bdi>Aino", text)
    assert "1961" not in without_uids(text)


def test_page_asks_as_often_for_one_table_as_for_ten(browser: Browser, organiser: User) -> None:
    def queries(players: int) -> int:
        made = planned_event(organiser, players)
        browser.send(page_of(made, "?draw=1"), "/seats/")
        with CaptureQueriesContext(connection) as asked:
            browser.get(page_of(made))
        return len(asked)

    assert queries(6) == queries(60) <= 30


def test_a_final_is_one_table(browser: Browser, organiser: User) -> None:
    made = add_stage(event("tite-2022", players=12, user=organiser), "final", tables=0, start=False)
    browser.send(page_of(made, "?draw=1"), "/seats/")
    assert list(map(len, seats_now(made).values())) == [12]
