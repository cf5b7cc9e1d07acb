"""The admin's sign-in is ours."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect the admin's sign-in to ours."""
    after = request.GET.get("next", "") or reverse("admin:index")
    return redirect(f"{reverse('sign-in')}?{urlencode({'next': after})}")
