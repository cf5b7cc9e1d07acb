"""Who plays: enter players, look one up, change one."""

from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.forms.fields import add_faults
from tournament.forms.players import EntryForm, PasteForm
from tournament.models import Entry, Incident, Membership, Tournament
from tournament.pages.organiser.attendance import FIGURES, consent_missing, figures_of, rows_of, seats_of
from tournament.permissions import may
from tournament.queries.incidents import lines_of, tallies
from tournament.results.typed import uuid_or_none
from tournament.views._access import get_entry, get_tournament, signed_in, user_of
from tournament.views._answer import OK, UNPROCESSABLE, Attempt, attempt_action, page, receipt_of, saved
from tournament.views.organiser.duplicates import count_of

Role = Membership.Role
LONGEST_SEARCH = 100  # characters


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is entered and who is here, with a search, and a field to paste a list into."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    if request.method != "POST":
        return players_page(request, tournament)
    entered = set(Entry.objects.filter(tournament=tournament).values_list("public_name", flat=True))
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    form = PasteForm(set() if sent_before(tournament, str(command)) else entered, request.POST)
    status = UNPROCESSABLE
    if form.is_valid():
        attempt = attempt_action(
            request, actions.enter_players, tournament.uid, players=form.players_of(command)
        )
        if attempt.receipt:
            return saved(reverse("organise-players", args=[slug]), attempt.receipt)
        form.add_faults(attempt.faults)
        status = attempt.status
    return players_page(request, tournament, form=form, status=status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def player(request: HttpRequest, entry: UUID) -> HttpResponse:
    """One player: what may be done, and for organisers a form to change the entry; every page with the name is
    published anew."""
    least = Role.ORGANISER if request.method == "POST" else Role.HEAD_REFEREE
    row = get_entry(request, entry, least)
    organises = may(user_of(request), "edit_entry", row.tournament)
    form = EntryForm(request.POST or None, initial=EntryForm.of(row))
    status = OK
    if request.method == "POST":
        status = UNPROCESSABLE
        if form.is_valid():
            attempt = attempt_action(
                request, actions.edit_entry, row.tournament.uid, entry=row.uid, **form.cleaned_data
            )
            if attempt.receipt:
                return saved(reverse("organise-players", args=[row.tournament.slug]), attempt.receipt)
            add_faults(form, attempt.faults)
            status = attempt.status
    context = {
        "section": "events",
        "entry": row,
        "organises": organises,
        "form": form if organises else None,
        "real_name": "" if row.player.name == row.public_name else row.player.name,
        "seats": seats_of(row),
        "consent_missing": consent_missing(row),
        "tally": tallies(row.tournament, [row.uid]).get(str(row.uid)),
        "lines": lines_of(row.tournament, Incident.objects.filter(entry=row)),
        "command": uuid4(),
    }
    return page(request, "organiser/player.html", context, row.tournament, status=status)


def players_page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    form: PasteForm | None = None,
    attempt: Attempt | None = None,
    status: int = OK,
) -> HttpResponse:
    """The list of players, those whom `?q=` and `?state=` ask for, in as many queries for 500 as for one."""
    entries = list(
        Entry.objects.filter(tournament=tournament).select_related("player").order_by("start_number")
    )
    user = user_of(request)
    organises = may(user, "edit_entry", tournament)
    q, state = request.GET.get("q", "")[:LONGEST_SEARCH], request.GET.get("state", "")
    context = {
        **counts_context([entry.state for entry in entries]),
        "section": "events",
        "rows": rows_of(entries, q=q, states=FIGURES.get(state, ())),
        "entered": len(entries),
        "q": q,
        "state": state if state in FIGURES else "",
        "form": (form or PasteForm(set())) if organises else None,
        "organises": organises,
        "duplicates": count_of(request, tournament, entries) if organises else 0,
        "command": uuid4(),
        "at": receipt_of(request, tournament),
        **(attempt.context(names_of(entries)) if attempt else {}),
    }
    return page(request, "organiser/players.html", context, tournament, status=status)


def counts_context(states: list[str]) -> dict[str, Any]:
    """What `organiser/_player_counts.html` shows, from the state of every entry."""
    counts = {state: states.count(state) for state in set(states)}
    return {
        "figures": figures_of(counts),
        "registered": counts.get(Entry.State.REGISTERED, 0),
        "late": counts.get(Entry.State.LATE, 0),
    }


def names_of(entries: list[Entry]) -> dict[str, str]:
    """Public names by uid, for the words of faults."""
    return {str(entry.uid): entry.public_name for entry in entries}


def sent_before(tournament: Tournament, command: str) -> bool:
    """Whether the form that carries this command was accepted already: nothing is done twice, but the answer is the
    same."""
    uid = uuid_or_none(command)
    return uid is not None and tournament.ledger.filter(command=uid).exists()
