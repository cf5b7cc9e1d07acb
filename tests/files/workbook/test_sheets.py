"""The workbook of a tournament, read back as its reader opens it."""

from collections.abc import Callable
from datetime import datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from tests.files.workbook.conftest import Opened
from tests.support.factories import (
    add_stage,
    event,
    recorded_round,
    running_match,
)
from tournament import actions

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]
HELSINKI = ZoneInfo("Europe/Helsinki")


def test_an_event_without_anything_still_gives_a_workbook(opened: Open) -> None:
    assert opened(event()).titles == ["Event"]


def test_hostile_names_are_text_everywhere(opened: Open) -> None:
    names = ['=HYPERLINK("http://example.org")', "@" + "x" * 99, "محمد الأمين", "<script>alert(1)</script>"]
    made = event("mattel-108", name="+1 /[x]: 张伟\u202e")
    made.act(
        actions.enter_players,
        players=[
            {"entry": uuid4(), "name": name, "club": f"-{index}", "public_name_is_right": True}
            for index, name in enumerate(names)
        ],
    )
    made.entries = list(made.tournament.entries.all())
    made = add_stage(made, "match")
    made.act(actions.set_stage_settings, stage=made.stage.uid, settings={}, name="=Match?*")
    recorded_round(made)
    book = opened(made)
    assert [row["Player"] for row in book.rows("Players")] == names
    cells = [cell for sheet in book.book for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n", "d", "f"}
    assert {cell.value for cell in cells if cell.data_type != "f"} >= {*names, "=Match?*"}
    disposition = book.response["Content-Disposition"]
    assert disposition.isascii()
    assert "%E2%80%AE" not in disposition
    assert "filename*=UTF-8''%2B1%20x%20%E5%BC%A0" in disposition.replace("%5B", "").replace("%5D", "")


def test_the_first_sheet_names_the_ledger_as_it_was(opened: Open) -> None:
    made = running_match()
    facts = opened(made).facts()
    made.refresh()
    assert facts["Hash of that row"] == made.tournament.ledger_head
    assert facts["Last row of the ledger"] == made.tournament.version
    assert facts["Date"] == datetime(2026, 5, 9)  # noqa: DTZ001 - a cell has no zone
    assert isinstance(facts["Exported (Europe/Helsinki)"], datetime)


@pytest.mark.parametrize(
    ("language", "titles"),
    [
        ("en", ["Event", "Standings", "Settings", "Rulings used", "Players"]),
        ("fi", ["Tapahtuma", "Tilanne", "Asetukset", "Käytetyt ratkaisut", "Pelaajat"]),
        ("sv", ["Evenemang", "Ställning", "Inställningar", "Använda avgöranden", "Spelare"]),
    ],
)
def test_words_are_in_the_language_of_the_reader_who_asks(
    opened: Open, language: str, titles: list[str]
) -> None:
    assert opened(running_match(), language=language).titles == titles


def test_the_answer_is_a_download_that_nobody_keeps(opened: Open) -> None:
    made = event(name="Kevätturnaus", slug="kevat-2026")
    response = opened(made).response
    today = datetime.now(HELSINKI).date().isoformat()
    assert response["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert response["Cache-Control"] == "no-store"
    assert response["Content-Disposition"] == (
        f"attachment; filename=\"kevat-2026-{today}.xlsx\"; filename*=UTF-8''Kev%C3%A4tturnaus%20{today}.xlsx"
    )


def test_addresses_unlisted_unknown_and_methods(client: Client) -> None:
    made = event(listed=False)
    address = f"/en/t/{made.tournament.slug}/results.xlsx"
    head = client.head(address)
    assert (head.status_code, head.content, head["Cache-Control"]) == (200, b"", "no-store")
    assert client.get(address).status_code == 200
    assert client.post(address).status_code == 405
    assert client.get("/en/t/nothing-here/results.xlsx").status_code == 404


def test_too_many_workbooks_at_once_are_put_off(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import BoundedSemaphore

    from tournament.views.public import workbook

    made = event()
    full = BoundedSemaphore(1)
    full.acquire()
    monkeypatch.setattr(workbook, "_writing", full)
    monkeypatch.setattr(workbook, "WAIT_S", 0)
    response = client.get(f"/en/t/{made.tournament.slug}/results.xlsx")
    assert (response.status_code, response["Retry-After"]) == (503, "60")
