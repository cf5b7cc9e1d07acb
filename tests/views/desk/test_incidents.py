"""Incidents at the desk: three taps and a save, what the sheet says, disputes, ejections, the rulings of all tables."""

from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rulesets import RULESETS, penalties_of
from tests.support.desk import as_referee, hidden, open_page, text
from tests.support.factories import (
    Event,
    UserFactory,
    add_stage,
    event,
    running_match,
    running_session,
    started_game,
)
from tests.support.pages import Answer
from tournament import actions
from tournament.models import Entry, Incident, Membership, Table
from tournament.pages.desk.incident_choices import choices_of
from tournament.words.penalties import penalty_texts

pytestmark = pytest.mark.django_db
TABLE_REFEREE = Membership.Role.TABLE_REFEREE


@pytest.fixture
def session() -> Event:
    return running_session(players=4)


def form_at(client: Client, event: Event, what: str) -> Answer:
    return open_page(client, "table-incident", event.table.uid, what)


def send(client: Client, event: Event, what: str, **typed: object) -> Answer:
    """Open the incident's form, fill it in and send it."""
    data = hidden(form_at(client, event, what))
    return client.post(reverse("table-incident", args=[event.table.uid, what]), {**data, **typed})


def penalty(event: Event, number: int = 0, table: Table | None = None, **more: object) -> UUID:
    table = table or event.table
    incident = uuid4()
    asked: dict[str, Any] = {
        "code": "uno_not_said",
        "table": table.uid,
        "entry": event.at(table)[number],
        "incident": incident,
    }
    event.act(actions.record_penalty, **(asked | more))
    return incident


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_row_of_the_sheet_can_be_tapped_and_says_what_follows(ruleset: str) -> None:
    choices = [choice for group in choices_of(ruleset) for choice in group.choices]
    codes = [row.code for row in penalties_of(ruleset)]
    assert sorted(each.what for each in choices if each.what in codes) == sorted(codes)
    assert {"other", "warning", "ruling"} <= {choice.what for choice in choices}
    kinds = {choice.kind for choice in choices}
    assert kinds >= {"penalty", "warning", "ejection", "dispute", "ruling"}


def test_a_penalty_is_two_taps_and_a_save(session: Event) -> None:
    client = as_referee(session)
    assert "“Uno” not said" in text(open_page(client, "table-incidents", session.table.uid))
    page = text(form_at(client, session, "uno_not_said"))
    assert penalty_texts("kpgut-2016", "uno_not_said")[1] in page
    places = [page.index(f'value="{uid}"') for uid in session.at(session.table)]
    assert places == sorted(places)
    done = send(client, session, "uno_not_said", entry=str(session.uids[1]))
    assert done.status_code == 303
    row = Incident.objects.get()
    assert row.entry
    assert (row.kind, row.code, row.cards, row.entry.uid) == ("penalty", "uno_not_said", 2, session.uids[1])
    page = text(client.get(done["Location"]))
    assert "2 cards" in page
    assert "Saved on the server" in page
    assert "At this table so far" not in page  # it stands on top
    assert "At this table so far" in text(open_page(client, "table-incidents", session.table.uid))
    assert "1 penalty" in text(form_at(client, session, "uno_not_said"))
    assert "1 penalty" in text(open_page(client, "table-players", session.table.uid))


def test_every_form_can_be_opened_and_an_empty_one_says_what_is_missing(session: Event) -> None:
    client = as_referee(session)
    for group in choices_of("kpgut-2016"):
        for choice in group.choices:
            form_at(client, session, choice.what)
            if choice.kind != "ejection":
                answer = send(client, session, choice.what)
                assert answer.status_code in {303, 422}, choice.what
    assert client.get(reverse("table-incident", args=[session.table.uid, "nonsense"])).status_code == 404


def test_nobody_chosen_is_said_and_what_was_typed_stays(session: Event) -> None:
    client = as_referee(session)
    answer = send(client, session, "uno_not_said", text="at the end")
    assert answer.status_code == 422
    assert "Choose a player." in text(answer)
    assert 'value="at the end"' in text(answer)


