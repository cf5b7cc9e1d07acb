"""Every action, done and refused: through the interface where it is offered there, else called as its page calls it."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from inspect import isfunction
from typing import Any
from uuid import uuid4

from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from tests.support.recording import fixed, found, others
from tests.support.recording.kept import Record
from tests.support.recording.texts import text_of, text_of_rows
from tournament import actions
from tournament.actions import every
from tournament.models import LedgerRow

REFUSAL = re.compile(r"4\d\d\b|\w+: ")  # an answer's status, or a fault
SERIAL = {"id", "tournament_id", "actor_id"}


def sequence_now() -> int:
    return LedgerRow.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def rows_since(pk: int) -> str:
    """The ledger's rows after this one, with the digest of what was asked for."""
    return text_of_rows(_rows_since(pk))


def _rows_since(pk: int) -> list[dict[str, Any]]:
    rows = list(LedgerRow.objects.filter(pk__gt=pk).order_by("pk").values())
    return [{name: value for name, value in row.items() if name not in SERIAL} for row in rows]


@contextmanager
def taken_back() -> Iterator[None]:
    """Undo all that is done inside, also in what the process remembers."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)
    found.forget()
    cache.clear()


class Acts:
    """Records actions, and which of them were accepted and refused."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._client = Client()
        self.accepted: set[str] = set()
        self.refused: set[str] = set()
        self._sending = found.module(r"def send\(\n    client: Client")

    def through_interface(self, name: str, make: Callable[[], Any]) -> None:
        """Record a case: without its arguments, by a stranger, by the organiser, a second time, and undone."""
        with taken_back():
            begin(f"act {name}")
            made, action, arguments = make()
            if action not in self._sending.BY_ACTION or "draw" in arguments:
                self.called(name, "called", (made, action, arguments))
                return
            stranger = found.module(r"class UserFactory\(").UserFactory()
            needed = {key: value for key, value in arguments.items() if self._in_address(action, key)}
            with taken_back():
                self._sent(name, "nothing", made, action, needed)
            with taken_back():
                self._sent(name, "stranger", made, action, arguments, user=stranger)
            key, before = uuid4(), sequence_now()
            self._sent(name, "accepted", made, action, arguments, key=key)
            self._sent(name, "again", made, action, arguments, key=key)
            for row in _rows_since(before)[:1]:
                undone = {"row": row["sequence"], "reason": "why"}
                self._sent(name, "undone", made, "undo", undone)
            self._keep(name, "verify", commanded("verify", made.tournament.slug))

    def _in_address(self, action: str, argument: str) -> bool:
        return f":{argument}>" in self._sending.BY_ACTION[action].path or argument == "version"

    def _sent(
        self, name: str, how: str, made: Any, action: str, arguments: dict[str, Any], **more: Any
    ) -> None:
        cache.clear()
        with transaction.atomic():
            before = sequence_now()
            answer = self._sending.send(self._client, made, action, arguments, **more)
            self._count(action, before)
            self._keep(name, how, f"{text_of(answer)}\n{rows_since(before)}")
        found.forget()
        fixed.tick()

    def _count(self, action: str, before: int) -> None:
        rows = {row["action"] for row in _rows_since(before)}
        self.accepted |= rows
        if not rows:
            self.refused.add(action)

    def whole(self, action: str, how: str, make: Callable[[], str]) -> None:
        """Record a case that answers by itself; its rows in the ledger may have other names."""
        before = sequence_now()
        text = _outcome(make)
        (self.refused if REFUSAL.match(text) else self.accepted).add(action)
        self._keep(action, how, f"{text}\n{rows_since(before)}")

    def called(self, name: str, how: str, case: tuple[Any, str, dict[str, Any]]) -> None:
        """Call an action as its page calls it: by the holder of the link, else by the organiser."""
        made, action, arguments = case
        by_link = "token" in arguments or action == "register"
        arriving = found.module(r"def by_link\(")
        before = sequence_now()

        def call() -> str:
            function = getattr(actions, action)
            return repr(
                arriving.by_link(made, function, **arguments) if by_link else made.act(function, **arguments)
            )

        text = _outcome(call)
        self._count(action, before)
        self._keep(name, how, f"{text}\n{rows_since(before)}")

    def _keep(self, name: str, how: str, text: str) -> None:
        self._record.keep(f"act {name.partition('__')[0]}", f"{name} | {how}", text)


def _outcome(call: Callable[[], str]) -> str:
    try:
        with transaction.atomic():
            return call()
    except Exception as error:
        faults = getattr(error, "faults", None)
        return f"{type(error).__name__}: {error if faults is None else faults!r}"


def begin(seed: str) -> None:
    """Begin a case: the same moment, the same seed, the same numbers of people and clubs."""
    fixed.begin(seed)
    factories = found.module(r"class UserFactory\(")
    for factory in (factories.UserFactory, factories.OrganiserFactory):
        factory.reset_sequence(0, force=True)


def commanded(*arguments: str) -> str:
    """Run a command of manage.py and give its output, and how it ends."""
    from io import StringIO

    from django.core.management import CommandError

    printed = StringIO()
    try:
        call_command(*arguments, stdout=printed)
    except CommandError as error:
        printed.write(f"{error} ({error.returncode})\n")
    return printed.getvalue()


def record_actions(record: Record) -> list[str]:
    """Record every action; give those that were never accepted or never refused."""
    acts = Acts(record)
    cases = found.module(r"def test_command_does_what_the_page_does\(").CASES
    for name in sorted(cases):
        acts.through_interface(name, cases[name])
    foreign = found.module(r"def test_no_action_takes_a_row_of_another_event\(")
    with taken_back():
        begin("act rows")
        own, theirs = foreign.rows(), foreign.rows()
        for action in sorted(foreign.CALLS):
            for how, arguments in _calls(foreign, action, own, theirs):
                with taken_back():
                    begin(f"act {action} {how}")
                    acts.called(action, how, (own.made, action, arguments()))
    for action, how, make in others.cases():
        with taken_back():
            begin(f"act {action} {how}")
            acts.whole(action, how, make)
    actions_there = {name for name, each in vars(every).items() if isfunction(each)}
    for action in sorted(actions_there):
        told = f"accepted {action in acts.accepted}, refused {action in acts.refused}"
        record.keep("act coverage", action, told)
    return [
        *(f"{name} accepted" for name in sorted(actions_there - acts.accepted)),
        *(f"{name} refused" for name in sorted(actions_there - acts.refused)),
    ]


def _calls(
    foreign: Any, action: str, own: Any, theirs: Any
) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """The arguments of one event, then with each row of another event in its place."""
    call: Callable[[Any], dict[str, Any]] = foreign.CALLS[action]

    def with_theirs(argument: str) -> dict[str, Any]:
        return call(own) | {argument: call(theirs)[argument]}

    yield "own rows", lambda: call(own)
    for argument in call(own):
        yield f"foreign {argument}", partial(with_theirs, argument)
