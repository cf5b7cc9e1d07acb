"""From the admin to a table at the desk, and back."""

from uuid import UUID

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.views import get_table

COOKIE = f"{settings.COOKIE_PREFIX}from_admin"
SALT = "tournament.from_admin"
LONGEST = 500  # characters


@require_safe
def enter(request: HttpRequest, table: UUID) -> HttpResponse:
    """Open the table; it leads `back` to the admin until the desk is opened."""
    row = get_table(request, table)
    response = HttpResponseRedirect(reverse("table", args=[row.uid]))
    back = request.GET.get("back", "")
    if len(back) <= LONGEST and back.startswith(reverse("admin:index")):
        value = signing.dumps([str(row.uid), back], salt=SALT)
        response.set_cookie(COOKIE, value, httponly=True, samesite="Lax", secure=request.is_secure())
    return response


def admin_url(request: HttpRequest, table: UUID) -> str:
    """The admin page that led to this table; "" if none."""
    try:
        at, back = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT)
    except signing.BadSignature:
        return ""
    return str(back) if at == str(table) else ""


def forget(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Delete the cookie of the way back."""
    if COOKIE in request.COOKIES:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
