"""Published pages, rendered once per change, and event streams; docs/inside.md says what each part knows.

A scope is "site" or the uid of an organiser, tournament or stage. Versions of "site" and organisers are sums, hidden
events included, so only deletion lowers them. Only commits are announced. Importing `announce` loads no model.
"""

from tournament.live.store import versions

announce = versions.announce

__all__ = ["announce"]
