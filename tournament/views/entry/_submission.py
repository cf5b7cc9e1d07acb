"""A form of the desk as somebody's device sent it: posted from its page, or one of many from the outbox.

Both ways end in the same function of the form's kind, `attempt_...`, which reads the form and calls one action. What
such a form says is digested as it was typed: the arguments that follow from it may differ from one sending to the next
(how long ago was the tap?), and the same form is still the same command.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, QueryDict

from tournament.actions import Command, Receipt
from tournament.forms.reading import Typed, uuid_or_none
from tournament.ledger.chain import content_digest
from tournament.models import User
from tournament.results.faults import Fault
from tournament.views._access import device_of, user_of
from tournament.views._answer import Attempt, attempt_call, refused

NOT_SAID = {"command", "csrfmiddlewaretoken", "step"}


@dataclass(frozen=True)
class Sent:
    """A form and who sends it; `late_s` is how many seconds it waited on the device."""

    user: User
    device: str
    data: QueryDict
    late_s: int = 0

    @classmethod
    def by(cls, request: HttpRequest) -> "Sent":
        """The form that was posted from its page."""
        return cls(user_of(request), device_of(request), request.POST)

    @property
    def fields(self) -> dict[str, str]:
        """The last value of each field."""
        return {name: str(value) for name, value in self.data.items()}

    def typed(self) -> Typed:
        return Typed(self.fields)

    def attempt(
        self,
        action: Callable[..., Receipt],
        tournament: UUID,
        *,
        typed: Typed | None = None,
        **arguments: Any,
    ) -> Attempt:
        """Call an action with the form's command and these arguments, and say what became of it."""
        uid = uuid_or_none(self.data.get("command", ""))
        faults = [*(typed.faults if typed else ()), *(() if uid else [Fault("malformed", "/command")])]
        if uid is None or faults:
            return refused(*faults)
        about = arguments.get("table") or arguments.get("proposal") or arguments.get("play")
        content = self.content(action.__name__, tournament, about)
        return attempt_call(
            lambda: action(Command(uid, self.user, self.device, content), tournament, **arguments)
        )

    def content(self, action: str, tournament: UUID, about: UUID | None) -> str:
        """The digest of what the form says; `about` is the table, play or proposal that its address names."""
        said = {
            name: [value for value in values if value]
            for name, values in self.data.lists()
            if name not in NOT_SAID and any(values)
        }
        return content_digest({"about": about, "action": action, "form": said, "tournament": tournament})
