"""Evenings of one organiser, played through the actions: the same names are the same players.

club = Club()
may = club.session("Aino", "Börje", "Cécile", games=[[600, 900], [300, 1200, None]])
"""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from tests.support.arriving import opened
from tests.support.factories import Event, add_stage, event, recorded_heat, recorded_round
from tournament import actions
from tournament.models import Entry, Organiser, Player, Stage, User


class Club:
    """An organiser whose events follow each other."""

    def __init__(self) -> None:
        self.user: User | None = None
        self.players: dict[str, UUID] = {}
        self.organiser: Organiser

    @property
    def address(self) -> str:
        """The tour's address."""
        return f"/en/o/{self.organiser.uid}/"

    def player(self, name: str) -> str:
        """A player as answers name them: by the uid as text."""
        return str(self.players[name])

    def event(self, ruleset: str, *names: str, on: date = date(2026, 5, 9), **more: Any) -> Event:
        """An event with these players; those of earlier ones are recognised."""
        if self.user is not None:
            more = {"user": self.user, "organiser": self.organiser.uid, "organiser_name": "", **more}
        made = opened(event(ruleset, starts_on=on, **more))
        self.user, self.organiser = made.user, made.tournament.organiser
        rows = [{"entry": uuid4(), "name": name, "player": self.players.get(name)} for name in names]
        if rows:
            made.act(actions.enter_players, players=rows)
        made.entries = list(Entry.objects.filter(tournament=made.tournament))
        self.players |= dict(
            Player.objects.filter(entries__tournament=made.tournament).values_list(
                "entries__public_name", "uid"
            )
        )
        return made

    def session(
        self, *names: str, games: Sequence[Sequence[int | None]], finish: bool = True, **more: Any
    ) -> Event:
        """A KPGUT session. A game is the seconds at which the players went out, in their order: the one who has 0 is
        its last, and one who has None was not in it."""
        made = add_stage(self.event("kpgut-2016", *names, **more), "session")
        for game in games:
            add_game(made, game)
        return over(made) if finish else made

    def match(self, *names: str, finish: bool = True, **more: Any) -> Event:
        """A Mattel match that was stopped after one round, which the first won; the others are level."""
        made = add_stage(self.event("mattel-108", *names, **more), "match")
        recorded_round(made)
        made.act(actions.stop_match, table=made.table.uid, reason="It is late.")
        return over(made) if finish else made

    def heats(self, *names: str, tables: int = 1, finish: bool = True, **more: Any) -> Event:
        """TiTe heats; the player who sits first at a table goes through."""
        made = add_stage(self.event("tite-2022", *names, **more), "heats", tables=tables)
        for table in made.tables:
            recorded_heat(made, table)
        return over(made) if finish else made


def add_game(made: Event, game: Sequence[int | None]) -> None:
    results = [
        {"entry": uid, "outcome": "out", "elapsed_s": second} if second else {"entry": uid, "outcome": "last"}
        for uid, second in zip(made.uids, game, strict=True)
        if second is not None
    ]
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=uuid4(),
        number=made.table.plays.count() + 1,
        ended="last",
        results=results,
    )


def over(made: Event) -> Event:
    made.act(actions.finish_stage, stage=made.stage.uid)
    return made.refresh()


def final(made: Event, *, finish: bool = True) -> Event:
    """A final of those who went through the heats, won by the first of them."""
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind="final", settings={"target": 250})
    made.act(actions.fill_stage, stage=stage)
    made.act(actions.start_stage, stage=stage)
    made.stage = Stage.objects.get(uid=stage)
    made.refresh()
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid, reason="It is late.")
    return over(made) if finish else made
