"""Warning of concurrent entry at a table."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actions.table.typing import entering_elsewhere, say_done, say_entering
from tournament.models import Table, Typing
from tournament.views import device_of, get_table, signed_in_desk, user_of


@signed_in_desk
def typing(request: HttpRequest, table: UUID) -> HttpResponse:
    """POST `on=1` while entering, else done; returns who else is entering."""
    found = get_table(request, table)
    if request.method == "GET":
        return HttpResponseRedirect(reverse("table", args=[found.uid]))
    if request.POST.get("on"):
        say_entering(user_of(request), device_of(request), found)
    else:
        say_done(device_of(request), found)
    now = timezone.now()
    others = [
        {
            "name": other.user.display_name(),
            "seconds": int((now - other.at).total_seconds()),
            "text": _text(request, other),
        }
        for other in entering_elsewhere(device_of(request), found)
    ]
    return JsonResponse({"lastcard": 1, "others": others})


def warnings(request: HttpRequest, table: Table) -> list[str]:
    """A sentence per person on another device."""
    return [_text(request, other) for other in entering_elsewhere(device_of(request), table)]


def _text(request: HttpRequest, other: Typing) -> str:
    if other.user_id == user_of(request).pk:
        return _("You are entering results for this table on another device")
    return _("%(name)s is entering at this table on another phone") % {"name": other.user.display_name()}
