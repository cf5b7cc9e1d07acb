"""Printing: by whom, in which language, and with how many queries."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.extras.printing.views.printed import OF_STAGE, address, page
from tests.support.factories import (
    add_stage,
    event,
    recorded_round,
    running_match,
    running_session,
)
from tournament import actions

OF_EVENT = ["organise-print", "organise-print-results", "organise-certificates"]


@pytest.mark.parametrize("name", OF_STAGE + OF_EVENT)
def test_head_referees_print_and_table_referees_do_not(db: None, name: str) -> None:
    made = running_match()
    answers = [
        page(made, name, user=made.referee(role)).status_code for role in ("head_referee", "table_referee")
    ]
    assert answers == [200, 403]
    assert page(made, name, user=event().user).status_code == 200  # staff may see every event
    assert Client().get(address(made, name)).status_code == 302


def test_paper_is_in_the_language_of_the_event_or_the_one_chosen_for_it(db: None) -> None:
    made = event("mattel-108", 4, language="fi")
    add_stage(made, "match")
    recorded_round(made)
    said = {
        "organise-seat-list": ("Kuka istuu missäkin", "Vem sitter var"),
        "organise-table-sheets": ("Avaa tämän pöydän tuomarille", "Öppnar det här bordet för domaren"),
        "organise-seats-print": ("Tässä järjestyksessä, myötäpäivään.", "I den här ordningen, medurs."),
        "organise-print-results": ("Pöytäkirja, rivi", "Protokollet, rad"),
        "organise-certificates": ("Ensimmäinen sija", "Första plats"),
    }
    for name, (finnish, swedish) in said.items():
        for query, words, lang in (("", finnish, "fi"), ("?language=sv", swedish, "sv")):
            text = page(made, name, query).content.decode()
            assert words in text.partition(f'<div class="papers" lang="{lang}"')[2]
            assert "Print it from the browser’s menu." in text  # the page around it
    assert "Ilmoittaudu tästä" in page(made, "organise-poster").content.decode()


def test_the_page_print_leads_to_all_that_there_is(db: None) -> None:
    made = event("mattel-108", 4)
    add_stage(made, "match", start=False)
    text = page(made, "organise-print").content.decode()
    assert address(made, "organise-table-sheets") in text
    assert address(made, "organise-certificates") not in text
    assert address(made, "organise-print-results") not in text
    made.act(actions.start_stage, stage=made.stage.uid)
    text = page(made, "organise-print", "?paper=letter").content.decode()
    for name in ("organise-certificates", "organise-print-results", "organise-badges"):
        assert f"{address(made, name)}?paper=letter" in text
    assert address(made, "organise-print") in page(made, "organise-board").content.decode()


@pytest.mark.parametrize(
    "query", ["?copies=0", "?copies=-3", "?copies=x", "?copies=٣", "?table=", "?paper=a3"]
)
def test_what_an_address_cannot_mean_is_the_usual(db: None, query: str) -> None:
    made = running_session(players=3)
    context = page(made, "organise-table-sheets", query).context
    assert (len(context["sheets"]), context["paper"]) == (1, "a4")


@pytest.mark.parametrize("name", OF_STAGE + OF_EVENT)
def test_a_page_asks_as_often_for_many_tables_as_for_one(db: None, name: str) -> None:
    asked = []
    for tables in (1, 3):
        made = running_session(players=2 * tables, tables=tables)
        with CaptureQueriesContext(connection) as queries:
            assert page(made, name).status_code == 200
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_finished_event_has_printing_and_certificates_on_its_board_before_more(db: None) -> None:
    made = running_match(players=3, target=10)

    def board() -> tuple[int, bool, bool]:
        """How often the prints are named, whether before "More", and whether there are certificates."""
        shown = page(made, "organise-board").content.decode()
        prints, certificates = (f'href="{address(made, name)}"' for name in OF_EVENT[::2])
        first = shown.index(prints) < shown.index('id="board-more"')
        return shown.count(prints), first, certificates in shown

    assert board() == (1, False, False)
    recorded_round(made)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.refresh()
    assert board() == (1, True, True)


def test_results_for_the_wall_name_the_end_of_the_ledger(db: None) -> None:
    made = running_match(players=3)
    recorded_round(made)
    head = made.refresh().tournament.ledger_head
    assert head[:16] in page(made, "organise-print-results").content.decode()
