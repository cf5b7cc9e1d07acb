"""The table of friends: each kind from names to totals, errors where they happened, and the way to an event."""

import json
import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from scoring import score
from tests.support.factories import UserFactory, event
from tests.support.sheets import anonymous
from tournament.actions.event import founding
from tournament.models import Membership, Play, Tournament, User
from tournament.results.answer import stage_results
from tournament.results.faults import Fault, Refused
from tournament.server.rate_limits import EventThrottle

ADDRESS = "/en/score/"


@pytest.fixture(autouse=True)
def _fresh_throttle() -> None:
    cache.clear()


class Page:
    """A page of friends: its text, and the sheet that its forms carry."""

    def __init__(self, client: Client, response: Any) -> None:
        self.client = client
        self.status = response.status_code
        self.text = response.content.decode()

    @property
    def sheet(self) -> dict[str, Any]:
        found = re.search(r'name="sheet"\s+value="([^"]*)"', self.text)
        assert found
        sheet: dict[str, Any] = json.loads(unescape(found[1]))
        return sheet

    def send(self, do: str, sheet: Any = None, **fields: Any) -> "Page":
        data = {
            "do": do,
            "sheet": json.dumps(sheet or self.sheet),
            **{k.replace("__", "-"): v for k, v in fields.items()},
        }
        return Page(self.client, self.client.post(ADDRESS, data))

    def error_at(self, field: str) -> str:
        """The message in the part of the form with this id."""
        found = re.search(rf'id="{field}".*?field__error"[^>]*>(?:<span>)?(.*?)<', self.text, re.DOTALL)
        return unescape(found[1]) if found else ""


def start(client: Client, play: str, names: str = "Aino\nBörje\nCécile", **settings: Any) -> Page:
    return Page(client, client.post(ADDRESS, {"do": "start", "play": play, "names": names, **settings}))


# ---- setting up ----


def test_page_offers_every_way_to_play(client: Client) -> None:
    text = client.get(ADDRESS).content.decode()
    for play in (
        "kpgut-2016.session",
        "mattel-108.match",
        "mattel-112.match",
        "tite-2022.match",
        "tite-2022.heats",
    ):
        assert f"play={play}" in text
        assert "Who plays?" in client.get(ADDRESS, {"play": play}).content.decode()
    assert "What do you play?" in client.get(ADDRESS, {"play": "poker.match"}).content.decode()


