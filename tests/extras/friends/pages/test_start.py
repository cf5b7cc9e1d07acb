"""Names and settings of a table of friends: what does not fit is kept, with the error beside it."""

import pytest
from django.test import Client

from tests.extras.friends.browser import start


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("Aino", "At least two players"),
        ("Aino\naino", "is listed twice"),
        ("Aino\nA\u00adINO\u200f", "is listed twice"),
        ("O’Brien\nO'Brien", "is listed twice"),
        ("Aino\n" + "x" * 101, "has 101 characters. Shorten it to 100 at most."),
        ("\n".join(f"P{n}" for n in range(101)), "At most 100 players"),
    ],
)
def test_names_that_do_not_fit_are_kept_with_the_error_beside_them(
    client: Client, names: str, said: str
) -> None:
    page = start(client, "mattel-108.match", names)
    assert page.status == 422
    assert said in page.text
    assert names.splitlines()[0] in page.text


@pytest.mark.parametrize(
    ("play", "settings", "field"),
    [
        ("tite-2022.match", {}, "missing"),
        ("tite-2022.match", {"target": "200"}, "200"),
        ("mattel-108.match", {"target": "many"}, "many"),
        ("mattel-112.match", {"target": "500", "custom_cards": "7"}, "7"),
        ("mattel-108.match", {"scoring": "backwards"}, ""),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    client: Client, play: str, settings: dict[str, str], field: str
) -> None:
    page = start(client, play, **settings)
    assert page.status == 422
    assert "field__error" in page.text
    assert "Who is playing?" in page.text


def test_names_of_any_kind_are_escaped(client: Client) -> None:
    page = start(client, "mattel-108.match", "<script>x</script>\nمحمد\n🃏 Ada")
    assert "<script>x" not in page.text
    assert "<bdi>محمد</bdi>" in page.text


def test_latecomers_are_added_and_those_who_played_stay(client: Client) -> None:
    page = start(client, "kpgut-2016.session")
    page = page.send(
        "save", row=0, ended="last", **{"outcome-p1": "out", "time-p1": "5:00", "outcome-p2": "last"}
    )
    form = page.send("people")
    assert 'value="Cécile"' in form.text
    names = {"name-p1": "Aino V.", "name-p2": "Börje", "name-p3": "", "names": "Dima"}
    page = form.send("keep-people", sheet=page.sheet, **names)
    assert [player["name"] for player in page.sheet["players"]] == ["Aino V.", "Börje", "Dima"]
    assert page.sheet["players"][2]["id"] not in {"p1", "p2", "p3"}
    refused = form.send("keep-people", sheet=page.sheet, **{"name-p1": "", "name-p2": "Börje"})
    assert (refused.status, "has already played" in refused.text) == (422, True)
