"""Live and published pages: rendered once for each change, and the streams that say when to fetch them.

    versions   what this process knows: scope -> version, and who wants to hear of a rise
    poller     learns of changes that other processes committed
    snapshot   one moment of the database, for a view that reads a version and then the facts
    pages      `published_page` for views, and the middleware that finishes what they answer
    store      the finished answers, as bytes, by path
    hub        event streams at /live/<scope>
    front      the raw ASGI application that answers from the store and gives all else to Django
    server     uvicorn with the settings Lastcard runs on

A scope is "site", a tournament's uid or a stage's uid. `announce` is what actions call after a commit;
importing it loads no model.
"""

from tournament.live.versions import versions

announce = versions.announce

__all__ = ["announce"]
