"""From a page of the admin to a table at the desk, and back there from the table's pages once something is entered."""

from uuid import UUID

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.views import get_table

COOKIE = f"{settings.COOKIE_PREFIX}from_admin"
SALT = "tournament.from_admin"
LONGEST = 500  # characters of an address


@require_safe
def enter(request: HttpRequest, table: UUID) -> HttpResponse:
    """Go to the table's page, which leads `back` to a page of the admin until the reader opens their tables."""
    row = get_table(request, table)
    response = HttpResponseRedirect(reverse("table", args=[row.uid]))
    back = request.GET.get("back", "")
    if len(back) <= LONGEST and back.startswith(reverse("admin:index")):
        value = signing.dumps([str(row.uid), back], salt=SALT)
        response.set_cookie(COOKIE, value, httponly=True, samesite="Lax", secure=request.is_secure())
    return response


def admin_url(request: HttpRequest, table: UUID) -> str:
    """The page of the admin from which this browser came to the table; "" if it came from elsewhere."""
    try:
        at, back = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT)
    except signing.BadSignature:
        return ""
    return str(back) if at == str(table) else ""


def forget(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Give the answer, after which the table's pages lead where they lead everybody."""
    if COOKIE in request.COOKIES:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
