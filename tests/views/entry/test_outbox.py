"""Sending what phones kept: each kind as its form, once each, and never a 500."""

import json
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.support.desk import as_referee, hands
from tests.support.factories import (
    Event,
    UserFactory,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.pages import Answer
from tournament import actions
from tournament.models import Entry, LedgerRow, Membership, Play, Table, Tournament, User
from tournament.server.rate_limits import GuestThrottle
from tournament.views._answer import Sent
from tournament.views.entry import outbox

pytestmark = pytest.mark.django_db

NOW = 1_700_000_000_000  # ms by the phone's clock, wrong by years
Role = Membership.Role


def entry(
    kind: str, url: str, /, queued: Any = NOW, command: Any = None, skew: Any = None, **fields: object
) -> dict[str, Any]:
    """An entry as the phone keeps it; a field with several values is given as a list."""
    pairs = [
        [name, str(value)]
        for name, values in fields.items()
        for value in (values if isinstance(values, list) else [values])
    ]
    command = str(command or uuid4())
    return {
        "command": command,
        "kind": kind,
        "url": url,
        "fields": [["command", command], *pairs],
        "queued": queued,
        "skew": skew,
    }


def post(client: Client, *entries: dict[str, Any], user: User | None = None, **more: Any) -> Answer:
    uid = str(user.uid if user else signed_in_user(client).uid)
    body = {"user": uid, "now": NOW, "entries": list(entries), **more}
    return client.post(reverse("desk-send"), json.dumps(body), content_type="application/json")


def send(client: Client, *entries: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """The answers to these entries."""
    response = post(client, *entries, **more)
    assert response.status_code == 200, response.content
    said = response.json()
    assert said["lastcard"] == 1
    assert [each["command"] for each in said["answers"]] == [each["command"] for each in entries]
    answers: list[dict[str, Any]] = said["answers"]
    return answers


def states(answers: list[dict[str, Any]]) -> list[str]:
    return [each["state"] for each in answers]


def signed_in_user(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def a_round(
    event: Event, number: int = 1, *, winner: int = 0, card: str = "7", **more: Any
) -> dict[str, Any]:
    first, *others = event.uids[winner:] + event.uids[:winner]
    return entry(
        "round",
        reverse("table-record", args=[event.table.uid]),
        play=uuid4(),
        number=number,
        version=0,
        step="save",
        winner=first,
        **{**hands(*((each, card, 1) for each in others)), **more},
    )


def a_tap(kind: str, play: UUID, player: object, **more: Any) -> dict[str, Any]:
    name = {"out": "play-out", "give_up": "play-give-up", "take_back": "play-take-back", "join": "play-join"}[
        kind
    ]
    return entry(kind, reverse(name, args=[play]), entry=player, **more)


def a_start(event: Event, play: UUID, number: int = 1, **more: Any) -> dict[str, Any]:
    url = reverse("table-start", args=[event.table.uid])
    return entry("start", url, play=play, number=number, player=event.uids, **more)


def test_rounds_arrive_in_their_order_and_once() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    rounds = [a_round(match, number) for number in (1, 2, 3)]
    first = send(client, *rounds)
    assert states(first) == ["saved"] * 3
    assert send(client, *rounds) == first
    assert list(Play.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_a_round_of_somebody_who_left_meanwhile_arrives_if_it_was_entered_before() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    match.act(actions.player_leaves, entry=match.uids[2])
    assert states(send(client, a_round(match))) == ["refused"]
    assert states(send(client, a_round(match, queued=NOW - 60_000))) == ["saved"]


def a_heat(event: Event, table: Table | None = None) -> dict[str, Any]:
    table = table or event.table
    order = {f"order-{uid}": place for place, uid in enumerate(event.at(table)[:1], 1)}
    return entry(
        "heat", reverse("table-record", args=[table.uid]), play=uuid4(), number=1, advance=1, **order
    )


def test_a_heat_arrives() -> None:
    heats = running_heats(players=4, tables=1)
    assert states(send(as_referee(heats), a_heat(heats))) == ["saved"]
    assert Play.objects.get().results.get(outcome="finished").entry.uid == heats.uids[0]


def test_a_whole_game_without_network() -> None:
    """Started, tapped, taken back, tapped again, the hands counted at the hour, all of it an hour and a half ago."""
    session = running_session(players=4)
    client = as_referee(session)
    first, second, *others = session.uids
    play, then = uuid4(), NOW - 90 * 60_000

    def at(seconds: int) -> int:
        return then + seconds * 1000

    cards = hands(*((uid, "7", place) for place, uid in enumerate(others, 1)))
    entries = [
        entry(
            "roles",
            reverse("table-roles", args=[session.table.uid]),
            oldest=first,
            youngest=second,
            queued=then,
        ),
        a_start(session, play, queued=then),
        a_tap("out", play, second, elapsed_s=600, queued=at(600)),
        a_tap("take_back", play, second, queued=at(610)),
        a_tap("out", play, first, elapsed_s=605, queued=at(615)),
        a_tap("give_up", play, second, elapsed_s=1800, queued=at(1800)),
        entry(
            "end", reverse("play-end", args=[play]), how="time", remaining=others, queued=at(3605), **cards
        ),
    ]
    first_answers = send(client, *entries)
    assert states(first_answers) == ["saved"] * 7
    assert send(client, *entries) == first_answers
    game = Play.objects.get()
    assert {row.entry.uid: (row.outcome, row.elapsed_s) for row in game.results.all()} == {
        first: ("out", 605),
        second: ("gave_up", 1800),
        others[0]: ("remaining", None),
        others[1]: ("remaining", None),
    }
    began = LedgerRow.objects.get(action="start_game").at
    assert game.started_at
    assert began - game.started_at == timedelta(minutes=90)


@pytest.mark.parametrize("earlier", [False, True])
def test_a_game_that_another_phone_started_too_is_one_game(earlier: bool) -> None:
    """The second phone's start and its taps arrive together, and once more since the answer was lost."""
    session = running_session(players=3)
    client = as_referee(session)
    theirs = started_game(session, elapsed_s=5)
    mine, queued = uuid4(), NOW - (10_000 if earlier else 1_000)
    entries = [
        a_start(session, mine, queued=queued),
        a_tap("out", mine, session.uids[1], elapsed_s=1, queued=queued + 1_000),
    ]
    for _ in range(2):
        start, tap = send(client, *entries)
        assert states([start, tap]) == ["saved", "saved"]
        assert (start["play"], "play" in tap) == (str(theirs), False)
    game = Play.objects.get()
    assert (game.uid, game.results.get(entry__uid=session.uids[1]).elapsed_s) == (theirs, 1)


@pytest.mark.usefixtures("real_moments")
def test_a_start_whose_clock_was_put_right_while_it_waited_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The phone's clock is 26 hours behind, also when it last met the server; it is put right before it sends a start
    and a tap from ten and five minutes ago."""
    session, behind = running_session(players=3), 26 * 3_600_000
    client, play = as_referee(session), uuid4()
    began = LedgerRow.objects.get(action="start_stage").at
    at = began + timedelta(minutes=20)
    for clock in ("actions.kernel.work", "views.entry.games", "server.clock"):
        monkeypatch.setattr(f"tournament.{clock}.now", lambda: at)
    sent = int(at.timestamp() * 1000)
    entries = [
        a_start(session, play, queued=sent - behind - 600_000, skew=behind),
        a_tap("out", play, session.uids[0], elapsed_s=300, queued=sent - behind - 300_000, skew=behind),
    ]
    response = post(client, *entries, now=sent)
    assert states(response.json()["answers"]) == ["saved", "saved"]
    assert response.json()["now"] == sent
    game = session.play(play)
    assert game.started_at
    assert abs(game.started_at - (at - timedelta(minutes=10))) < timedelta(seconds=2)
    assert (game.other_start, game.entered_at) == (began, at)
    assert game.results.get(outcome="out").elapsed_s == 300


@pytest.mark.usefixtures("real_moments")
@pytest.mark.parametrize(("shown_s", "stored_s"), [(0, 600), (598, 598), (610, 610), (620, 600)])
def test_a_tap_goes_by_when_it_was_made_where_the_phones_game_clock_cannot_be_right(
    monkeypatch: pytest.MonkeyPatch, shown_s: int, stored_s: int
) -> None:
    """It stood still while the phone slept, or began anew by a clock that was set; the tap waited ten seconds."""
    session = running_session(players=3)
    play = started_game(session)
    began = session.play(play).started_at
    assert began
    at = began + timedelta(seconds=610.5)
    for clock in ("actions.kernel.work", "views.entry.games", "server.clock"):
        monkeypatch.setattr(f"tournament.{clock}.now", lambda: at)
    out = a_tap("out", play, session.uids[0], elapsed_s=shown_s, queued=NOW - 10_000, skew=0)
    out["skew"] = int(at.timestamp() * 1000) - NOW
    (said,) = send(as_referee(session), out)
    assert said["state"] == "saved"
    assert session.play(play).results.get(outcome="out").elapsed_s == stored_s


def test_a_paper_game_whose_clock_was_set_counts_from_when_it_came() -> None:
    session = running_session(players=3)
    first, second, third = session.uids
    paper: dict[str, object] = {
        f"outcome-{first}": "out",
        f"time-{first}": "1:00",
        f"outcome-{second}": "out",
        f"time-{second}": "2:00",
    }
    paper |= {f"outcome-{third}": "last", "ended": "last", "step": "save", "number": 1, "play": uuid4()}
    url = reverse("table-record", args=[session.table.uid])
    ahead = round(timezone.now().timestamp() * 1000) - NOW
    (said,) = send(
        as_referee(session), entry("paper", url, queued=NOW - 400_000, skew=ahead + 300_000, **paper)
    )
    assert said["state"] == "saved"
    game, row = Play.objects.get(), LedgerRow.objects.get(action="record_game")
    assert (game.started_at, game.entered_at) == (None, row.at)
    assert game.other_start
    assert 95 < (row.at - game.other_start).total_seconds() < 105


def a_short_count(session: Event, play: UUID, *counted: UUID) -> dict[str, Any]:
    """The hands at the hour's end, with the cards of these players only."""
    cards = hands(*((uid, "7", 1) for uid in counted))
    return entry("end", reverse("play-end", args=[play]), how="time", remaining=session.uids, **cards)


def test_refusal_says_which_hands_are_meant_by_the_ids_of_players() -> None:
    session = running_session(players=4)
    play = started_game(session, elapsed_s=3600)
    first, *rest = session.uids
    (answer,) = send(as_referee(session), a_short_count(session, play, first))
    assert answer["state"] == "refused"
    assert set(answer["hands"]) == {str(uid) for uid in rest}
    assert [str(uid) in " ".join(answer["said"]) for uid in session.uids] == [False, True, True, True]


def test_what_was_refused_about_a_game_that_is_over_is_said_to_be_over() -> None:
    session = running_session(players=3)
    play, client = started_game(session, elapsed_s=3600), as_referee(session)
    asked = [str(play), str(uuid4())]
    assert post(client, plays=asked).json()["over"] == []
    assert states(send(client, a_short_count(session, play, *session.uids))) == ["saved"]
    assert post(client, plays=asked).json()["over"] == [str(play)]


@pytest.mark.parametrize(("card", "state"), [("7", "saved"), ("8", "conflict")])
def test_hands_that_somebody_else_counted_differently_are_a_conflict(card: str, state: str) -> None:
    session = running_session(players=3)
    play = started_game(session, elapsed_s=3600)
    assert states(send(as_referee(session), a_short_count(session, play, *session.uids))) == ["saved"]
    cards = hands(*((uid, card, 1) for uid in session.uids))
    again = entry("end", reverse("play-end", args=[play]), how="time", remaining=session.uids, **cards)
    assert states(send(as_referee(session), again)) == [state]


def test_what_is_saved_says_when_in_the_zone_of_its_event() -> None:
    match = running_match(players=3)
    Tournament.objects.update(time_zone="Asia/Tokyo")
    client = as_referee(match)
    first = a_round(match)
    said = send(client, first)
    assert [answer["at"][-6:] for answer in said] == ["+09:00"]
    assert send(client, first) == said


def test_a_latecomer_and_a_game_from_paper() -> None:
    session = running_session(players=3, tables=1)
    client = as_referee(session)
    play = started_game(session)
    newcomer = uuid4()
    session.act(actions.enter_players, players=[{"entry": newcomer, "name": "Zoe"}])
    assert states(send(client, a_tap("join", play, newcomer))) == ["saved"]
    session.act(actions.void_play, play=play, version=session.play(play).version, reason="Wrong table")
    last, *out = session.uids
    fields = {f"outcome-{uid}": "out" for uid in out} | {
        f"time-{uid}": f"{10 + n}:00" for n, uid in enumerate(out)
    }
    paper = entry(
        "paper",
        reverse("table-record", args=[session.table.uid]),
        **{"play": uuid4(), "number": 2, "ended": "last", f"outcome-{last}": "last", **fields},
    )
    assert states(send(client, paper)) == ["saved"]


def test_what_waits_for_another_is_kept_and_taken_after_it() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    second = a_round(match, 2)
    assert states(send(client, second)) == ["wait"]
    assert states(send(client, a_round(match, 1), second)) == ["saved", "saved"]


def test_what_a_guest_sends_too_often_waits_and_arrives_a_minute_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = running_match(players=3)
    User.objects.filter(pk=match.user.pk).update(username="guest-7", password="!", is_staff=False)
    client = Client()
    client.force_login(User.objects.get(pk=match.user.pk))
    caches["links"].clear()
    monkeypatch.setattr(GuestThrottle, "rate", "1/min")
    first, second = a_round(match, 1), a_round(match, 2)
    assert states(send(client, first, second)) == ["saved", "wait"]
    caches["links"].clear()
    assert states(send(client, first, second)) == ["saved", "saved"]


def test_a_page_that_a_guest_sends_too_often_keeps_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match(players=3)
    User.objects.filter(pk=match.user.pk).update(username="guest-7", password="!", is_staff=False)
    client = Client()
    client.force_login(User.objects.get(pk=match.user.pk))
    monkeypatch.setattr(GuestThrottle, "rate", "0/min")
    answer = client.post(
        f"/en/organise/t/{match.tournament.slug}/walk-in/", {"name": "Ylva", "command": str(uuid4())}
    )
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 60
    assert 'value="Ylva"' in answer.content.decode()
    assert "Too many entries at once." in answer.content.decode()


def test_taps_wait_with_the_start_of_their_game() -> None:
    session = running_session(players=3)
    client = as_referee(session)
    play = uuid4()
    start, out = a_start(session, play, number=2), a_tap("out", play, session.uids[0])
    assert states(send(client, start, out)) == ["wait", "wait"]


def test_another_version_of_a_round_is_a_conflict_and_keeps_nothing_back() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    recorded_round(match)
    answers = send(client, a_round(match, 1, card="9"), a_round(match, 2))
    assert states(answers) == ["conflict", "saved"]
    assert answers[0]["said"]
    assert Play.objects.get(number=1).version < Play.objects.get(number=2).version


def test_the_same_round_by_somebody_else_leaves_nothing_to_do() -> None:
    match = running_match(players=3)
    recorded_round(match)
    [said] = send(as_referee(match), a_round(match, 1, card="7"))
    assert said["state"] == "saved"
    assert said["sequence"] == Play.objects.get().version


def test_what_is_wrong_is_refused_in_words_without_names() -> None:
    match = running_match(players=3)
    [said] = send(as_referee(match), a_round(match, 1, winner=0, card="draw9"))
    assert said["state"] == "refused"
    assert said["said"]
    assert not any(made.public_name in " ".join(said["said"]) for made in match.entries)
    assert not Play.objects.exists()


def test_the_same_command_of_another_user_is_saved_where_it_says_the_same() -> None:
    match = running_match(players=3)
    sent = a_round(match)
    first = send(as_referee(match), sent)
    somebody = as_referee(match)
    assert send(somebody, sent) == first
    changed = {**sent, "fields": [*sent["fields"][:-1], [sent["fields"][-1][0], "2"]]}
    assert states(send(somebody, changed)) == ["refused"]
    assert Play.objects.count() == 1


def test_a_form_that_was_posted_and_kept_is_one_command() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    sent = a_round(match)
    assert client.post(sent["url"], dict(sent["fields"])).status_code == 303
    assert states(send(client, sent)) == ["saved"]
    assert Play.objects.count() == 1


def test_the_entries_of_another_user_are_not_taken() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    response = post(client, a_round(match), user=match.user)
    assert (response.status_code, response.json()["state"]) == (409, "other_user")
    assert not Play.objects.exists()


def test_signed_out_is_said_in_the_same_words() -> None:
    match = running_match(players=3)
    response = post(Client(), a_round(match), user=match.user)
    assert response.status_code == 401
    assert {**response.json(), "now": 0} == {"lastcard": 1, "now": 0, "state": "sign_in"}


def test_nobody_enters_at_a_table_of_somebody_else() -> None:
    match = running_match(players=8, tables=2)
    here = match.referee(role=Role.TABLE_REFEREE, table=match.tables[1])
    stranger = UserFactory()
    for user in (here, stranger):
        client = Client()
        client.force_login(user)
        assert states(send(client, a_round(match), a_tap("out", uuid4(), match.uids[0]))) == ["refused"] * 2
    assert not Play.objects.exists()


@pytest.mark.parametrize("url", ["", "/", "/en/desk/play/x/out/", f"/en/elsewhere/play/{UUID(int=1)}/out/"])
def test_an_entry_of_no_table_is_refused(url: str) -> None:
    match = running_match(players=3)
    assert states(send(as_referee(match), entry("out", url), entry("dance", url))) == ["refused"] * 2


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"{}",
        b'{"user": 1, "now": 1, "entries": []}',
        b'{"user": "x", "now": "1", "entries": []}',
        b'{"user": "x", "now": 1e400, "entries": []}',
        b'{"user": "x", "now": 1, "entries": {}}',
        b'{"user": "x", "now": 1, "entries": [1]}',
        b'{"user": "x", "now": 1, "entries": [{"command": "x"}]}',
        b'{"user": "x", "now": 1, "entries": [], "tournaments": "all"}',
        b'{"user": "x", "now": 1, "entries": [], "last": {}}',
        b'{"user": "x", "now": 1, "entries": [], "last": [["x", 1, "2026-05-09T12:00:00+00:00"]]}',
        b'{"user": "x", "now": 1, "entries": [], "last": [[1, 2]]}',
        b'{"user": "x", "now": 1, "entries": [], "last": [["11111111-1111-4111-8111-111111111111", 1, "2026"]]}',
        pytest.param(
            json.dumps({"user": "x", "now": 1, "entries": [entry("out", "/")] * 51}).encode(), id="many"
        ),
        pytest.param(b"[" * 100_000, id="deep"),
    ],
)
def test_what_no_outbox_sends_is_malformed(body: bytes) -> None:
    response = as_referee(running_match()).post(reverse("desk-send"), body, content_type="application/json")
    assert (response.status_code, response.json()["state"]) == (400, "malformed")


@pytest.mark.parametrize(
    "wrong",
    [
        {"skew": "0"},
        {"skew": -1e400},
        {"queued": None},
        {"queued": 1e400},
        {"kind": []},
        {"url": 1},
        {"fields": [[1, 2]]},
        {"fields": {}},
    ],
)
def test_an_entry_that_cannot_be_read_is_refused_and_keeps_no_other_back(wrong: dict[str, Any]) -> None:
    match = running_match(players=3)
    answers = send(as_referee(match), {**a_round(match, 1), **wrong}, a_round(match, 1))
    assert states(answers) == ["refused", "saved"]


def test_text_that_no_form_holds_is_never_an_error() -> None:
    match = running_match(players=3)
    odd = entry(
        "round", reverse("table-record", args=[match.table.uid]), winner="\ud800", number="\0", play=1
    )
    assert states(send(as_referee(match), odd, {**odd, "kind": "\ud800"})) == ["refused"] * 2


def test_a_command_is_about_one_table() -> None:
    session = running_session(players=4, tables=2)
    client = as_referee(session)
    here, there = session.tables
    start = a_start(session, uuid4())
    start["fields"] = [each for each in start["fields"] if each[0] != "player"]
    start["fields"] += [["player", str(uid)] for uid in session.at(here)]
    elsewhere = {**start, "url": reverse("table-start", args=[there.uid])}
    assert states(send(client, start, elsewhere)) == ["saved", "refused"]
    assert Play.objects.get().table == here


def test_what_was_saved_is_saved_also_when_the_answer_comes_after_the_senders_role_ended() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    sent = a_round(match)
    first = send(client, sent)
    Membership.objects.filter(user=signed_in_user(client)).delete()
    assert send(client, sent) == first
    changed = {**sent, "fields": [*sent["fields"][:-1], [sent["fields"][-1][0], "2"]]}
    assert states(send(client, changed, a_round(match, 2))) == ["refused"] * 2


def test_a_fault_of_the_program_keeps_one_entry_and_takes_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = running_match(players=8, tables=2)
    client = as_referee(match)
    heat, real = a_round(match), outbox.AT_TABLE["round"]

    def breaks(sent: Sent, table: Table) -> object:
        if table == match.table:
            raise RuntimeError("broken")
        return real(sent, table)

    monkeypatch.setitem(outbox.AT_TABLE, "round", breaks)
    first, *others = match.at(match.tables[1])
    fine = entry(
        "round",
        reverse("table-record", args=[match.tables[1].uid]),
        **{"play": uuid4(), "number": 1, "winner": first, **hands(*((uid, "7", 1) for uid in others))},
    )
    assert states(send(client, heat, fine)) == ["wait", "saved"]
    assert "broken" in caplog.text


def test_the_pulse_says_which_events_are_over_and_who_else_has_entries_here() -> None:
    match = running_match(players=3)
    client, other, stranger = as_referee(match), match.referee(), UserFactory()
    asked: dict[str, Any] = {
        "tournaments": [str(match.tournament.uid)],
        "others": [str(other.uid), str(stranger.uid)],
    }
    said = post(client, **asked).json()
    assert (said["answers"], said["ended"]) == ([], [])
    assert said["others"] == {str(other.uid): other.display_name()}
    type(match.tournament).objects.filter(pk=match.tournament.pk).update(state="finished")
    assert post(client, **asked).json()["ended"] == [str(match.tournament.uid)]


def test_a_phone_that_was_told_of_a_row_that_is_gone_sends_all_again_in_order() -> None:
    """The ledger ends before what the phone was told last: a backup was restored. Nothing is carried out until the
    phone has put what it kept back into its order."""
    match = running_match(players=3)
    client = as_referee(match)
    uid = str(match.tournament.uid)
    (first,) = send(client, kept := a_round(match, 1))
    told = [uid, first["sequence"], first["at"]]
    assert post(client, last=[told]).json()["lost"] == []
    assert (
        post(client, last=[[str(uuid4()), 7, first["at"]]]).json()["lost"] == []
    )  # of an event that is not here
    moved = (timezone.now() + timedelta(seconds=1)).isoformat()
    for gone in ([uid, first["sequence"] + 1, first["at"]], [uid, first["sequence"], moved]):
        said = post(client, a_round(match, 2), last=[gone]).json()
        assert (said["lost"], said["answers"]) == ([uid], [])
    assert Play.objects.count() == 1
    again = send(client, kept, a_round(match, 2), last=[told])
    assert states(again) == ["saved", "saved"]
    assert (again[0]["sequence"], again[0]["at"]) == (first["sequence"], first["at"])


def test_what_two_phones_agreed_on_is_of_the_row_that_the_phone_is_told() -> None:
    """Also after the play was set aside by another: else the phone would send it again and again."""
    match = running_match(players=3)
    one, other = as_referee(match), as_referee(match)
    same = a_round(match, 1)
    (first,) = send(one, same)
    copy = same | {"command": str(uuid4())}
    copy["fields"] = [["command", copy["command"]], *same["fields"][1:]]
    (second,) = send(other, copy)
    assert (second["state"], second["sequence"], second["at"]) == ("saved", first["sequence"], first["at"])
    last = [[str(match.tournament.uid), second["sequence"], second["at"]]]
    assert post(other, last=last).json()["lost"] == []


def test_an_entry_needs_so_many_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    match = running_match(players=3)
    client = as_referee(match)
    send(client, a_round(match, 1))
    with django_assert_max_num_queries(40):
        send(client, a_round(match, 2))
    with django_assert_max_num_queries(4):
        send(client)


def test_the_worker_that_reopens_the_desk_is_served_from_where_it_sees_every_page() -> None:
    response = Client().get("/sw.js")
    assert response.status_code == 200
    assert response["Content-Type"] == "text/javascript"
    assert b"addEventListener" in response.content


def test_the_list_of_what_waits_calls_the_tables_by_name() -> None:
    match = running_match(players=8, tables=2)
    page = as_referee(match).get(reverse("desk-outbox"))
    assert page.status_code == 200
    assert all(f'data-table-name="{table.uid}"' in page.content.decode() for table in match.tables)


def test_somebody_from_outside_joins_without_network_once() -> None:
    session = running_session(players=3)
    client = as_referee(session, role=Role.TABLE_REFEREE, table=session.table)
    play, new = uuid4(), uuid4()
    entries = [
        a_start(session, play),
        a_tap("join", play, new, name="Outi"),
        a_tap("out", play, new, elapsed_s=60),
    ]
    first = send(client, *entries)
    assert states(first) == ["saved"] * 3
    assert send(client, *entries) == first
    assert Entry.objects.get(uid=new).public_name == "Outi"
    (refused,) = send(client, a_tap("join", play, uuid4(), name="outi"))
    assert refused["state"] == "refused"
    assert "Outi" not in str(refused["said"]), "a phone is told no names"