def test_answers_are_never_cached(client: Client) -> None:
    assert "no-store" in client.get(ADDRESS)["Cache-Control"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("Aino", "At least two players"),
        ("Aino\naino", "is there twice"),
        ("Aino\n" + "x" * 101, "at most 100 characters"),
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
    assert "Who plays?" in page.text


def test_names_of_any_kind_are_escaped(client: Client) -> None:
    page = start(client, "mattel-108.match", "<script>x</script>\nمحمد\n🃏 Ada")
    assert "<script>x" not in page.text
    assert "<bdi>محمد</bdi>" in page.text


# ---- a match ----


def test_match_adds_rounds_and_shows_totals(client: Client) -> None:
    page = start(client, "mattel-108.match", target="100")
    page = page.send("save", row=0, winner="p1", **{"hand-p2-wild": 1, "hand-p3-7": 2})
    assert page.status == 200
    assert "Leads" in page.text
    assert "64" in page.text
    again = page.send("save", row=1, winner="p2", **{"hand-p1-wild": 2, "hand-p3-7": 1})
    assert "Winner" in again.text
    assert "Add</button>" not in again.text  # the match is over
    assert score(again.sheet).as_json()["winners"] == ["p2"]


def test_sending_a_form_twice_adds_one_round(client: Client) -> None:
    page = start(client, "mattel-108.match")
    fields = {"row": 0, "winner": "p1", "hand-p2-wild": 1, "hand-p3-7": 2}
    assert page.send("save", **fields).sheet == page.send("save", **fields).sheet


@pytest.mark.parametrize(
    ("fields", "where", "said"),
    [
        ({"hand-p2-7": 1, "hand-p3-7": 1}, "winner", "Choose who won"),
        ({"winner": "p1", "hand-p2-7": 1}, "hand-p3", "Count the cards left with Cécile"),
        ({"winner": "p1", "hand-p2-0": 5, "hand-p3-7": 1}, "hand-p2", "Count again"),
        ({"winner": "p1", "hand-p2-7": "x", "hand-p3-7": 1}, "hand-p2", "whole number"),
        ({"winner": "p1", "hand-p2-7": "9" * 50, "hand-p3-7": 1}, "hand-p2", "more than there can be"),
        ({"winner": "p1", "hand-p1-7": 1, "hand-p2-7": 1, "hand-p3-7": 1}, "hand-p1", "has no cards"),
        ({"winner": "p1", "hand-p2-7": 1, "hand-p3-7": 1, "last": "draw2"}, "drew", "who drew"),
        (
            {"winner": "p1", "hand-p2-7": 1, "hand-p3-7": 1, "last": "draw2", "drew": "p2"},
            "hand-p2",
            "at least 3",
        ),
    ],
)
def test_round_with_an_error_is_kept_with_the_error_at_its_place(
    client: Client, fields: dict[str, Any], where: str, said: str
) -> None:
    page = start(client, "mattel-108.match").send("save", row=0, **fields)
    assert page.status == 422
    assert said in page.error_at(where) or said in page.text.split(f'href="#{where}"')[1][:200]
    assert page.sheet["rounds"] == []
    for name, value in fields.items():
        if name.startswith("hand-"):
            assert f'name="{name}" value="{value}"' in page.text


def test_tite_round_may_end_on_two_draw_twos(client: Client) -> None:
    page = start(client, "tite-2022.match", target="250")
    assert 'value="wild4"' not in page.text.split('id="last"')[1].split("</select>")[0]
    fields = {"hand-p2-7": 5, "hand-p3-7": 1, "last": "draw2", "last_count": 2, "drew": "p2"}
    page = page.send("save", row=0, winner="p1", **fields)
    assert page.sheet["rounds"][0]["last_cards"] == {"draw2": 2}


def test_emptied_hands_and_leaving_are_part_of_a_round(client: Client) -> None:
    page = start(client, "mattel-112.match", "A\nB\nC\nD")
    page = page.send("save", row=0, winner="p1", **{"emptied-p2": "1", "hand-p3-7": 1, "out-p4": "withdrawn"})
    assert page.status == 200
    assert page.sheet["rounds"][0]["emptied"] == ["p2"]
    assert "Left" in page.text
    assert 'name="hand-p4-7"' not in page.text


def test_match_ends_when_everybody_else_left(client: Client) -> None:
    page = start(client, "mattel-108.match", "A\nB")
    page = page.send("save", row=0, **{"out-p2": "removed"})
    assert page.status == 200
    assert "Winner" in page.text


def test_round_can_be_changed_and_taken_out(client: Client) -> None:
    page = start(client, "mattel-108.match")
    page = page.send("save", row=0, winner="p1", **{"hand-p2-wild": 1, "hand-p3-7": 2})
    page = page.send("edit:0")
    assert "Change Round 1" in page.text
    assert 'name="hand-p2-wild" value="1"' in page.text
    page = page.send("save", row=0, winner="p1", **{"hand-p2-wild": 2, "hand-p3-7": 2})
    assert "114" in page.text
    assert page.send("remove:0").sheet["rounds"] == []
    assert page.send("remove:99").sheet["rounds"] == page.send("edit:99").sheet["rounds"]


def test_change_that_ends_the_match_earlier_shows_what_must_go(client: Client) -> None:
    page = start(client, "mattel-108.match", target="100")
    for row in (0, 1):
        page = page.send("save", row=row, winner="p1", **{"hand-p2-7": 1, "hand-p3-7": 1})
    page = page.send("save", row=0, winner="p1", **{"hand-p2-wild": 3, "hand-p3-7": 1})
    assert page.status == 200
    assert "The match was over before this round" in page.text
    assert len(page.sheet["rounds"]) == 2
    page = page.send("remove:1")
    assert "Winner" in page.text


def test_match_can_be_stopped_and_gone_on_with(client: Client) -> None:
    page = start(client, "mattel-108.match").send(
        "save", row=0, winner="p1", **{"hand-p2-7": 1, "hand-p3-7": 1}
    )
    page = page.send("stop")
    assert "Stopped early" in page.text or "Winner" in page.text
    assert "Add</button>" not in page.text
    assert "Add</button>" in page.send("go-on").text


# ---- a session ----


def test_session_takes_times_in_minutes_and_seconds(client: Client) -> None:
    page = start(client, "kpgut-2016.session")
    fields = {
        "outcome-p1": "out",
        "time-p1": "12:30",
        "outcome-p2": "out",
        "time-p2": "20.05",
        "outcome-p3": "last",
    }
    page = page.send("save", row=0, ended="last", **fields)
    assert page.status == 200
    assert page.sheet["games"][0]["results"][1]["elapsed_s"] == 1205
    assert "12.00" in page.text
    assert "Last place so far" in page.text
    assert 'value="12:30"' in page.send("edit:0").text


def test_session_asks_for_the_hands_of_those_remaining(client: Client) -> None:
    page = start(client, "kpgut-2016.session")
    fields = {"outcome-p1": "out", "time-p1": "5:00", "outcome-p2": "remaining", "outcome-p3": "remaining"}
    asked = page.send("save", row=0, ended="time", **fields)
    assert asked.status == 200
    assert "Count the cards left" in asked.text
    assert asked.sheet["games"] == []
    assert 'value="5:00"' in asked.text
    empty = asked.send("save", row=0, ended="time", **fields, **{"hand-p2-7": "", "hand-p3-7": 1})
    assert (empty.status, "Count the cards left with Börje" in empty.text) == (422, True)
    done = asked.send("save", row=0, ended="time", **fields, **{"hand-p2-7": 2, "hand-p3-7": 1})
    assert [row["points"] for row in score(done.sheet).as_json()["rounds"][0]["results"]] == [5, 70, 65]


@pytest.mark.parametrize(
    ("fields", "where", "said"),
    [
        ({"ended": "last", "outcome-p1": "out", "outcome-p2": "last"}, "time-p1", "when Aino went out"),
        (
            {"ended": "last", "outcome-p1": "out", "time-p1": "soon", "outcome-p2": "last"},
            "time-p1",
            "minutes and seconds",
        ),
        (
            {"ended": "last", "outcome-p1": "out", "time-p1": "60:01", "outcome-p2": "last"},
            "time-p1",
            "Nobody goes out after",
        ),
        ({"ended": "last", "outcome-p1": "last", "outcome-p2": "last"}, "outcome-p2", "Only one player"),
        (
            {"ended": "last", "outcome-p1": "gave_up", "outcome-p2": "last"},
            "duration",
            "say when the game ended",
        ),
        ({"ended": "last", "outcome-p1": "last"}, "results", "least"),
        ({"ended": "", "outcome-p1": "last"}, "ended", "Say how"),
    ],
)
def test_game_with_an_error_is_kept(client: Client, fields: dict[str, str], where: str, said: str) -> None:
    page = start(client, "kpgut-2016.session").send("save", row=0, **fields)
    assert page.status == 422
    assert said in page.text
    assert f'href="#{where}"' in page.text
    assert f'id="{where}"' in page.text
    assert page.sheet["games"] == []


def test_ejected_player_is_not_asked_for_again(client: Client) -> None:
    page = start(client, "kpgut-2016.session")
    fields = {"outcome-p1": "out", "time-p1": "5:00", "outcome-p2": "ejected", "outcome-p3": "last"}
    page = page.send("save", row=0, ended="last", duration="6:00", **fields)
    assert "Disqualified" in page.text
    assert 'name="outcome-p2"' not in page.text


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
    assert (refused.status, "has played" in refused.text) == (422, True)


# ---- heats ----


def test_heats_name_who_goes_through(client: Client) -> None:
    page = start(client, "tite-2022.heats", "A\nB\nC\nD\nE", advance="1")
    page = page.send("save", row=0, **{"sat-p1": "1", "sat-p2": "sat", "sat-p3": "removed", "advance": "1"})
    assert page.status == 200
    assert "Through" in page.text
    assert 'name="sat-p1"' not in page.text  # sits in one heat only
    page = page.send("save", row=1, **{"sat-p4": "sat", "sat-p5": "sat"})
    assert (page.status, "Name everybody who goes through" in page.text) == (422, True)
    page = page.send("save", row=1, **{"sat-p4": "2", "sat-p5": "2"})
    assert (page.status, "both be number 2" in page.text) == (422, True)
    page = page.send("edit:0")
    assert 'name="sat-p1"' in page.text


# ---- sheets from elsewhere ----


@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "{",
        "[]",
        "[" * 5000,
        '{"sheet": 1}',
        '{"sheet": 1, "kind": "match", "ruleset": "poker", "players": [], "rounds": []}',
        '{"sheet": 1, "kind": "match", "ruleset": "mattel-108", "players": [{"id": 7, "name": null}], "rounds": 5}',
        "x" * 400_000,
        json.dumps(
            {
                "sheet": 1,
                "kind": "match",
                "ruleset": "mattel-108",
                "rounds": [],
                "players": [{"id": str(n), "name": "x"} for n in range(101)],
            }
        ),
    ],
)
def test_sheet_that_cannot_be_read_is_a_message(client: Client, sheet: str) -> None:
    for do in ("show", "save", "edit:1", "download", "event", "people"):
        response = client.post(ADDRESS, {"do": do, "sheet": sheet})
        assert response.status_code == 422
        assert b"cannot be read" in response.content


