"""The end of the ledger is a tap from results and stands in every export, and an older hash can be looked up."""

from io import BytesIO
from uuid import UUID, uuid4
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import Event, recorded_round, running_match
from tournament import actions
from tournament.models import Entry, Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Event:
    made = running_match(players=3)
    recorded_round(made)
    return made.refresh()


def ask(made: Event, head: str) -> str:
    answer = Client().get(reverse("ledger", args=[made.tournament.slug]), {"head": head})
    assert answer.status_code == 200
    return answer.content.decode()


def text_of(content: bytes) -> str:
    if content[:2] != b"PK":
        return content.decode()
    with ZipFile(BytesIO(content)) as file:
        return "".join(file.read(name).decode(errors="replace") for name in file.namelist())


def test_the_hash_of_the_ledgers_end_stands_a_tap_from_results_and_in_the_workbook(
    made: Event,
) -> None:
    head, slug = made.tournament.ledger_head, made.tournament.slug
    client = Client()
    client.force_login(made.user)
    seen = {
        "ledger": client.get(reverse("ledger", args=[slug])).content,
        "workbook": b"".join(client.get(f"/en/t/{slug}/results.xlsx", follow=True)),
    }
    assert [name for name, content in seen.items() if head not in text_of(content)] == []
    for page in (reverse("tournament", args=[slug]), reverse("stage", args=[slug, made.stage.uid])):
        shown = client.get(page).content.decode()
        assert f'<a href="{reverse("ledger", args=[slug])}">Check the ledger</a>' in shown


def test_an_older_hash_is_found_with_its_row_and_a_strange_one_is_not(made: Event) -> None:
    old = made.tournament.ledger_head
    recorded_round(made)
    for kept in (old, old[:16].upper(), f" {old[:32]} {old[32:]}"):
        said = ask(made, kept)
        assert "Yes, this hash is in the ledger" in said
        assert f"row {made.tournament.version}, stored" in said
        assert "1 row has been added since" in said
    assert "No, this hash is not in the ledger" in ask(made, "0" * 64)
    assert "No, this hash is not in the ledger" in ask(running_match(players=2), old)
    assert "That is not a hash" in ask(made, "<b>7</b>\0")


def test_an_erased_name_leaves_the_hashes_as_they_were(made: Event) -> None:
    old = made.tournament.ledger_head
    Player.objects.update(name="erased", contact="")
    Entry.objects.update(public_name="erased")
    made.act(actions.withdraw_entry, entry=_extra(made))
    assert "Yes, this hash is in the ledger" in ask(made, old)


def _extra(made: Event) -> UUID:
    uid = uuid4()
    made.act(actions.enter_players, players=[{"entry": uid, "name": "Extra"}])
    return uid
