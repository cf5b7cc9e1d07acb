"""`manage.py score FILE`: tournament/management/score.py."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournament.management.score import HELP, CannotScore, add_arguments, answer


class Command(BaseCommand):
    help = HELP
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser)

    def handle(self, *_args: Any, file: str, lines: bool, **_options: Any) -> None:
        try:
            if code := answer(file, lines=lines):
                sys.exit(code)
        except CannotScore as failed:
            raise CommandError(str(failed)) from failed
