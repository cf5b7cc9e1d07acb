"""Score sheet for a table of friends: the form carries the whole game, so resending it is idempotent."""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring import SheetInvalid
from tournament.actions.kernel.work import GUEST_MAXIMA
from tournament.extras.friends.actions import MOST_ROWS, found_event
from tournament.extras.friends.pages.kinds import hands_to_count, read_row, typed_row
from tournament.extras.friends.pages.score import (
    choose_context,
    edit_of,
    read_start,
    score_context,
    start_for,
)
from tournament.extras.friends.pages.sheets import (
    Sheet,
    afresh,
    as_text,
    field_of,
    hands_were_asked,
    names_of,
    read_form,
    rows_of,
    scored,
    split,
    with_row,
    without_row,
)
from tournament.models import Tournament, User
from tournament.permissions import is_limited
from tournament.results import Fault, Refused, Typed, kind_of, uuid_or_none
from tournament.server.rate_limits import ScoreThrottle
from tournament.words.faults import fault_text, ruleset_name
from tournament.words.text import home_today

UNPROCESSABLE, TOO_MANY = 422, 429


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def friends(request: HttpRequest) -> HttpResponseBase:
    if request.method != "POST":
        start = start_for(request.GET.get("play", ""))
        return _start(request, start) if start else _choose(request)
    throttle = ScoreThrottle()
    if not throttle.allows():
        sent = [(name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken"]
        context = {"seconds": throttle.seconds(), "sent": sent}
        answer = render(request, "public/too_many.html", context, status=TOO_MANY)
        answer["Retry-After"] = str(context["seconds"])
        return answer
    do, _colon, number = request.POST.get("do", "show").partition(":")
    if do == "start":
        start = start_for(request.POST.get("play", ""))
        if start is None:
            return _choose(request)
        started = read_start(start, request.POST.dict())
        return _start(request, start) if started is None else _show(request, started)
    try:
        sheet = read_form(request.POST.get("sheet", ""))
    except SheetInvalid as invalid:
        return _choose(request, unreadable=invalid)
    return _done(request, sheet, do, int(number) if number.isdecimal() and len(number) < 5 else -1)


def _done(request: HttpRequest, sheet: Sheet, do: str, number: int) -> HttpResponse:
    """`number` is the row that the button names, or -1."""
    match do:
        case "save":
            return _save(request, sheet)
        case "edit" if 0 <= number < len(rows_of(sheet)) and rows_of(sheet)[number].get("ended") != "void":
            typed = typed_row(sheet, rows_of(sheet)[number])
            return _page(request, sheet, number, typed, counting=hands_to_count(sheet, number, Typed(typed)))
        case "remove" if 0 <= number < len(rows_of(sheet)):
            sheet = without_row(sheet, number)
        case "people" | "keep-people":
            start = edit_of(sheet)
            changed = read_start(start, request.POST.dict()) if do == "keep-people" else None
            if changed is None:
                return _start(request, start)
            sheet = changed
        case "stop" if kind_of(sheet["kind"]).to_target and rows_of(sheet):
            sheet = {**sheet, "stopped": True}
        case "go-on":
            sheet = {key: value for key, value in sheet.items() if key != "stopped"}
        case "again":
            sheet = afresh(sheet)
        case "download":
            name = f"{sheet['ruleset']}-{sheet['kind']}.json"
            return HttpResponse(
                as_text(sheet),
                content_type="application/json",
                headers={"Content-Disposition": f'attachment; filename="{name}"'},
            )
        case "event":
            return _event(request, sheet)
    return _show(request, sheet)


def _choose(request: HttpRequest, unreadable: SheetInvalid | None = None) -> HttpResponse:
    errors = [error.message for error in unreadable.errors[:5]] if unreadable else []
    return render(
        request,
        "friends/choose.html",
        choose_context() | {"unreadable": errors},
        status=UNPROCESSABLE if errors else 200,
    )


def _start(request: HttpRequest, start: Any) -> HttpResponse:
    context = {"start": start, "sheet": as_text(start.sheet) if start.sheet else ""}
    return render(request, "friends/start.html", context, status=UNPROCESSABLE if start.errors else 200)


def _show(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    return _page(request, sheet, len(rows_of(sheet)), {})


def _page(
    request: HttpRequest,
    sheet: Sheet,
    index: int,
    typed: dict[str, str],
    errors: dict[str, str] | None = None,
    *,
    counting: list[str] | None = None,
    event: dict[str, str] | None = None,
) -> HttpResponse:
    context = score_context(sheet, index, typed, errors or {}, counting=counting or [])
    rows = {"rows": len(rows_of(sheet)), "most": MOST_ROWS}
    long = fault_text(Fault("long_sheet", "", rows)) if rows["rows"] > MOST_ROWS else ""
    guest = settings.GUEST_LIMITS and (not request.user.is_authenticated or is_limited(request.user))
    if guest and len(sheet["players"]) > GUEST_MAXIMA["guest_players"]:
        long = fault_text(Fault("guest_players", parameters={"most": GUEST_MAXIMA["guest_players"]}))
    context["event"] = {"id": str(uuid4()), "name": "", "error": "", "long": long, **rows} | (event or {})
    failed = bool(errors) or bool((event or {}).get("error"))
    return render(request, "friends/score.html", context, status=UNPROCESSABLE if failed else 200)


def _save(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    sent = request.POST.get("row", "")
    index = int(sent) if sent.isdecimal() and len(sent) < 5 else len(rows_of(sheet))
    index = min(index, len(rows_of(sheet)))
    typed = Typed(request.POST.dict())
    row = read_row(sheet, index, typed)
    counting = hands_to_count(sheet, index, typed)
    errors: dict[str, str] = {}
    names = names_of(sheet)
    asked = hands_were_asked(counting, typed)
    for fault in typed.faults:
        if asked or fault.code != "missing_hand":  # asked next
            errors.setdefault(field_of(fault), fault_text(fault, names))
    candidate = with_row(sheet, index, row)
    if not errors:
        for error in scored(candidate)[1]:
            where, fault = split(candidate, error)
            if where == index and (asked or fault.code not in {"missing_hand", "empty_hand"}):
                errors.setdefault(field_of(fault), fault_text(fault, names))
    if errors or (counting and not asked):
        return _page(request, sheet, index, dict(typed.data), errors, counting=counting)
    return _page(request, candidate, len(rows_of(candidate)), {})


def _event(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    name = request.POST.get("name", "").strip()
    secret = uuid_or_none(request.POST.get("event", ""))
    again = {"name": name, "id": str(secret or uuid4())}
    # newcomers in practice become guests
    user = request.user if isinstance(request.user, User) and not request.user.is_newcomer else None
    try:
        made = found_event(
            secret or uuid4(),
            sheet,
            user=user,
            name=name or ruleset_name(sheet["ruleset"]),
            guest_name=_("Guest"),
            starts_on=home_today(),
            language=get_language() or "en",
            reason=_("Imported from the score sheet."),
        )
    except Refused as refused:
        text = " ".join(fault_text(fault, names_of(sheet)) for fault in refused.faults[:5])
        answer = _page(request, sheet, len(rows_of(sheet)), {}, event=again | {"error": text})
        if refused.wait:
            answer.status_code, answer["Retry-After"] = TOO_MANY, str(refused.wait)
        return answer
    if user is None:
        login(request, made.user, backend="django.contrib.auth.backends.ModelBackend")
        messages.success(
            request,
            _("Your event is ready. You run it from this browser. There is no password, so do not sign out."),
        )
    else:
        messages.success(request, _("Your event is ready."))
    return redirect("organise-share", Tournament.objects.get(uid=made.tournament).slug)