def test_after_a_warning_the_next_time_means_ejection(session: Event) -> None:
    client = as_referee(session)
    who = str(session.uids[0])
    first = text(client.get(send(client, session, "unsporting", entry=who)["Location"]))
    assert "The next unsportsmanlike act means ejection." in first
    assert "Already warned. This means ejection." in text(form_at(client, session, "unsporting"))
    again = text(client.get(send(client, session, "unsporting", entry=who)["Location"]))
    assert "had already been warned" in again
    assert "What ejection means" in again


def test_a_warning_in_a_match_means_no_ejection() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    done = send(client, match, "warning", entry=str(match.uids[0]), text="shouts")
    assert "ejection." not in text(client.get(done["Location"]))


def test_a_vote_asks_the_oldest_beside_the_numbers_and_needs_it_on_a_tie(session: Event) -> None:
    session.act(actions.name_roles, table=session.table.uid, oldest=session.uids[2])
    client = as_referee(session)
    asked = {"text": "Was it red?", "votes_yes": "2", "votes_no": "2"}
    for page in (form_at(client, session, "dispute"), send(client, session, "dispute", **asked)):
        assert f"{session.entries[2].public_name}, the oldest player, say?" in text(page)
    assert page.status_code == 422
    done = send(client, session, "dispute", **asked, oldest_yes="no")
    assert "No, decided by the oldest player (2 for yes, 2 for no)" in text(client.get(done["Location"]))


def test_a_vote_names_the_oldest_by_birth_dates_without_showing_one(session: Event) -> None:
    for year, entry in enumerate(Entry.objects.select_related("player").order_by("start_number"), 1990):
        entry.player.birth_date = date(year, 1, 2)
        entry.player.save()
    page = text(form_at(as_referee(session), session, "dispute"))
    assert f"{session.entries[0].public_name}, the oldest player, say?" in page
    assert "1990" not in page


@pytest.mark.parametrize("what", ["unsporting", "draw_suspected_rightly", "warning"])
def test_a_warning_is_the_oldest_players_and_the_youngests_about_the_oldest(
    session: Event, what: str
) -> None:
    oldest, youngest = session.entries[2], session.entries[1]
    session.act(actions.name_roles, table=session.table.uid, oldest=oldest.uid, youngest=youngest.uid)
    page = text(form_at(as_referee(session), session, what))
    assert (
        "The oldest player gives the warning. If the warning is about the oldest, the youngest gives it."
        in page
    )
    assert page.index(oldest.public_name) < page.index(youngest.public_name)
    match = running_match(players=3)
    assert "The oldest player" not in text(form_at(as_referee(match), match, "warning"))


@pytest.mark.parametrize(
    ("language", "reshuffles", "sees"),
    [
        (
            "fi",
            "any spectator, or the oldest player if there is none",
            "the oldest player, or the youngest player if the oldest player is suspected",
        ),
        ("en", "the oldest spectator, or the oldest player if there is none", "the player who suspects it"),
    ],
)
def test_the_desk_says_who_shuffles_and_who_sees_a_suspected_hand_by_the_events_sheet(
    language: str, reshuffles: str, sees: str
) -> None:
    made = add_stage(event("kpgut-2016", 3, language=language), "session")
    client = as_referee(made)
    started_game(made)
    for name in ("table", "table-incidents"):
        page = text(open_page(client, name, made.table.uid))
        assert reshuffles in page
        assert sees in page
    match = running_match(players=3)
    assert reshuffles not in text(open_page(as_referee(match), "table-incidents", match.table.uid))


def test_a_spectator_who_helped_can_be_let_into_the_running_game(session: Event) -> None:
    client = as_referee(session)
    done = send(client, session, "helped_by_spectator", entry=str(session.uids[1]))
    assert "Let the spectator join" not in text(client.get(done["Location"])), "no game runs"
    play = started_game(session)
    done = send(client, session, "helped_by_spectator", entry=str(session.uids[1]))
    join = f"{reverse('play-join', args=[play])}?helped={session.uids[1]}"
    assert f'href="{join}"' in text(client.get(done["Location"]))
    session.act(actions.record_out, play=play, entry=session.uids[0])
    assert "Let the spectator join" not in text(client.get(done["Location"])), "somebody has gone out"


