"""Published pages, rendered once per change, and event streams.

    poller     polls other processes' commits
    pages      `published_page`, middleware
    store      known version per scope, finished responses by path
    changes    what changed in a page's text
    hub        event streams at /live/<scope>
    front      raw ASGI application: store, then Django
    door       connection limits
    protocol   one connection: request limits, stored pages
    server     configured uvicorn

A scope is "site" or the uid of an organiser, tournament or stage. Versions of "site" and organisers are sums, hidden
events included, so only deletion lowers them. Only commits are announced. Importing `announce` loads no model.
"""

from tournament.live.store import versions

announce = versions.announce

__all__ = ["announce"]
