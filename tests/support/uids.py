"""Texts without the uids in them, which may hold any digits: a year that must not be there, for one."""

import re

UID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}|[0-9a-f]{16,}")


def without_uids(text: str) -> str:
    """The text with every uid, digest and beginning of one taken out."""
    return UID.sub("", text)
