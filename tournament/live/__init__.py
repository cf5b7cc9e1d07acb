"""Live and published pages: rendered once for each change, and the streams that say when to fetch them.

    versions   the known versions: scope -> version, and the listeners for a rise
    poller     learns of changes that other processes committed
    pages      `published_page` for views, and the middleware that finishes what they answer
    store      the finished answers, as bytes, by path
    hub        event streams at /live/<scope>
    front      the raw ASGI application that answers from the store and gives all else to Django
    door       who may hold a connection
    protocol   one connection, which answers from the store before uvicorn makes a task of the request, and refuses what
               is too large
    server     uvicorn with the settings Lastcard runs on

A scope is "site", an organiser's uid, a tournament's or a stage's. The version of "site" is the sum of those of all
tournaments, an organiser's the sum of those of theirs; in both hidden ones count too, so that hiding one raises it and
only deleting one for good lowers it. `announce` is what actions call after a commit; importing it loads no model.
"""

from tournament.live.versions import versions

announce = versions.announce

__all__ = ["announce"]
