"""Hand over an offline entry by QR code: another phone's outbox takes it, under the same command.

The entry is in the URL fragment, never requested; the script posts it for table and preview. Stores nothing.
"""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.models import Entry as Player, LedgerRow, Result, Table
from tournament.pages.desk.table import Scene
from tournament.pages.public.stage import how_text
from tournament.results import Fault, Typed, time_text, uuid_or_none
from tournament.views import get_scene, get_table, page
from tournament.views.desk.tables import attempt_record, new_play
from tournament.views.entry._entering import previewed
from tournament.views.entry.outbox import AT_TABLE, IN_PLAY, Entry, Malformed, batch_of
from tournament.words.faults import fault_text
from tournament.words.text import listed

LEFT = {"out": Result.Outcome.OUT, "give_up": Result.Outcome.GAVE_UP}


@never_cache
@require_http_methods(["GET", "POST"])
def hand_over(request: HttpRequest) -> HttpResponse:
    """The page, also before sign-in; POST describes an entry."""
    if request.method == "GET":
        return render(request, "desk/hand_over.html", {"section": "desk"})
    try:
        (entry,) = batch_of(request.body).entries
        if not request.user.is_authenticated or entry.kind not in {*AT_TABLE, *IN_PLAY}:
            raise Malformed
        table = _table(request, entry)
    except (Malformed, ValueError):
        return _refused(request, Fault("malformed"))
    except Http404:
        return _refused(request, Fault("unknown_table"))
    except PermissionDenied:
        return _refused(request, Fault("forbidden"))
    return _shown(request, entry, get_scene(table))


def _table(request: HttpRequest, entry: Entry) -> Table:
    """The table, whose game may still wait on the other phone."""
    named = uuid_or_none(request.GET.get("table", ""))
    if named is None or (entry.kind in AT_TABLE and entry.about != named):
        raise Http404
    return get_table(request, named)


def _refused(request: HttpRequest, fault: Fault) -> HttpResponse:
    return render(request, "desk/_handed.html", {"refused": fault_text(fault)})


def _shown(request: HttpRequest, entry: Entry, scene: Scene) -> HttpResponse:
    stored = LedgerRow.objects.filter(tournament=scene.tournament, command=entry.command).exists()
    context: dict[str, Any] = {**scene.context(), "stored": stored, "may": not stored}
    if not stored and scene.open:
        if AT_TABLE.get(entry.kind) is attempt_record:
            context |= {"play": True, **previewed(new_play(scene, _typed(entry)), in_full=True)}
        else:
            context["handed"] = _said(entry, scene)
    return page(request, "desk/_handed.html", scene.tournament, **context)


def _typed(entry: Entry) -> dict[str, str]:
    return {name: str(value) for name, value in entry.data.items()}


def _said(entry: Entry, scene: Scene) -> list[tuple[str, str]]:
    typed = Typed(_typed(entry))
    who = {"player": _("Players"), "entry": _("Player"), "oldest": _("Oldest"), "youngest": _("Youngest")}
    who |= {"starter": _("Starts"), "remaining": _("Cards left")}
    said = [(words, _names(entry, scene, name)) for name, words in who.items()]
    if outcome := LEFT.get(entry.kind):
        elapsed = typed.whole("elapsed_s", "", most=24 * 3600)
        ago = typed.whole("ago", "", most=24 * 60) or 0
        when = typed.text("at") or (time_text(max(0, elapsed - 60 * ago)) if elapsed is not None else "")
        said.append((how_text(outcome, None), when))
    return [(what, text) for what, text in ((_("Player"), typed.text("name")), *said) if text]


def _names(entry: Entry, scene: Scene, field: str) -> str:
    named = [uid for each in entry.data.getlist(field) if (uid := uuid_or_none(each))]
    known = Player.objects.filter(tournament=scene.tournament, uid__in=named)
    return listed([player.shown_name for player in known])
