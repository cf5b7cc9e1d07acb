"""Practice: demo events, newcomers' events, rehearsals."""

from uuid import NAMESPACE_URL, uuid5

DEMO = uuid5(NAMESPACE_URL, "lastcard:demo")  # namespace of the demo's uids
