# ruff: noqa: F403 - what is imported here is what the package offers
# mypy: implicit-reexport
"""The only writers: one function for each intention, one transaction, one ledger row.

Each is called as `name(Command(...), tournament_uid, argument=...)` and gives a Receipt, or raises Forbidden,
CommandReused, Conflict or Refused (tournament/results/faults.py) and stores nothing.

The package offers what `every` lists, and loads it when the first of it is asked for: a file of it can be loaded alone.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournament.actions.every import *
else:

    def __getattr__(name: str) -> object:
        """Offer every action from now on, and give the one of that name."""
        if name == "every":
            raise AttributeError(name)  # a file is imported
        from tournament.actions import every

        globals().update({each: value for each, value in vars(every).items() if not each.startswith("_")})
        if name not in globals():
            raise AttributeError(f"there is no action {name}")
        return globals()[name]
