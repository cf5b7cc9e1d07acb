"""ASGI application: published pages, event streams, Django."""

from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from tournament.wsgi import application as django  # sets up Django before model imports

# isort: split
from tournament.live.front import Front
from tournament.live.guard import Guard
from tournament.live.hub import Hub
from tournament.live.pages import store
from tournament.live.poller import Listener, Poller
from tournament.live.pools import django_asgi
from tournament.live.store import versions
from tournament.queries.live import read_versions, standings
from tournament.server.database import serve_within_limits
from tournament.server.extras import added

serve_within_limits()
hub = Hub(versions, cap=settings.LIVE_STREAMS, each=settings.LIVE_STREAMS_EACH)
application = Front(
    django_asgi(django, settings.WSGI_WORKERS),
    versions=versions,
    store=store,
    hub=hub,
    poller=Poller(versions, read_versions),
    beside=[
        Guard(hub, standings),
        *([Listener(versions)] if connection.vendor == "postgresql" else []),
        *(import_string(job)() for job in added("jobs")),
    ],
)
