"""The table's own page, for everybody who scanned its code: what it shows, and what players may do there."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from tests.support.factories import (
    Event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_race,
    running_session,
    started_game,
)
from tournament import actions
from tournament.actions.table.at_table import KEEP_FOR, MOST_ASKS
from tournament.links import SHORT_CODE, read_short, short_code, token_for
from tournament.models import Ask, Call, Play, Proposal, Stage, Table, Typing
from tournament.server.rate_limits import AllWrongCodesThrottle, WrongCodesThrottle
from tournament.views.public import urls as public_urls

pytestmark = pytest.mark.django_db

COMMAND = re.compile(r'name="(\w+)"\s+value="([^"]*)"')


def address(table: Table, what: str = "") -> str:
    return f"/en/at/{token_for('table', table.uid, Table.objects.get(pk=table.pk).link_number)}/{what}"


def text(answer: Any) -> str:
    return str(answer.content.decode())


def shown(made: Event, what: str = "") -> str:
    answer = Client().get(address(made.table, what))
    assert answer.status_code == 200
    return text(answer)


def sent(made: Event, what: str, **fields: Any) -> Any:
    data = {"command": uuid4(), **fields}
    said = {name: value if isinstance(value, list) else str(value) for name, value in data.items()}
    return Client().post(address(made.table, what), said)


def looked_twice(made: Event) -> Event:
    made.act(actions.ask_second_look, stage=made.stage.uid, wanted=True)
    return made


def form_of(made: Event) -> dict[str, Any]:
    """The pad of a round: the first player wins against 7s."""
    winner, *others = made.at(made.table)
    fields = {"play": uuid4(), "number": Play.objects.count() + 1, "proposal": uuid4(), "winner": winner}
    return fields | {f"hand-{uid}-7": 1 for uid in others}


def test_it_shows_the_table_and_is_in_no_search_engine() -> None:
    made = running_match(players=3)
    answer = Client().get(address(made.table))
    assert "noindex" in answer["X-Robots-Tag"]
    assert all(
        name in text(answer) for name in ("Aino", "Börje", "Cécile", "Propose a result", "Call a referee")
    )


def test_the_address_in_the_code_has_no_language() -> None:
    made = running_match(players=2)
    answer = Client().get(address(made.table).removeprefix("/en"), headers={"accept-language": "fi"})
    assert answer["Location"] == address(made.table).replace("/en/", "/fi/")


def test_an_old_code_is_told_so() -> None:
    made = running_match(players=2)
    old = address(made.table)
    made.act(actions.renew_link_of_table, table=made.table.uid)
    for url in (old, f"{old}propose/", f"{old}call/", "/en/at/x/"):
        assert Client().get(url).status_code == 404


def test_one_tap_finds_a_round_right() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    page = shown(made)
    assert "Round 1. Is this right?" in page
    assert sent(made, "right/", play=play.uid, version=play.version).status_code == 303
    play.refresh_from_db()
    assert play.second_look == "accepted"
    assert "Is this right?" not in shown(made)


def test_one_tap_finds_several_rounds_right_and_the_next_does_not_open_in_their_place() -> None:
    made = looked_twice(running_match(players=3))
    plays = [made.play(recorded_round(made)) for _ in range(3)]
    page = shown(made)
    assert "3 results to check" in page
    asked = [page.index(f"Round {number}. Is this right?") for number in (3, 2, 1)]
    assert asked == sorted(asked)
    assert page.count(" open>") == 1
    answer = sent(made, "right/", play=plays[2].uid, version=plays[2].version)
    page = text(Client().get(answer["Location"]))
    assert (page.count("Is this right?"), page.count(" open>")) == (2, 0)
    fields = re.findall(r'name="play" value="([^"]+:[0-9]+)"', page)
    made.act(actions.contest_play, play=plays[0].uid, version=plays[0].version)
    answer = sent(made, "all-right/", play=fields)
    assert (answer.status_code, "Table 1, round 1 has changed in the meantime" in text(answer)) == (422, True)
    made.act(actions.correct_round, **contested_again(made, plays[0].uid))
    fields = re.findall(r'name="play" value="([^"]+:[0-9]+)"', shown(made))
    assert sent(made, "all-right/", play=fields).status_code == 303
    assert {row.second_look for row in Play.objects.all()} == {"accepted"}


def contested_again(made: Event, play: UUID) -> dict[str, Any]:
    """The correction of a contested round to the same."""
    winner, *others = made.at(made.table)
    hands = {str(uid): {"7": 1} for uid in others}
    return {
        "play": play,
        "version": made.play(play).version,
        "winner": winner,
        "hands": hands,
        "reason": "right",
    }


def test_one_tap_contests_it_and_calls_a_referee() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    assert sent(made, "contest/", play=play.uid, version=play.version).status_code == 303
    assert Call.objects.get().kind == Call.Kind.CONTEST
    page = shown(made)
    assert re.search(
        "Contested at \\d{1,2}:\\d\\d. A referee has been called and will decide. Until then", page
    )
    assert "A referee decides" in page
    assert "to check" not in page
    assert "Is this right?" not in page
    assert "Right after all" in page
    play.refresh_from_db()
    assert sent(made, "right/", play=play.uid, version=play.version).status_code == 303
    assert Call.objects.get().answered_at
    assert "A referee has been called" not in shown(made)


def test_what_a_referee_contested_is_not_taken_back_at_the_table() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    made.act(actions.contest_play, play=play.uid, version=play.version)
    page = shown(made)
    assert "A referee has been called" in page
    assert "Right after all" not in page


def test_players_read_that_their_result_was_accepted_and_what_was_played_last() -> None:
    made = running_match(players=3)
    recorded_round(made)
    fields = form_of(made)
    sent(made, "propose/", **fields)
    winner, *others = made.at(made.table)
    result = {"winner": winner, "hands": {str(uid): {"7": 1} for uid in others}}
    made.act(actions.accept_proposal, proposal=Proposal.objects.get().uid, result=result)
    page = shown(made)
    assert re.search("Round 2 accepted by .+ at \\d{1,2}:\\d\\d", page)
    assert page.count("Aino\u2069 +14") == 2
    made.act(actions.ask_second_look_at, play=fields["play"])
    assert "Proposed by the players, accepted by" in shown(made)


def test_a_version_that_was_corrected_meanwhile_is_not_found_right() -> None:
    made = looked_twice(running_match(players=3))
    play = made.play(recorded_round(made))
    made.act(actions.void_play, play=play.uid, version=play.version, reason="why")
    answer = sent(made, "right/", play=play.uid, version=play.version)
    assert answer.status_code == 409
    assert "Someone else entered this in the meantime." in text(answer)


def test_players_propose_a_round_change_it_and_take_it_back() -> None:
    made = running_match(players=3)
    assert sent(made, "propose/", **form_of(made)).status_code == 303
    first = Proposal.objects.get()
    page = shown(made)
    assert "Your proposal: Round 1" in page
    assert f'value="{first.uid}"' in page
    assert 'value="1"' in shown(made, "propose/")
    assert sent(made, "propose/", **form_of(made)).status_code == 303
    second = Proposal.objects.get(state="waiting")
    assert second.uid != first.uid
    differs = form_of(made) | {f"hand-{made.at(made.table)[1]}-7": 2}
    # another phone proposed something else meanwhile, which the page then shows
    for instead in ("", first.uid):
        answer = sent(made, "propose/", **differs, instead=instead)
        assert answer.status_code == 422
        assert f'name="instead" value="{second.uid}"' in text(answer)
        assert "14 points" in text(answer)
    assert sent(made, "propose/", **differs, instead=second.uid).status_code == 303
    second = Proposal.objects.get(state="waiting")
    assert sent(made, "withdraw/", proposal=second.uid).status_code == 303
    assert "Your proposal" not in shown(made)
    assert not Play.objects.exists()


def test_what_cannot_be_is_refused_at_its_field() -> None:
    made = running_match(players=3)
    fields = form_of(made)
    other = made.at(made.table)[1]
    answer = sent(made, "propose/", **fields | {f"hand-{other}-7": 99})
    assert answer.status_code == 422
    assert f'href="#hand-{other}"' in text(answer)
    assert sent(made, "propose/", **fields | {"winner": "Aino"}).status_code == 422
    assert not Proposal.objects.exists()


def test_a_heat_and_a_game_are_proposed_by_their_own_forms() -> None:
    heats = running_heats(players=4)
    winner = heats.at(heats.table)[0]
    ids = {"play": uuid4(), "number": 1, "proposal": uuid4()}
    assert sent(heats, "propose/", **ids, advance=1, **{f"order-{winner}": 1}).status_code == 303
    assert "Your proposal: Heat 1" in shown(heats)
    session = running_session(players=2)
    first, second = session.at(session.table)
    ids = {"play": uuid4(), "number": 1, "proposal": uuid4()}
    rows = {f"outcome-{first}": "out", f"time-{first}": "12:30", f"outcome-{second}": "last"}
    assert sent(session, "propose/", **ids, ended="last", **rows).status_code == 303
    assert "out after 12 min 30 s" in shown(session)


def test_a_races_game_is_proposed_on_the_pad_of_the_desk() -> None:
    made = running_race(3)
    third = made.uids[2]
    page = shown(made, "propose/")
    said_to_the_pad = "entry/round"  # the script that tells the pad whose hands do not count
    for part in (
        f'name="hand-{third}-7"',
        'name="winner" value="time"',
        '<option value="absent"',
        said_to_the_pad,
    ):
        assert part in re.sub(r"\s+", " ", page)
    fields = {name: value for name, value in form_of(made).items() if name != f"hand-{third}-7"}
    fields |= {f"plays-{uid}": "1" for uid in made.uids} | {f"out-{third}": "absent"}
    assert sent(made, "propose/", **fields).status_code == 303
    client = Client()
    client.force_login(made.referee())
    url = reverse("proposal-accept", args=[Proposal.objects.get().uid])
    assert client.post(url, {"command": uuid4()}).status_code == 303
    rows = Play.objects.get().results.values_list("entry__uid", "outcome")
    assert dict(rows) == {made.uids[0]: "won", made.uids[1]: "holds"}
    held = {f"hand-{uid}-7": 1 for uid in made.uids}
    assert sent(made, "propose/", **form_of(made) | held | {"winner": "time"}).status_code == 303


def timed_by_players(**session: Any) -> Event:
    made = running_session(**session)
    made.act(actions.let_players_time, stage=made.stage.uid, wanted=True)
    return made.refresh()


def test_players_run_the_clock_only_where_the_organiser_lets_them() -> None:
    made = running_session(players=3)
    assert "Run the clock" not in shown(made)
    assert Client().get(address(made.table, "clock/"))["Location"] == address(made.table)
    made = timed_by_players(players=3)
    assert "Run the clock" in shown(made)
    page = shown(made, "clock/")
    assert all(
        name in page for name in ("Aino", "Börje", "Cécile", "Start game", "The oldest player keeps the time")
    )
    facts = json.loads(page.partition('id="table-facts" type="application/json">')[2].partition("<")[0])
    assert [each["id"] for each in facts["players"]] == [str(uid) for uid in made.at(made.table)]
    assert (facts["ruleset"], facts["games"]) == ("kpgut-2016", [])


def test_the_clock_is_a_referees_as_soon_as_one_starts_the_game() -> None:
    made = timed_by_players(players=3)
    started_game(made)
    assert "Run the clock" not in shown(made)
    assert Client().get(address(made.table, "clock/")).status_code == 302


def test_a_second_phone_hears_of_the_first_that_runs_a_clock() -> None:
    made = timed_by_players(players=3)
    first, second = Client(), Client()
    for phone in (first, second):
        phone.get(address(made.table, "clock/"))
    games = [
        phone.post(address(made.table, "clock/"), {"on": "1", "game": game}).json()["games"]
        for phone, game in ((first, '{"taps":1}'), (first, '{"taps":2}\0'), (second, ""))
    ]
    assert games == [[], [], ['{"taps":2}']]
    first.post(address(made.table, "clock/"))
    assert second.post(address(made.table, "clock/"), {"on": "1"}).json() == {"games": []}


def test_a_phone_can_take_over_the_game_of_one_that_died() -> None:
    """It is offered for an hour, and not while a proposal waits."""
    made = timed_by_players(players=3)
    first, second = Client(), Client()
    for phone in (first, second):
        phone.get(address(made.table, "clock/"))
    first.post(address(made.table, "clock/"), {"on": "1", "game": '{"taps":2}'})

    def offered(phone: Client) -> bool:
        page = text(phone.get(address(made.table, "clock/")))
        assert ("Take over the clock" in page) == ('"elsewhere": "{\\"taps' in page)
        return "Take over the clock" in page

    assert (offered(first), offered(second)) == (False, True)
    last, *others = made.at(made.table)
    rows = {f"outcome-{uid}": "out" for uid in others} | {f"time-{uid}": "12:30" for uid in others}
    ids = {"play": uuid4(), "number": 1, "proposal": uuid4()}
    assert (
        sent(made, "propose/", **ids, ended="last", **rows, **{f"outcome-{last}": "last"}).status_code == 303
    )
    assert not offered(second)
    Proposal.objects.all().delete()
    Typing.objects.update(at=timezone.now() - KEEP_FOR)
    assert not offered(second)


def test_nothing_is_proposed_where_nothing_comes_next() -> None:
    game = running_session(players=2)
    started_game(game)
    heats = running_heats(players=4)
    recorded_heat(heats)
    planned = running_match(players=2)
    Stage.objects.filter(pk=planned.stage.pk).update(state="planned")
    for made in (game, heats, planned):
        assert "Propose a result" not in shown(made)
        assert Client().get(address(made.table, "propose/")).status_code == 302


def test_the_reason_of_who_declined_is_read() -> None:
    made = running_match(players=3)
    sent(made, "propose/", **form_of(made))
    made.act(actions.decline_proposal, proposal=Proposal.objects.get().uid, reason="Aino has two 7s")
    page = shown(made)
    assert "Aino has two 7s" in page
    assert "Round 1 declined by" in page
    sent(made, "propose/", **form_of(made))
    assert "Aino has two 7s" not in shown(made)


def test_a_referee_is_called_once() -> None:
    made = running_match(players=2)
    assert sent(made, "call/").status_code == 303
    page = shown(made)
    assert "A referee has been called" in page
    assert "Call a referee" not in page


def test_opening_an_address_of_a_tap_leads_to_the_table() -> None:
    made = running_match(players=2)
    for what in ("right/", "contest/", "call/", "withdraw/"):
        assert Client().get(address(made.table, what))["Location"] == address(made.table)
    assert Client().get(address(made.table, "nothing/")).status_code == 404
    assert not Call.objects.exists()


@pytest.mark.parametrize("rounds", [1, 3])
def test_so_many_queries(rounds: int, django_assert_max_num_queries: Any) -> None:
    made = looked_twice(running_match(players=3))
    for _each in range(rounds):
        recorded_round(made)
    sent(made, "propose/", **form_of(made))
    url = address(made.table)
    with django_assert_max_num_queries(16):
        assert Client().get(url).status_code == 200


# ---- the short code ----


def code(made: Event) -> str:
    return short_code(made.table.uid, Table.objects.get(pk=made.table.pk).link_number)


def by_code(client: Client, typed: str) -> Any:
    """Type an address, as a browser that keeps cookies."""
    return client.get(f"/en/{typed}/", follow=True)


@pytest.mark.parametrize("typed", [str, str.upper, lambda told: f" {told[:4]} {told[4:]} ", "-".join])
def test_a_short_code_opens_the_tables_public_page_however_it_is_typed(typed: Callable[[str], str]) -> None:
    made = running_match(players=3)
    recorded_round(made)
    page = text(Client().get("/en/code/", {"code": typed(code(made))}, follow=True))
    assert all(said in page for said in ("Aino", "Börje", "Round 1", "Ask to join", "noindex"))
    for said in ("Propose a result", "Call a referee", token_for("table", made.table.uid)):
        assert said not in page


def test_a_short_code_is_led_to_the_phones_language() -> None:
    made = running_match(players=2)
    answer = Client().get(f"/{code(made).upper()}", headers={"accept-language": "fi"})
    assert answer["Location"] == f"/fi/{code(made).upper()}/"


def test_no_other_address_reads_as_a_short_code() -> None:
    in_languages = get_resolver().url_patterns[-1]
    assert isinstance(in_languages, URLResolver)
    pages = {str(entry.pattern).split("/")[0] for entry in in_languages.url_patterns}
    inside = {str(entry.pattern).split("/")[0] for entry in public_urls.urlpatterns}
    assert "rules" in inside
    assert not [
        path for path in pages | inside | {"live", "static"} if SHORT_CODE.fullmatch(read_short(path))
    ]


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        ("t7kq2", 422, "such as t7kq 2mxw"),
        ("spring cup", 422, "such as t7kq 2mxw"),
        ("t7kq2mxwa", 422, "such as t7kq 2mxw"),
        ("t7kq", 422, "such as t7kq 2mxw"),
        ("t7kq1mxw", 422, "such as t7kq 2mxw"),
        ("t2222222", 404, "No table has this code."),
    ],
)
def test_a_wrong_code_stays_in_its_field_with_what_is_wrong(typed: str, status: int, said: str) -> None:
    answer = Client().get("/en/code/", {"code": typed}, follow=True)
    assert answer.status_code == status
    assert said in text(answer)
    assert f'value="{typed}"' in text(answer)


def test_the_start_page_has_a_field_for_it() -> None:
    running_match(players=2)
    page = text(Client().get("/en/"))
    assert 'action="/en/code/"' in page
    assert "Your table’s code" in page
    assert Client().get("/en/code/").status_code == 200


def test_a_short_code_ends_with_a_new_one_and_with_its_stage() -> None:
    made = running_match(players=2)
    old = code(made)
    made.act(actions.renew_link_of_table, table=made.table.uid)
    assert by_code(Client(), old).status_code == 404
    assert by_code(Client(), code(made)).status_code == 200
    Stage.objects.filter(pk=made.stage.pk).update(state=Stage.State.FINISHED)
    assert by_code(Client(), code(made)).status_code == 404


def test_a_short_code_tells_nothing_that_is_frozen() -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    assert "Round 1" in shown(made)
    assert "Round 1" not in text(by_code(Client(), code(made)))


def ask(client: Client, made: Event) -> str:
    """Ask to join; gives the address of the answer."""
    by_code(client, code(made))
    answer = client.post(f"/en/{code(made)}/", {"command": str(uuid4())})
    assert answer.status_code == 303
    return str(answer["Location"])


def test_a_yes_at_the_table_gives_the_phone_what_the_qr_code_gives() -> None:
    made = running_match(players=3)
    client = Client()
    waits = ask(client, made)
    assert "Request sent" in text(client.get(waits))
    page = shown(made)
    assert "Someone is asking to join table 1 from a phone" in page
    asked = Ask.objects.get()
    assert sent(made, "let-in/", ask=asked.uid, yes=1).status_code == 303
    assert client.get(waits)["Location"] == address(made.table)
    assert "Someone asks" not in shown(made)
    made.act(actions.renew_link_of_table, table=made.table.uid)
    assert client.get(waits).status_code == 404


@pytest.mark.parametrize(
    ("told", "said"), [(False, "Your request was declined at the table."), (None, "Nobody answered")]
)
def test_a_phone_reads_that_it_was_not_let_in_and_may_ask_again(told: bool | None, said: str) -> None:
    made = running_match(players=3)
    client = Client()
    waits = ask(client, made)
    Ask.objects.update(answer=told, at=timezone.now() - timedelta(minutes=6))
    page = text(client.get(waits))
    assert said in page
    assert "Ask to join" in page
    assert ask(client, made) != waits


def test_too_many_requests_are_refused_on_the_page() -> None:
    made = running_match(players=3)
    client = Client()
    for _ in range(MOST_ASKS):
        ask(client, made)
    answer = client.post(f"/en/{code(made)}/", {"command": str(uuid4())})
    assert answer.status_code == 422
    assert "Other phones are already asking" in text(answer)
    assert client.post(f"/en/{code(made)}/", {"command": "x"}).status_code == 422


def test_a_request_is_read_by_its_own_link_alone() -> None:
    made = running_match(players=2)
    ask(Client(), made)
    uid = Ask.objects.get().uid
    for token in (token_for("table", uid), token_for("ask", uuid4()), "x"):
        assert Client().get(f"/en/ask/{token}/").status_code == 404


def wrong(client: Client, times: int = 1) -> Any:
    return [by_code(client, "t2222222") for _ in range(times)][-1]


def test_one_joker_waits_and_the_hall_behind_the_same_address_does_not() -> None:
    """The joker has a browser (ten tries, then it waits), or a program without cookies (no code of it is looked at)."""
    made = running_match(players=2)
    joker = Client()
    assert wrong(joker, 10).status_code == 404
    answer = by_code(joker, code(made))
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 60
    assert f'value="{code(made)}"' in text(answer)
    for _ in range(400):
        assert Client().get("/en/t2222222/").status_code == 303
    assert Client().get("/en/t2222222/?again").status_code == 422
    assert by_code(Client(), code(made)).status_code == 200


@pytest.mark.parametrize("limit", [WrongCodesThrottle, AllWrongCodesThrottle])
def test_wrong_codes_are_limited_for_each_address_and_in_all(
    limit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running_match(players=2)
    monkeypatch.setattr(limit, "rate", "3/min")
    for _ in range(3):
        assert wrong(Client()).status_code == 404
    answer = by_code(Client(), code(made))
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 60
    assert shown(made)  # the QR code opens
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert by_code(elsewhere, code(made)).status_code == (429 if limit is AllWrongCodesThrottle else 200)


def test_right_codes_count_nowhere() -> None:
    made = running_match(players=2)
    client = Client()
    for _ in range(15):
        assert by_code(client, code(made)).status_code == 200
    assert wrong(client).status_code == 404