def test_in_a_match_the_referee_rules() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    assert "votes_yes" not in text(form_at(client, match, "dispute"))
    assert "Write what you decided." in text(send(client, match, "dispute", text="Was it red?"))
    assert send(client, match, "dispute", text="Was it red?", ruling="It was.").status_code == 303


def test_an_incident_is_withdrawn_with_one_tap(session: Event) -> None:
    client = as_referee(session)
    uid = penalty(session)
    done = client.post(reverse("incident-withdraw", args=[uid]), {"command": str(uuid4())})
    assert done.status_code == 303
    page = text(client.get(done["Location"]))
    assert "<em>withdrawn</em>" in page
    assert "Withdraw<" not in page
    assert "1 penalty" not in text(form_at(client, session, "uno_not_said"))


def test_an_ejection_goes_on_to_the_running_game_and_says_first_what_follows(session: Event) -> None:
    client = as_referee(session)
    play = started_game(session)
    who = str(session.uids[0])
    asked = client.get(
        reverse("table-incident", args=[session.table.uid, "unsporting_again"]), {"entry": who}, follow=True
    )
    page = text(asked)
    assert asked.redirect_chain[-1][0].startswith(reverse("play-eject", args=[play]))
    assert f'value="{who}" checked' in page
    assert "no place and no points in this game" in page
    data = {**hidden(asked), "entry": who, "reason": "insulted the oldest", "elapsed_s": "0", "warned": "on"}
    assert client.post(reverse("play-eject", args=[play]), data).status_code == 303
    row = Incident.objects.get()
    assert (row.kind, row.code, row.text) == ("ejection", "unsporting_again", "insulted the oldest")
    page = text(open_page(client, "table-incidents", session.table.uid))
    assert "insulted the oldest" in page
    assert "Withdraw<" not in page  # it is taken back where it was entered


def test_before_an_ejection_it_says_who_was_warned(session: Event) -> None:
    """In the incident's form, where the game runs, and where none does."""
    client = as_referee(session)
    first, second, *others = session.uids
    incident = reverse("table-incident", args=[session.table.uid, "unsporting_again"])
    send(client, session, "unsporting", entry=str(first))
    not_warned = 1 + len(others)
    assert text(client.get(incident)).count("not warned yet") == not_warned
    play = started_game(session)
    assert text(client.get(reverse("play-eject", args=[play]))).count("not warned yet") == not_warned
    names = {each.uid: each.public_name for each in session.entries}
    for entry, words in [(first, "1 warning"), (second, "not warned yet")]:
        page = text(client.get(reverse("player-remove", args=[session.table.uid, entry])))
        assert f"{names[entry]}: {words}" in page
        assert "Unsportsmanlike conduct, after a warning" in page


def test_without_a_running_game_an_ejection_is_a_removal_from_the_event(session: Event) -> None:
    client = as_referee(session)
    who = session.uids[0]
    asked = client.get(
        reverse("table-incident", args=[session.table.uid, "unsporting_again"]),
        {"entry": str(who)},
        follow=True,
    )
    assert "without a place" in text(asked)
    url = reverse("player-remove", args=[session.table.uid, who])
    assert (
        client.post(url, {**hidden(asked), "reason": "insulted the oldest", "warned": "on"}).status_code
        == 303
    )
    assert Incident.objects.get().code == "unsporting_again"


def test_a_referee_of_another_table_is_refused() -> None:
    made = running_session(players=6, tables=2)
    here, there = made.tables
    client = as_referee(made, role=TABLE_REFEREE, table=here)
    uid = penalty(made, table=there)
    made.act(actions.call_referee, table=there.uid)
    call = there.calls.get().uid
    addresses = [
        reverse("table-incidents", args=[there.uid]),
        reverse("table-incident", args=[there.uid, "uno_not_said"]),
        reverse("incident-withdraw", args=[uid]),
        reverse("table-call", args=[there.uid]),
        reverse("call-take-back", args=[call]),
        reverse("call-answer", args=[call]),
    ]
    for address in addresses:
        assert client.get(address).status_code == 404, address
        assert client.post(address, {"command": str(uuid4())}).status_code in {404, 405}, address
    assert Client().get(addresses[0]).status_code == 302


