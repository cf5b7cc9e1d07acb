"""Practice as the rows know it: its host, how its newcomers are named, how long it lasts, and how many there may be."""

from datetime import timedelta
from uuid import NAMESPACE_URL, uuid5

# The uid of the user who makes the events and organises them. Nobody can sign in as it.
HOST = uuid5(NAMESPACE_URL, "lastcard:practice")

# How the names of newcomers' users begin: like all guests they have no account.
NEWCOMER = "guest-newcomer-"

LASTS = timedelta(hours=1)

MOST = 50  # newcomers at a time
