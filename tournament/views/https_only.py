"""Middleware that requires HTTPS for the API."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse


def https_only(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse plain HTTP to the API: redirected clients would go on sending tokens in the clear."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and request.path.startswith("/api/v1/") and not request.is_secure():
            from tournament.api.problems import answer, problem

            return answer(problem("forbidden", detail=f"https://{request.get_host()}{request.path}"))
        return get_response(request)

    return middleware
