"""The product's settings with the faults of hooks.py built in; nothing of it is in the product."""

from tournament.settings import *
from tournament.settings import INSTALLED_APPS, MIDDLEWARE

INSTALLED_APPS = ["tests.faults.hooks.Hooks", *INSTALLED_APPS]
MIDDLEWARE = [*MIDDLEWARE, "tests.faults.hooks.killed_where_asked"]
