"""The files of a tournament, read back as their reader opens them."""

from collections.abc import Callable
from datetime import datetime
from uuid import uuid4

import pytest
from django.test import Client

from tests.extras.workbook.files.conftest import Opened
from tests.support.factories import (
    add_stage,
    event,
    recorded_round,
    running_match,
)
from tournament import actions

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]


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
    assert [row["player"] for row in book.rows("players")] == names
    cells = [cell for sheet in book.book for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n", "d"}
    assert {cell.value for cell in cells} >= {*names, "=Match?*"}
    disposition = book.response["Content-Disposition"]
    assert disposition.isascii()
    assert "%E2%80%AE" not in disposition
    assert "filename*=UTF-8''%2B1%20x%20%E5%BC%A0" in disposition.replace("%5B", "").replace("%5D", "")


def test_the_settings_name_the_ledger_as_it_was(opened: Open) -> None:
    made = running_match()
    facts = opened(made).facts()
    made.refresh()
    assert facts["ledger_hash"] == made.tournament.ledger_head
    assert facts["ledger_row"] == made.tournament.version
    assert facts["date"] == datetime(2026, 5, 9)  # noqa: DTZ001 - a cell has no zone
    assert isinstance(facts["exported_at"], datetime)


def test_headings_and_codes_are_the_same_in_every_language(opened: Open) -> None:
    made = running_match()
    books = [opened(made, language=language).everything() for language in ("en", "fi")]
    assert books[0].partition("exported_at")[0] == books[1].partition("exported_at")[0]


@pytest.mark.parametrize(
    ("path", "ending"),
    [("results.xlsx", ".xlsx"), ("data.xlsx", " data.xlsx"), ("data.zip", " data.zip")],
)
def test_the_answer_is_a_download_with_the_events_day_that_nobody_keeps(
    client: Client, path: str, ending: str
) -> None:
    made = event(name="Kevätturnaus", slug="kevat-2026")
    response = client.get(f"/en/t/{made.tournament.slug}/{path}")
    kind = "zip" if path.endswith("zip") else "vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert response["Content-Type"] == f"application/{kind}"
    assert response["Cache-Control"] == "no-store"
    plain, named = f"2026-05-09{ending}".replace(" ", "-"), f"2026-05-09{ending}".replace(" ", "%20")
    assert response["Content-Disposition"] == (
        f"attachment; filename=\"kevat-2026-{plain}\"; filename*=UTF-8''Kev%C3%A4tturnaus%20{named}"
    )


def test_addresses_unlisted_unknown_and_methods(client: Client) -> None:
    made = event(listed=False)
    address = f"/en/t/{made.tournament.slug}/results.xlsx"
    head = client.head(address)
    assert (head.status_code, head.content, head["Cache-Control"]) == (200, b"", "no-store")
    assert client.get(address).status_code == 200
    assert client.post(address).status_code == 405
    assert client.get("/en/t/nothing-here/results.xlsx").status_code == 404
