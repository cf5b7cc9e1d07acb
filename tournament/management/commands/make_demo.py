"""`manage.py make_demo`: demo events."""

from typing import Any

from tournament.management.base import DataCommand
from tournament.practice.demo import make_demo, sign_in_words


class Command(DataCommand):
    help = "Create five demo events and a referee to sign in as; existing ones stay unchanged."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write("The demo events are ready." if make_demo() else "The demo events already exist.")
        if words := sign_in_words():
            self.stdout.write(words)
