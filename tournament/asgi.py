"""Lastcard as one ASGI application: published pages and event streams in front of Django."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")

import django
from django.conf import settings

django.setup()

from tournament.database import serve_within_limits  # noqa: E402 - after Django's setup
from tournament.live.front import Front  # noqa: E402
from tournament.live.guard import Guard  # noqa: E402
from tournament.live.hub import Hub  # noqa: E402
from tournament.live.pages import store  # noqa: E402
from tournament.live.poller import Poller  # noqa: E402
from tournament.live.pools import django_asgi  # noqa: E402
from tournament.live.versions import versions  # noqa: E402
from tournament.webhooks.sender import Sender  # noqa: E402

serve_within_limits()
hub = Hub(versions, cap=settings.LIVE_STREAMS, each=settings.LIVE_STREAMS_EACH)
application = Front(
    django_asgi(settings.WSGI_WORKERS),
    versions=versions,
    store=store,
    hub=hub,
    poller=Poller(versions),
    beside=[Guard(hub), *([Sender()] if settings.WEBHOOKS else [])],
)
