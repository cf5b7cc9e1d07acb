"""Middleware, message storage, session expiry, uploads."""

from datetime import timedelta
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from tournament.server.database import connect_for_work
from tournament.server.logs import GetResponse
from tournament.server.rate_limits import asking_from, place_of

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "object-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)

# Unused browser features; phones' camera apps read codes.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "hid",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "publickey-credentials-get",
        "serial",
        "usb",
        "xr-spatial-tracking",
    )
)

MOST_FILE_BYTES = 2 * 1024 * 1024
TOO_MANY, RETRY_S = 429, "60"  # guest limits are per minute

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
}


def security_headers(get_response: GetResponse) -> GetResponse:
    """Add the strict Content-Security-Policy and others."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


def connecting(get_response: GetResponse) -> GetResponse:
    """Open a referee's connection early; set `asking_from`."""

    def middleware(request: HttpRequest) -> HttpResponse:
        connect_for_work()
        token = asking_from.set(place_of(request.META.get("REMOTE_ADDR", "")))
        try:
            response = get_response(request)
        finally:
            asking_from.reset(token)
        if response.status_code == TOO_MANY:
            response.headers.setdefault("Retry-After", RETRY_S)
        return response

    return middleware


class HostCookie(CookieStorage):
    """Django's, with our cookie prefix."""

    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class Notices(FallbackStorage):
    """Messages in a host cookie, overflow in the session."""

    storage_classes = (HostCookie, SessionStorage)


def end_in_time(request: HttpRequest, **_: Any) -> None:
    """Expire sessions a fixed time after sign-in."""
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


class CappedUploadHandler(FileUploadHandler):
    """Holds at most `most` bytes of a request's files in memory; excess files arrive empty with their true size."""

    def __init__(self, request: Any = None, most: int = MOST_FILE_BYTES) -> None:
        super().__init__(request)
        self._most, self._total = most, 0
        self._file = BytesIO()

    def new_file(self, *arguments: Any, **named: Any) -> None:
        super().new_file(*arguments, **named)
        self._file = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:  # noqa: ARG002 - Django gives it
        self._total += len(raw_data)
        if self._total > self._most:
            self._file = BytesIO()
        else:
            self._file.write(raw_data)

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        self._file.seek(0)
        return InMemoryUploadedFile(
            file=self._file,
            field_name=self.field_name,
            name=self.file_name or "",
            content_type=self.content_type,
            size=file_size,
            charset=self.charset,
            content_type_extra=self.content_type_extra,
        )
