"""Practice: the demo events, a newcomer's own events, and rehearsals."""

from uuid import NAMESPACE_URL, uuid5

DEMO = uuid5(NAMESPACE_URL, "lastcard:demo")  # the uids of the demo follow from it
