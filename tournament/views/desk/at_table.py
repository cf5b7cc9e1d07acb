"""A table's code for its players: show, renew, print; requests to join."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournament import actions
from tournament.actions.table.at_table import entering_elsewhere, say_done, say_entering
from tournament.links import short_code, token_for
from tournament.models import Ask, Table
from tournament.pages.desk.table import last_call
from tournament.permissions import may
from tournament.results import uuid_or_none
from tournament.server.venue import public_address, qr_svg
from tournament.views import (
    Role,
    attempt_action,
    device_of,
    get_stage,
    get_table,
    page,
    receipt_of,
    see_other,
    signed_in_desk,
    signed_in_page,
    user_of,
)
from tournament.views.organiser.on_paper import paper_context


def short_of(request: HttpRequest, table: Table) -> str:
    """The short address, for typing."""
    return public_address(request, f"/{short_code(table.uid, table.link_number)}").partition("://")[2]


def code_of(request: HttpRequest, table: Table) -> tuple[str, SafeString]:
    """Address without a language, and its QR code."""
    address = public_address(request, f"/at/{token_for('table', table.uid, table.link_number)}/")
    return address, qr_svg(address)


@signed_in_page
def code(request: HttpRequest, table: UUID) -> HttpResponse:
    """Show the code for scanning."""
    row = get_table(request, table)
    tournament = row.stage.tournament
    address, qr = code_of(request, row)
    return page(
        request,
        "desk/code.html",
        tournament,
        section="desk",
        table=row,
        stage=row.stage,
        address=address,
        qr=qr,
        short=short_of(request, row),
        asks=Ask.objects.waiting().filter(table=row),
        asks_url=reverse("table-asks", args=[row.uid]),
        renews=may(user_of(request), "renew_link_of_table", tournament, row.uid),
        at=receipt_of(request, tournament),
        command=uuid4(),
    )


@signed_in_desk
def renew(request: HttpRequest, table: UUID) -> HttpResponse:
    """Renew the code; old codes end."""
    row = get_table(request, table, Role.HEAD_REFEREE)
    url = reverse("table-code", args=[row.uid])
    attempt = attempt_action(request, actions.renew_link_of_table, row.stage.tournament.uid, table=row.uid)
    return attempt.answer(url, lambda: HttpResponseRedirect(url))


@signed_in_desk
def asks(request: HttpRequest, table: UUID) -> HttpResponse:
    """Requests to join, call, start; POST answers one."""
    row = get_table(request, table)
    if request.method != "POST":
        return page(
            request,
            "desk/_others.html",
            row.stage.tournament,
            table=row,
            stage=row.stage,
            asks=Ask.objects.waiting().filter(table=row),
            asks_url=request.path,
            call=last_call(row),
        )
    ask, yes = uuid_or_none(request.POST.get("ask", "")), request.POST.get("yes") == "1"
    # gone requests need no answer
    attempt_action(request, actions.answer_ask, row.stage.tournament.uid, table=row.uid, ask=ask, yes=yes)
    return see_other(reverse("table-code", args=[row.uid]))


@signed_in_page
def codes_print(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Print the codes of a stage, or of its open tables the common one."""
    row = get_stage(request, stage, Role.HEAD_REFEREE)
    tables = Table.objects.filter(stage=row).order_by("number")
    sits = public_address(request, f"/sit/{token_for('stage', row.uid)}/") if "open" in row.source else ""
    return page(
        request,
        "organiser/table_codes.html",
        row.tournament,
        **paper_context(request, row.tournament),
        stage=row,
        codes=[(None, sits, qr_svg(sits), "")]
        if sits
        else [(table, *code_of(request, table), short_of(request, table)) for table in tables],
    )


# ---- Warning of concurrent entry at a table ----


@signed_in_desk
def typing(request: HttpRequest, table: UUID) -> HttpResponse:
    """POST `on=1` while entering; returns who else is entering."""
    found = get_table(request, table)
    if request.method == "GET":
        return HttpResponseRedirect(reverse("table", args=[found.uid]))
    if request.POST.get("on"):
        say_entering(user_of(request), device_of(request), found)
    else:
        say_done(device_of(request), found)
    return JsonResponse({"lastcard": 1, "others": [{"text": each} for each in warnings(request, found)]})


def warnings(request: HttpRequest, table: Table) -> list[str]:
    """A sentence per person on another device."""
    return [
        _("You are entering results for this table on another device")
        if other.user_id == user_of(request).pk
        else _("%(name)s is entering at this table on another phone") % {"name": other.user.display_name()}
        for other in entering_elsewhere(device_of(request), table)
    ]
