"""Django alone as a WSGI application, as `runserver` serves it: pages poll, for event streams are in asgi.py."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
application = get_wsgi_application()
