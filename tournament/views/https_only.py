"""The middleware that keeps programs from sending their tokens in the clear."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse


def https_only(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse a program that asks by http where there is https, and tell it the address: redirected, it would go on
    sending its token in the clear."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and request.path.startswith("/api/v1/") and not request.is_secure():
            from tournament.api.problems import Problem  # and REST framework

            return Problem("forbidden", f"https://{request.get_host()}{request.path}").answer()
        return get_response(request)

    return middleware