HOSTILE = {
    "sheet": 1,
    "kind": "match",
    "ruleset": "mattel-112",
    "settings": {"target": -5, "decks": 10**30, "junk": "<b>"},
    "players": [
        {"id": '"><script>x', "name": "<script>y"},
        {"id": "p p", "name": ""},
        {"id": "", "name": "z"},
    ],
    "junk": {"deep": [1]},
    "rounds": [
        {
            "number": 7,
            "winner": "nobody",
            "hands": {"stranger": {"17": 10**900}},
            "removed": ["ghost"],
            "emptied": ["p p"],
            "junk": 1,
        }
    ],
}


def test_sheet_with_half_a_letter_is_not_read(client: Client) -> None:
    players = [{"id": "\ud800", "name": "Aino"}, {"id": "b", "name": "Börje"}]
    sheet = {**HOSTILE, "players": players, "rounds": []}
    assert client.post(ADDRESS, {"do": "show", "sheet": json.dumps(sheet)}).status_code == 422


def test_sheet_with_anything_in_it_is_shown_with_its_faults(client: Client) -> None:
    page = Page(client, client.post(ADDRESS, {"do": "show", "sheet": json.dumps(HOSTILE)}))
    assert page.status == 200
    assert "<script>x" not in page.text
    assert "<script>y" not in page.text
    assert "junk" not in page.text
    assert "wait until this is mended" in page.text
    for do in (
        "edit:0",
        "save",
        "people",
        "keep-people",
        "stop",
        "remove:0",
        "nonsense",
        "edit:-1",
        "edit:x",
    ):
        assert page.send(do, row=0).status in (200, 422)


