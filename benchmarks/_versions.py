"""Prints how many milliseconds of the processor a look at every version takes, with one event and with a thousand more.

For two_servers.py, on the database that the environment names.
"""

import time
from datetime import date

import django

django.setup()

from tournament.models import Organiser, Stage, Tournament
from tournament.queries.live import read_versions

EVENTS, STAGES, LOOKS = 1000, 3, 20


def cost() -> float:
    read_versions()
    began = time.process_time()
    for _ in range(LOOKS):
        read_versions()
    return (time.process_time() - began) / LOOKS * 1000


def add_events() -> None:
    club = Organiser.objects.create(name="Club")
    events = [
        Tournament(
            name="E",
            slug=f"e{number}",
            starts_on=date(2026, 1, 1),
            ruleset="kpgut-2016",
            organiser=club,
            version=9,
        )
        for number in range(EVENTS)
    ]
    Tournament.objects.bulk_create(events)
    Stage.objects.bulk_create(
        Stage(tournament=event, kind="session", number=number)
        for event in events
        for number in range(1, STAGES + 1)
    )


if __name__ == "__main__":
    few = cost()
    add_events()
    print(few, cost())
