"""Where a message waits for the next page: in a cookie of this very host, in the session where it is too long."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookie(CookieStorage):
    """Django's own, with the name that settings.py gives to every cookie."""

    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class Notices(FallbackStorage):
    """Messages in the cookie; those that do not fit in it are kept in the session."""

    storage_classes = (HostCookie, SessionStorage)
