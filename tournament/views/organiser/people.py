"""Who plays: enter players, check them in, change one, let one leave and come back."""

from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.forms.faults import add_faults
from tournament.forms.players import EntryForm, PasteForm
from tournament.forms.reading import uuid_or_none
from tournament.models import Entry, Membership, Tournament
from tournament.permissions import may
from tournament.views._access import get_entry, get_tournament, signed_in, user_of
from tournament.views._answer import OK, UNPROCESSABLE, Attempt, attempt_action, page, receipt_of, saved

Role = Membership.Role


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is entered, and a field to paste a list into."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    entered = set(Entry.objects.filter(tournament=tournament).values_list("public_name", flat=True))
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    if request.method != "POST":
        return _players_page(request, tournament, form=PasteForm(entered))
    form = PasteForm(set() if _sent_before(tournament, command) else entered, request.POST)
    status = UNPROCESSABLE
    if form.is_valid():
        attempt = attempt_action(
            request, actions.enter_players, tournament.uid, players=form.players_of(command)
        )
        if attempt.receipt:
            return saved(reverse("organise-players", args=[slug]), attempt.receipt)
        form.add_faults(attempt.faults)
        status = attempt.status
    return _players_page(request, tournament, form=form, status=status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Check in the players named in the form, or everybody registered."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    if request.method != "POST":
        return redirect("organise-players", slug=slug)
    one = uuid_or_none(request.POST.get("entry", ""))
    registered = Entry.objects.filter(tournament=tournament, state=Entry.State.REGISTERED)
    entries = [one] if one else list(registered.values_list("uid", flat=True))
    if not entries:
        return _players_page(request, tournament)
    attempt = attempt_action(request, actions.check_in, tournament.uid, entries=entries)
    if attempt.receipt:
        return saved(reverse("organise-players", args=[slug]), attempt.receipt)
    return _players_page(request, tournament, attempt=attempt, status=attempt.status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def player(request: HttpRequest, entry: UUID) -> HttpResponse:
    """Change one entry; every page with the name is published anew."""
    row = get_entry(request, entry)
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
    return _player_page(request, row, form=form, status=status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def move(request: HttpRequest, entry: UUID, what: str) -> HttpResponse:
    """`leave`, `back`, `remove` (with a reason) or `withdraw` an entry that was a mistake."""
    row = get_entry(request, entry, Role.ORGANISER if what == "withdraw" else Role.HEAD_REFEREE)
    moves: dict[str, tuple[Any, dict[str, Any]]] = {
        "leave": (actions.player_leaves, {}),
        "back": (actions.readmit_player, {}),
        "remove": (actions.remove_player, {"reason": request.POST.get("reason", "")}),
        "withdraw": (actions.withdraw_entry, {}),
    }
    if what not in moves:
        raise Http404
    if request.method != "POST":
        return redirect("organise-player", entry=row.uid)
    action, more = moves[what]
    attempt = attempt_action(request, action, row.tournament.uid, entry=row.uid, **more)
    if attempt.receipt:
        return saved(reverse("organise-players", args=[row.tournament.slug]), attempt.receipt)
    form = EntryForm(initial=EntryForm.of(row))
    return _player_page(request, row, form=form, attempt=attempt, status=attempt.status)


def _players_page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    form: PasteForm | None = None,
    attempt: Attempt | None = None,
    status: int = OK,
) -> HttpResponse:
    entries = list(Entry.objects.filter(tournament=tournament).order_by("start_number"))
    user = user_of(request)
    context = {
        "section": "events",
        "rows": [(entry, uuid4()) for entry in entries],
        "registered": sum(entry.state == Entry.State.REGISTERED for entry in entries),
        "form": (form or PasteForm(set())) if may(user, "enter_players", tournament) else None,
        "organises": may(user, "edit_entry", tournament),
        "command": uuid4(),
        "at": receipt_of(request, tournament),
        **(attempt.context(names_of(entries)) if attempt else {}),
    }
    return page(request, "organiser/players.html", context, tournament, status=status)


def _player_page(
    request: HttpRequest,
    row: Entry,
    *,
    form: EntryForm,
    attempt: Attempt | None = None,
    status: int = OK,
) -> HttpResponse:
    context = {
        "section": "events",
        "entry": row,
        "form": form,
        "out": row.is_out,
        "command": uuid4(),
        **(attempt.context(names_of([row])) if attempt else {}),
    }
    return page(request, "organiser/player.html", context, row.tournament, status=status)


def names_of(entries: list[Entry]) -> dict[str, str]:
    """Public names by uid, for the words of faults."""
    return {str(entry.uid): entry.public_name for entry in entries}


def _sent_before(tournament: Tournament, command: UUID) -> bool:
    """Whether this form was accepted already: then its players are not entered twice, but the answer is the same."""
    return tournament.ledger.filter(command=command).exists()
