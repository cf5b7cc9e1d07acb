"""Personal data: download or erase."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from tournament import actions
from tournament.models import Entry, Tournament
from tournament.queries.people import data_of
from tournament.queries.registration import numbered_name
from tournament.server.database import snapshot
from tournament.server.exports import take_away_all
from tournament.views import attempt_action, by_link, get_entry, page, saved, signed_in_form, signed_in_page
from tournament.views.public.own_entry import attempt_of, entry_of, errors_of, unknown


@signed_in_page
def player_file(request: HttpRequest, entry: UUID) -> HttpResponse:
    """A player's data as JSON, for organisers."""
    return _file(get_entry(request, entry), all_results=True)


@by_link
@require_safe
def own_file(request: HttpRequest, token: str) -> HttpResponse:
    """As `player_file`, without frozen results."""
    entry = entry_of(token)
    return _file(entry, all_results=False) if entry else unknown(request, token)


@signed_in_form
def erase_player(request: HttpRequest, entry: UUID) -> HttpResponse:
    """Preview the erasure; POST erases."""
    row = get_entry(request, entry)
    attempt = attempt_action(request, actions.erase_person, row.tournament.uid, entry=row.uid)
    if attempt.receipt:
        _take_away_workbooks(row)
        return saved(reverse("organise-player", args=[row.uid]), attempt.receipt)
    return page(
        request,
        "organiser/player_erase.html",
        row.tournament,
        status=attempt.status,
        section="events",
        entry=row,
        becomes=numbered_name(row),
        command=uuid4(),
        **attempt.context({str(row.uid): row.shown_name}),
    )


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def erase_own(request: HttpRequest, token: str) -> HttpResponse:
    """Preview the erasure; POST erases and ends the link."""
    entry = entry_of(token)
    if entry is None:
        return unknown(request, token)
    attempt = attempt_of(request, entry, actions.erase_self, token=token)
    if attempt.receipt:
        _take_away_workbooks(entry)
        return redirect("own", token=token)
    return page(
        request,
        "public/own_erase.html",
        entry.tournament,
        status=attempt.status,
        entry=entry,
        token=token,
        becomes=numbered_name(entry),
        command=uuid4(),
        **errors_of(entry, attempt),
    )


def _file(entry: Entry, *, all_results: bool) -> HttpResponse:
    with snapshot():
        found = data_of(entry.player, all_results=all_results)
    answer = JsonResponse(found, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="player-{entry.start_number}.json"'
    return answer


def _take_away_workbooks(entry: Entry) -> None:
    for uid in Tournament.objects.filter(entries__player=entry.player).values_list("uid", flat=True):
        take_away_all(uid)
