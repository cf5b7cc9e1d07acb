# ruff: noqa: F403 - what is imported here is what the package offers
# mypy: implicit-reexport
"""The only code that writes a tournament's facts: one transaction and one ledger row per action.

`name(Command(...), tournament_uid, argument=...)` returns a Receipt, or raises (results/faults.py) and stores nothing.
"Refused `code`" means: raises Refused with this code. Not repeated at each action: `unknown_<row>` for a uid that the
event does not have, `missing_reason` for an empty required `reason`, `malformed` for a value of the wrong type,
`field_...` for a text or number that its field refuses.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournament.actions.every import *
else:

    def __getattr__(name: str) -> object:
        if name == "every":
            raise AttributeError(name)  # import the submodule
        from tournament.actions import every

        globals().update({each: value for each, value in vars(every).items() if not each.startswith("_")})
        if name not in globals():
            raise AttributeError(f"there is no action {name}")
        return globals()[name]