@pytest.mark.parametrize(
    "sheet",
    [
        {
            "kind": "session",
            "ruleset": "kpgut-2016",
            "games": [
                {
                    "number": 1,
                    "ended": "void",
                    "results": [
                        {"player": "a", "outcome": "out", "elapsed_s": "x"},
                        {"player": "b", "outcome": "ejected"},
                    ],
                }
            ],
        },
        {
            "kind": "session",
            "ruleset": "kpgut-2016",
            "games": [
                {"number": 1, "ended": "last", "results": [{"player": "q", "outcome": "gave_up", "hand": 5}]}
            ],
        },
        {
            "kind": "heats",
            "ruleset": "tite-2022",
            "heats": [
                {"number": 1, "players": ["q", "a"], "finish_order": ["q", "b", "b"], "removed": ["z"]}
            ],
        },
        {
            "kind": "match",
            "ruleset": "mattel-108",
            "stopped": True,
            "rounds": [],
            "removed": ["a"],
            "withdrawn": ["q"],
        },
    ],
)
def test_strange_sheets_never_break_the_page(client: Client, sheet: dict[str, Any]) -> None:
    whole = {"sheet": 1, "players": [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}], **sheet}
    for do in ("show", "edit:0", "people", "save", "remove:0", "download"):
        assert client.post(ADDRESS, {"do": do, "sheet": json.dumps(whole), "row": "0"}).status_code in (
            200,
            422,
        )


def test_download_gives_the_sheet_that_the_command_scores(client: Client) -> None:
    page = start(client, "mattel-108.match").send(
        "save", row=0, winner="p1", **{"hand-p2-7": 1, "hand-p3-7": 1}
    )
    response = client.post(ADDRESS, {"do": "download", "sheet": json.dumps(page.sheet)})
    assert response["Content-Type"] == "application/json"
    assert "attachment" in response["Content-Disposition"]
    assert score(json.loads(response.content)).as_json()["standings"]


# ---- an event ----