def test_every_referee_of_the_event_finds_the_rulings_and_nobody_else() -> None:
    made = running_session(players=6, tables=2)
    there = made.tables[1]
    name = made.entries[1].public_name
    penalty(made, table=there, text="whispered the colour")
    hidden_one = penalty(made)
    made.act(actions.withdraw_incident, incident=hidden_one)
    made.act(actions.record_ruling, incident=uuid4(), text="Is a nod help?", ruling="Yes.", code="helped")
    address = reverse("rulings", args=[made.tournament.slug])
    client = as_referee(made, role=TABLE_REFEREE, table=made.tables[0])
    page = text(client.get(address))
    assert "whispered the colour" in page
    assert penalty_texts("kpgut-2016", "helped")[1] in page
    assert "Give an event-wide ruling" not in page
    assert "Give an event-wide ruling" in text(as_referee(made).get(address))
    for words in ("WHISPERED", "uno not said", "table 2", name, f"table 2 {name}"):
        found = text(client.get(address, {"q": words}))
        assert "whispered the colour" in found, words
        assert "Is a nod help?" not in found, words
    assert "Nothing found here." in text(client.get(address, {"q": "zebra"}))
    stranger = Client()
    stranger.force_login(UserFactory())
    assert stranger.get(address).status_code == 404
    assert Client().get(address).status_code == 302


def test_a_head_referee_rules_for_the_whole_event(session: Event) -> None:
    client = as_referee(session)
    address = reverse("rulings", args=[session.tournament.slug])
    data = hidden(client.get(address))
    wrong = client.post(address, {**data, "text": "Is a nod help?"})
    assert wrong.status_code == 422
    assert 'value="Is a nod help?"' in text(wrong)
    done = client.post(address, {**data, "text": "Is a nod help?", "ruling": "Yes."})
    assert "Is a nod help?" in text(client.get(done["Location"]))
    everywhere = as_referee(session, role=TABLE_REFEREE)
    assert (
        everywhere.post(address, {**data, "command": str(uuid4()), "text": "a", "ruling": "b"}).status_code
        == 403
    )


@pytest.mark.parametrize("name", ["table-incidents", "table-incident", "rulings", "table-players"])
def test_pages_ask_as_often_for_many_incidents_as_for_one(name: str) -> None:
    asked = []
    for count in (1, 3):
        made = running_session(players=4)
        client = as_referee(made)
        for number in range(count):
            penalty(made, number, text="x")
        args = [made.tournament.slug] if name == "rulings" else [made.table.uid]
        address = reverse(name, args=[*args, "uno_not_said"] if name == "table-incident" else args)
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked
    assert asked[0] <= 30


@pytest.mark.parametrize("typed", ["\x00", "<b>", "x" * 600, "²", "-1", "{{ x }}"])
@pytest.mark.sweep
def test_hostile_texts_are_answered(session: Event, typed: str) -> None:
    client = as_referee(session)
    for what in ("other", "dispute", "ruling", "warning", "uno_not_said"):
        names = (
            "text",
            "ruling",
            "votes_yes",
            "votes_no",
            "cards",
            "entry",
            "code",
            "incident",
            "oldest_yes",
        )
        fields = dict.fromkeys(names, typed)
        assert send(client, session, what, **fields).status_code == 422, what
    address = reverse("rulings", args=[session.tournament.slug])
    assert client.get(address, {"q": typed, "page": typed}).status_code == 200


def test_the_ledger_says_at_which_table_and_the_organiser_sees_a_players_incidents(session: Event) -> None:
    penalty(session, text="said too late")
    client = as_referee(session)
    ledger = text(open_page(client, "organise-ledger", session.tournament.slug))
    assert "noted a penalty" in ledger
    assert "said too late" not in ledger
    player = text(open_page(client, "organise-player", session.uids[0]))
    assert "1 penalty" in player
    assert "said too late" in player
    for name, args in (("tournament", []), ("stage", [session.stage.uid]), ("entry", [session.uids[0]])):
        page = Client().get(reverse(name, args=[session.tournament.slug, *args]), follow=True)
        assert page.status_code == 200
        assert "said too late" not in text(page)
        assert "penalty" not in text(page).partition("<footer")[0]