def played(client: Client, kind: str) -> Page:
    """A game of each kind with everything in it that an event must take over."""
    if kind == "match":
        page = start(client, "mattel-112.match", "A\nB\nC\nD\n" + "E" * 100, target="400", custom_cards="2")
        page = page.send(
            "save",
            row=0,
            winner="p1",
            **{
                "hand-p2-7": 3,
                "hand-p3-7": 1,
                "hand-p4-wild": 1,
                "out-p5": "removed",
                "last": "draw2",
                "drew": "p2",
            },
        )
        page = page.send(
            "save", row=1, winner="p2", **{"hand-p1-7": 3, "emptied-p3": "1", "out-p4": "withdrawn"}
        )
        return page.send("stop")
    if kind == "session":
        page = start(client, "kpgut-2016.session", "A\nB\nC\nD")
        fields = {
            "outcome-p1": "out",
            "time-p1": "12:30",
            "outcome-p2": "ejected",
            "outcome-p3": "gave_up",
            "outcome-p4": "last",
        }
        page = page.send("save", row=0, ended="last", duration="15:00", **fields)
        fields = {
            "outcome-p1": "out",
            "time-p1": "12:30",
            "outcome-p3": "remaining",
            "outcome-p4": "remaining",
            "hand-p3-7": 2,
            "hand-p4-0": 1,
        }
        return page.send("save", row=1, ended="early", **fields)
    page = start(client, "tite-2022.heats", "A\nB\nC\nD\nE", advance="1")
    page = page.send("save", row=0, **{"sat-p1": "1", "sat-p2": "2", "sat-p3": "removed", "advance": "2"})
    return page.send("save", row=1, **{"sat-p4": "sat", "sat-p5": "1"})


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["match", "session", "heats"])
def test_event_has_the_same_standings_as_the_sheet(client: Client, kind: str) -> None:
    page = played(client, kind)
    assert page.status == 200
    response = client.post(
        ADDRESS, {"do": "event", "sheet": json.dumps(page.sheet), "event": str(uuid4()), "name": "Ours"}
    )
    assert (response.status_code, response["Location"]) == (302, "/en/desk/")
    made = Tournament.objects.get()
    assert (made.name, made.listed, made.state) == ("Ours", False, "running")
    (results,) = stage_results(made.stages.get())
    names = {player["id"]: player["name"] for player in page.sheet["players"]}
    assert anonymous(results.answer, results.names) == anonymous(score(page.sheet), names)
    guest = User.objects.get(pk=client.session["_auth_user_id"])
    assert not guest.has_usable_password()
    assert Membership.objects.get(tournament=made).user == guest
    assert client.get(f"/en/t/{made.slug}/").status_code == 200


@pytest.mark.django_db
def test_pressing_twice_makes_one_event(client: Client) -> None:
    page = played(client, "match")
    form = {"do": "event", "sheet": json.dumps(page.sheet), "event": str(uuid4())}
    for browser in (client, client, Client()):
        assert browser.post(ADDRESS, form).status_code == 302
    assert Tournament.objects.count() == 1
    assert User.objects.count() == 1
    stranger = Client()
    stranger.force_login(event(user=UserFactory(), listed=False).user)  # who runs another one
    assert stranger.post(ADDRESS, form).status_code == 422


@pytest.mark.django_db
def test_guest_username_does_not_tell_the_forms_secret(client: Client) -> None:
    secret = uuid4()
    client.post(
        ADDRESS, {"do": "event", "sheet": json.dumps(played(client, "match").sheet), "event": str(secret)}
    )
    assert str(secret) not in User.objects.get().username
    assert Tournament.objects.get().uid != secret


@pytest.mark.django_db
def test_signed_in_visitor_runs_the_event_themselves(client: Client) -> None:
    user = UserFactory()
    client.force_login(user)
    client.post(
        ADDRESS, {"do": "event", "sheet": json.dumps(played(client, "heats").sheet), "event": str(uuid4())}
    )
    assert Membership.objects.get().user == user
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_event_without_rounds_is_ready_to_play(client: Client) -> None:
    sheet = start(client, "mattel-108.match").sheet
    client.post(ADDRESS, {"do": "event", "sheet": json.dumps(sheet), "event": str(uuid4())})
    assert Tournament.objects.get().state == "running"
    assert not Play.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"rounds": [{"number": 1}]}, {"settings": {"target": 0}}])
def test_sheet_with_faults_makes_no_event(client: Client, change: dict[str, Any]) -> None:
    sheet = start(client, "mattel-108.match").sheet | change
    response = client.post(ADDRESS, {"do": "event", "sheet": json.dumps(sheet), "event": "x"})
    assert response.status_code == 422
    assert not Tournament.objects.exists()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_event_that_fails_half_way_leaves_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: Any, **_named: Any) -> None:
        raise Refused(Fault("no_tables"))

    monkeypatch.setattr(founding, "start_stage", fail)
    sheet = start(client, "mattel-108.match").sheet
    response = client.post(ADDRESS, {"do": "event", "sheet": json.dumps(sheet), "event": str(uuid4())})
    assert response.status_code == 422
    assert not Tournament.objects.exists()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_events_from_one_address_are_limited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EventThrottle, "rate", "1/hour")
    form = {"do": "event", "sheet": json.dumps(start(client, "mattel-108.match").sheet)}
    assert client.post(ADDRESS, form | {"event": str(uuid4())}).status_code == 302
    assert client.post(ADDRESS, form | {"event": str(uuid4())}).status_code == 429


def test_form_without_token_is_refused() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert (
        strict.post(ADDRESS, {"do": "start", "play": "mattel-108.match", "names": "A\nB"}).status_code == 403
    )
