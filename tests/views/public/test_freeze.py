"""Nothing of what came after a freeze reaches anybody without a role: canaries, looked for wherever a visitor gets to.

Each kind of event is frozen, played on, finished and revealed; at every moment everything that a visitor can open is
opened, in every language: what links lead to, and every other address of the site with the ids of the event.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from scoring import HeatsAnswer, SessionAnswer
from tests.depth import FULL
from tests.support.arriving import token_of
from tests.support.crawler import LANGUAGES, Answer, crawl, guesses
from tests.support.factories import Event, add_stage, event, recorded_heat
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Membership, Play, Screen, Stage, Table
from tournament.queries.visible import shown
from tournament.results.answer import stage_results
from tournament.seating import DrawRecord, Person
from tournament.settings import EXTRAS
from tournament.words.text import average_text, clock_text

pytestmark = pytest.mark.django_db

NO_NUMBER = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|[A-Za-z0-9_-]{43}|<path[^>]*>"
)
LATE = 2233  # seconds, a time that nothing else has: 37:13
READ = LANGUAGES if FULL else LANGUAGES[:1]  # what a visit reads
OUT = 'data-status="disqualified"'
THROUGH = 'data-status="through"'


@dataclass
class Cup:
    """An event of one kind: `stage` is frozen after some play, `play_on` and `finish` come after it."""

    made: Event
    stage: Stage
    play_on: Callable[[], object]
    finish: Callable[[], object]
    screen: UUID = field(default_factory=uuid4)
    # Other canaries: states and names of plays that only play after the freeze gives.
    marks: tuple[str, ...] = ()
    never: dict[str, Answer] = field(default_factory=dict)

    def freeze(self) -> None:
        self.made.act(actions.add_screen, screen=self.screen, name="Wall")
        self.made.act(actions.set_screen, screen=self.screen, scenes=list(Screen.Scene), seconds=9)
        programme = [{"stage": self.stage.uid, "plan": {"minutes": 47}}]
        self.made.act(actions.set_programme, stages=programme)
        self.made.act(actions.publish_programme)
        self.made.act(actions.freeze_standings, stage=self.stage.uid)

    def visit(self, languages: Collection[str] = READ, *, guess: bool = True) -> dict[str, Answer]:
        """Everything that a visitor without account and link can reach; an address that takes nothing but posts, or
        outside of a soak no visitor, is tried once. Without `guess` only what links lead to."""
        rows = Stage.objects.filter(tournament=self.made.tournament)
        tables = Table.objects.filter(stage__in=rows)
        known: dict[str, Iterable[Any]] = {
            "slug": [self.made.tournament.slug],
            "stage": rows.values_list("uid", flat=True),
            "table": tables.values_list("uid", flat=True),
            "play": Play.objects.filter(table__in=tables).values_list("uid", flat=True),
            "entry": self.made.uids,
            "screen": [self.screen],
            "tournament": [self.made.tournament.uid],
            "organiser": [self.made.tournament.organiser.uid],
            "player": [entry.player.uid for entry in self.made.entries],
            "year": [2026],
            "page": [1, 2],
            "ruleset": [self.made.tournament.ruleset],
        }
        starts = [f"/{language}/" for language in languages]
        found = crawl(*starts, f"/j/{self.made.tournament.slug}/", languages=languages)
        if not guess:
            return found
        tried = crawl(*guesses(["en"], **known), follow=False, known=self.never | found)
        self.never |= {address: answer for address, answer in tried.items() if is_never_read(answer)}
        return tried

    def token_pages(self, table: Table) -> list[str]:
        return [
            f"/en/at/{token_for('table', table.uid)}/",
            f"/en/at/{token_for('table', table.uid)}/propose/",
        ]


def is_never_read(answer: Answer) -> bool:
    """Whether an address is only posted to, or leads a visitor to the sign-in."""
    return answer.status == 405 or (not FULL and answer.status == 302 and "/sign-in/" in answer.text)


def hands(seated: list[UUID], winner: UUID, **cards: int) -> dict[str, dict[str, int]]:
    """Everybody but the winner holds these cards, the kinds named as in `c9` for a 9."""
    held = {card.removeprefix("c"): count for card, count in cards.items()}
    return {str(uid): held for uid in seated if uid != winner}


def round_(made: Event, table: Table, winner: int, **cards: int) -> UUID:
    play, seated = uuid4(), made.at(table)
    seated = [uid for uid in seated if not table.seats.filter(entry__uid=uid).exclude(out_as="").exists()]
    number = table.plays.count() + 1
    given = {"winner": seated[winner], "hands": hands(seated, seated[winner], **cards)}
    made.act(actions.record_round, table=table.uid, play=play, number=number, **given)
    return play


def game(made: Event, table: Table, *times: int) -> UUID:
    """A game from paper: out after these seconds, the rest have cards left when the hour is up."""
    play, seated = uuid4(), made.at(table)
    rows: list[dict[str, Any]] = [
        {"entry": uid, "outcome": "out", "elapsed_s": elapsed}
        for uid, elapsed in zip(seated, times, strict=False)
    ]
    rows += [
        {"entry": uid, "outcome": "remaining", "hand": {"7": number}}
        for number, uid in enumerate(seated[len(times) :], 1)
    ]
    number = table.plays.count() + 1
    made.act(actions.record_game, table=table.uid, play=play, number=number, ended="time", results=rows)
    return play


def match_cup() -> Cup:
    """Two tables; after the freeze everything that can change does."""
    made = add_stage(event("mattel-108", 7, name="Cup"), "match", tables=2)
    one, two = made.tables
    first = round_(made, one, 0, c7=1)
    round_(made, two, 0, c7=1)

    def play_on() -> None:
        round_(made, one, 1, wild4=1, c9=1)
        round_(made, one, 1, skip=1, c4=1)
        made.act(
            actions.correct_round,
            play=first,
            version=made.play(first).version,
            reason="misread",
            winner=made.at(one)[2],
            hands=hands(made.at(one), made.at(one)[2], draw2=2, c3=1),
        )
        void = round_(made, two, 1, c8=1)
        made.act(actions.void_play, play=void, version=made.play(void).version, reason="wrong table")
        made.act(actions.remove_player, entry=made.at(two)[2], reason="hits")
        asked = round_(made, two, 1, wild=2, c6=1)
        made.act(actions.ask_second_look_at, play=asked)
        referee = made.referee(Membership.Role.HEAD_REFEREE)
        version = made.play(asked).version
        actions.contest_play(Command(uuid4(), referee), made.tournament.uid, play=asked, version=version)

    def finish() -> None:
        asked = Play.objects.get(table=two, second_look="contested")
        referee = made.referee(Membership.Role.HEAD_REFEREE)
        actions.accept_play(
            Command(uuid4(), referee), made.tournament.uid, play=asked.uid, version=asked.version
        )
        for table in (one, two):
            made.act(actions.stop_match, table=table.uid, reason="late")
        made.act(actions.finish_stage, stage=made.stage.uid)

    return Cup(made, made.stage, play_on, finish, marks=(OUT, 'data-status="void"', "Round 3"))


def session_cup() -> Cup:
    made = add_stage(event("kpgut-2016", 7, name="Cup"), "session", tables=2)
    one, two = made.tables
    first = game(made, one, 100, 200)
    game(made, two, 300)

    def play_on() -> None:
        play = game(made, one, LATE)
        game(made, two, 111)
        made.act(actions.void_play, play=first, version=made.play(first).version, reason="wrong table")
        made.act(actions.remove_player, entry=made.at(two)[2], reason="hits")
        made.act(actions.ask_second_look_at, play=play)
        made.act(actions.start_game, table=one.uid, play=uuid4(), number=3, elapsed_s=60)

    def finish() -> None:
        running = Play.objects.get(table=one, number=3)
        seated = [result.entry.uid for result in running.results.select_related("entry")]
        for number, uid in enumerate(seated[:-1], 1):
            made.act(actions.record_out, play=running.uid, entry=uid, elapsed_s=1000 + number)
        looked = Play.objects.get(table=one, number=2)
        referee = made.referee(Membership.Role.HEAD_REFEREE)
        actions.accept_play(
            Command(uuid4(), referee), made.tournament.uid, play=looked.uid, version=looked.version
        )
        made.act(actions.finish_stage, stage=made.stage.uid)

    return Cup(made, made.stage, play_on, finish, marks=(OUT, 'data-status="void"', "Table 1, game 3"))


def heats_cup() -> Cup:
    """Heats that fill a final, which is played too while the heats are still frozen."""
    made = add_stage(event("tite-2022", 8, name="Cup"), "heats", tables=2)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 250})
    heats = made.stage

    def play_on() -> None:
        recorded_heat(made, made.tables[0])
        made.act(actions.remove_player, entry=made.at(made.tables[1])[3], reason="hits")
        recorded_heat(made, made.tables[1])

    def finish() -> None:
        made.act(actions.finish_stage, stage=heats.uid)
        made.act(actions.fill_stage, stage=final)
        made.act(actions.start_stage, stage=final)
        table = Table.objects.get(stage__uid=final)
        round_(made, table, 1, wild4=3, c9=1)
        made.act(actions.stop_match, table=table.uid, reason="late")
        made.act(actions.finish_stage, stage=final)

    return Cup(made, heats, play_on, finish, marks=(THROUGH, OUT))


CUPS = [match_cup, session_cup, heats_cup]


# ---- canaries ----


def numbers_in(stages: Iterable[Stage], see: Callable[[Stage], Any]) -> set[str]:
    """The numbers of everybody in these stages: totals, averages, points of each game, times."""
    found: set[str] = set()
    for stage in stages:
        for results in see(stage):
            answer = results.answer
            if isinstance(answer, HeatsAnswer):
                continue
            found |= {str(row.points) for row in answer.standings}
            found |= {str(row.points) for each in answer.rounds for row in each.results}
            if isinstance(answer, SessionAnswer):
                found |= {average_text(row.average) for row in answer.standings}
            times = (row.elapsed_s for play in results.contest.plays for row in play.results)
            found |= {clock_text(time) for time in times if time is not None}
    return {each for each in found if len(each) > 2}


def in_every_language(number: str) -> str:
    """A time also in words: 16:41 is 16 min 41 s in a sentence."""
    return re.escape(number).replace(r"\.", "[.,]").replace(":0", ":0?").replace(":", "(?::| min )")


@lru_cache(maxsize=2_000)
def with_numbers(text: str) -> str:
    """A text without what only looks like a number."""
    return NO_NUMBER.sub("", text)


def holds(answer: Answer, canary: str) -> bool:
    if canary.startswith("data-"):
        return canary in answer.text
    text = with_numbers(answer.text)
    return re.search(rf"(?<![\w.,:#-]){in_every_language(canary)}(?![\w-]|[:.,]\d)", text) is not None


def found_in(answers: Mapping[str, Answer], canaries: Iterable[str]) -> list[tuple[str, str]]:
    """List the addresses at which these canaries are found, each with its canary."""
    return [
        (address, each) for each in canaries for address, answer in answers.items() if holds(answer, each)
    ]


def canaries_of(cup: Cup, before: Mapping[str, Answer]) -> list[str]:
    """The numbers of the truth that nobody could have seen anywhere when the standings were frozen."""
    stages = list(Stage.objects.filter(tournament=cup.made.tournament).select_related("tournament"))
    new = numbers_in(stages, stage_results) - numbers_in(stages, lambda stage: shown(stage).results)
    unseen = [each for each in sorted(new) if not found_in(before, [each])]
    return [*unseen, *cup.marks]


# A file names its own time and the ledger's last row; a screen that a game runs, that a table waits for a referee
# and when something was entered last.
NEWS = re.compile(
    r"^\d+ \w{3} \d{4} \d\d:\d\d$|^\d{5}[.]\d+$|^\d{4}-\d\d-\d\dT.*$|^\d+$|^[0-9a-f]{64}$"
    r"|.*screen__changed.*|.*<time.*|.*(scene__none|clocks|data-rows).*|^\s*</?(ol|ul|li).*",
)
# A screen's rows, and where its other blocks begin.
ROWS = re.compile(r"<li\b.*?</li>")
BLOCKS = re.compile(r"(?=<(?:div|h1|h2|header|main|ol|p|section|ul)\b|</(?:ol|ul)>)")


def lines(address: str, answer: Answer) -> list[str]:
    """Give the lines of an answer, without those that change from moment to moment."""
    said = answer.said.splitlines()
    if "/screen/" in address:
        said = BLOCKS.split(ROWS.sub("<li>", " ".join(answer.said.split())))
    if "/screen/" in address or address.endswith((".xlsx", "/data.zip")):
        return [line for line in said if line.strip() and not NEWS.match(line)]
    return said


def changed(one: Mapping[str, Answer], other: Mapping[str, Answer]) -> list[str]:
    """List the addresses whose answers are not as before."""
    known = [address for address in one if address in other]
    assert len(known) > 50
    return [each for each in known if lines(each, one[each]) != lines(each, other[each])]


@pytest.mark.sweep
@pytest.mark.sqlite
@pytest.mark.parametrize("cup_of", CUPS, ids=lambda cup_of: cup_of.__name__)
def test_nothing_of_what_came_after_a_freeze_reaches_a_visitor_until_it_is_revealed(
    cup_of: Callable[[], Cup],
) -> None:
    cup = cup_of()
    made, stage = cup.made, cup.stage
    cup.freeze()
    frozen = cup.visit()
    cup.play_on()
    playing = cup.visit(["en"])
    assert changed(frozen, playing) == []
    assert found_in(playing, canaries_of(cup, frozen)) == []
    cup.finish()
    canaries = canaries_of(cup, frozen)
    assert len(canaries) >= 3
    over = cup.visit()
    assert found_in(over, canaries) == []

    made.act(actions.begin_reveal, stage=stage.uid)
    stage.refresh_from_db()
    hidden, told = middle(cup, canaries)
    revealing = cup.visit(["en"], guess=FULL)
    assert found_in(revealing, hidden) == []
    stage_page = f"/en/t/{made.tournament.slug}/stage/{stage.uid}/"
    assert {each for each in told if not holds(revealing[stage_page], each)} == set()

    while True:
        state = shown(Stage.objects.select_related("tournament").get(pk=stage.pk)).frozen
        if state is None:
            break
        made.act(actions.reveal_next, stage=stage.uid, left=state.left)
    told_all = cup.visit(["en"], guess=FULL)
    sung = {canary for _address, canary in found_in(told_all, canaries)}
    assert set(canaries) - sung == set()
    assert verify(made.refresh().tournament) == []


def middle(cup: Cup, canaries: list[str]) -> tuple[list[str], list[str]]:
    """Reveal half of the steps; the canaries that are hidden still, and those that everybody sees now."""
    stage = Stage.objects.select_related("tournament").get(pk=cup.stage.pk)
    state = shown(stage).frozen
    assert state is not None
    for left in range(state.left, max(state.left // 2, 1), -1):
        cup.made.act(actions.reveal_next, stage=stage.uid, left=left)
    stage.refresh_from_db()
    frozen = shown(stage).frozen
    assert frozen is not None
    assert frozen.unveiled is not None
    told: set[str] = set()
    for each in frozen.unveiled:
        for row in each.standings:
            told.add(average_text(row.average) if hasattr(row, "average") else str(row.points))
            told |= {OUT} if row.status in {"disqualified", "removed"} else set()
        if each.heats:
            told.add(THROUGH)
    known = [each for each in canaries if each in told]
    return [each for each in canaries if each not in told], known


# ---- whoever holds a link ----


@pytest.mark.sweep
@pytest.mark.parametrize("cup_of", CUPS, ids=lambda cup_of: cup_of.__name__)
def test_an_own_link_tells_no_more_than_the_other_pages(cup_of: Callable[[], Cup]) -> None:
    cup = cup_of()
    cup.freeze()
    tokens = [token_of(uid) for uid in cup.made.uids]
    leave = [f"/en/p/{token}/leave/" for token in tokens]  # says how often its reader has played
    pages = [f"/en/p/{token}/{more}" for token in tokens for more in ("", "data/")]
    pages += [f"/p/{token}/" for token in tokens]
    frozen = crawl(*pages, *leave, follow=False)
    cup.play_on()
    removed = next(entry for entry in cup.made.refresh().entries if entry.state == "disqualified")
    others = [page for page in pages if token_of(removed.uid) not in page]
    playing = crawl(*others, follow=False)
    assert [page for page in others if playing[page].said != frozen[page].said] == []
    cup.finish()
    canaries = [each for each in canaries_of(cup, frozen) if each != OUT]
    assert found_in(crawl(*pages, *leave, follow=False), canaries) == []


def test_a_later_stages_page_names_nobody_until_the_earlier_one_is_revealed() -> None:
    cup = heats_cup()
    made = cup.made
    cup.freeze()
    cup.play_on()
    cup.finish()
    final = Stage.objects.get(tournament=made.tournament, number=2)
    page = f"/en/t/{made.tournament.slug}/stage/{final.uid}/"

    def named() -> list[str]:
        text = crawl(page, follow=False)[page].text
        return [entry.public_name for entry in made.entries if entry.public_name in text]

    assert named() == []
    made.act(actions.lift_freeze, stage=cup.stage.uid)
    assert len(named()) == 2


def test_an_own_page_tells_no_seat_that_tells_who_went_through() -> None:
    cup = heats_cup()
    made = cup.made
    cup.freeze()
    cup.play_on()
    made.act(actions.finish_stage, stage=cup.stage.uid)
    final = Stage.objects.get(tournament=made.tournament, number=2)
    made.act(actions.fill_stage, stage=final.uid)
    finalist = made.at(Table.objects.get(stage=final))[0]
    page, leave = (f"/en/p/{token_of(finalist)}/{more}" for more in ("", "leave/"))

    def told() -> tuple[bool, bool]:
        opened = crawl(page, leave, follow=False)
        return "Table 1, seat 1" in opened[page].text, "went through" in opened[leave].text

    assert told() == (False, False)
    made.act(actions.lift_freeze, stage=cup.stage.uid)
    assert told() == (True, True)


def test_a_session_drawn_anew_while_frozen_tells_players_where_they_sit() -> None:
    cup = session_cup()
    made = cup.made
    cup.freeze()
    one, two = (made.at(table) for table in made.tables)
    swapped = [{"number": 1, "entries": two}, {"number": 2, "entries": one}]
    made.act(actions.seat_stage, stage=cup.stage.uid, tables=swapped)
    page = f"/en/p/{token_of(one[1])}/"
    assert "Table 2, seat 2" in crawl(page, follow=False)[page].text


@pytest.mark.parametrize("cup_of", CUPS[:2], ids=lambda cup_of: cup_of.__name__)
def test_a_tables_code_tells_of_that_table_alone_and_no_standings(cup_of: Callable[[], Cup]) -> None:
    cup = cup_of()
    made = cup.made
    cup.freeze()
    one, two = made.tables
    cup.play_on()
    stages = [Stage.objects.select_related("tournament").get(pk=cup.stage.pk)]
    totals: set[str] = set()
    for results in stage_results(stages[0]):
        for row in results.answer.standings:
            totals.add(average_text(row.average) if hasattr(row, "average") else str(row.points))
    rounds = {
        str(row.points)
        for results in stage_results(stages[0])
        for each in results.answer.rounds
        for row in each.results
        if hasattr(row, "points")
    }
    standings = {each for each in totals - rounds if len(each) > 2}
    assert standings
    for table, other in ((one, two), (two, one)):
        pages = crawl(*cup.token_pages(table), follow=False)
        assert all(answer.status < 400 for answer in pages.values())
        assert found_in(pages, standings) == []
        names = {entry.public_name for entry in made.entries if entry.uid in set(made.at(other))}
        assert [(name, page) for name in names for page in pages if name in pages[page].text] == []


def test_the_code_of_a_later_tables_tells_nobody_who_went_through_before_it_is_played() -> None:
    cup = heats_cup()
    made = cup.made
    cup.freeze()
    cup.play_on()
    made.act(actions.finish_stage, stage=cup.stage.uid)
    final = Stage.objects.get(tournament=made.tournament, number=2)
    made.act(actions.fill_stage, stage=final.uid)
    table = Table.objects.get(stage=final)
    [page, _propose] = cup.token_pages(table)

    def named() -> bool:
        text = crawl(page, follow=False)[page].text
        return any(entry.public_name in text for entry in made.entries)

    assert not named()
    made.act(actions.start_stage, stage=final.uid)
    assert named()


# ---- the truth, for those who run the event ----


@pytest.mark.parametrize("role", ["table", "head", "organiser"])
def test_referees_see_the_truth(role: str, client: Client) -> None:
    cup = match_cup()
    made = cup.made
    cup.freeze()
    cup.play_on()
    user = {
        "table": lambda: made.referee(Membership.Role.TABLE_REFEREE, made.table),
        "head": lambda: made.referee(Membership.Role.HEAD_REFEREE),
        "organiser": lambda: made.user,
    }[role]()
    client.force_login(user)
    stage = Stage.objects.select_related("tournament").get(pk=cup.stage.pk)
    best = stage_results(stage)[0].answer.standings[0]
    assert str(best.points) in client.get(f"/en/desk/table/{made.table.uid}/").content.decode()
    if role == "organiser":
        assert str(best.points) in client.get(f"/en/organise/stage/{stage.uid}/").content.decode()


@pytest.mark.parametrize(
    "file", ["results.xlsx", *(["data.xlsx", "data.zip"] if "workbook" in EXTRAS else [])]
)
@pytest.mark.parametrize(
    ("role", "everything"), [("", False), ("table", False), ("head", True), ("staff", True)]
)
@pytest.mark.sweep
def test_files_hold_what_their_reader_may_see(
    role: str, *, everything: bool, file: str, client: Client
) -> None:
    cup = match_cup()
    made = cup.made
    cup.freeze()
    book = f"/en/t/{made.tournament.slug}/{file}"
    before = crawl(book, follow=False)
    cup.play_on()
    stage = Stage.objects.select_related("tournament").get(pk=cup.stage.pk)
    canaries = numbers_in([stage], stage_results) - numbers_in([stage], lambda each: shown(each).results)
    canaries = {each for each in canaries if not found_in(before, [each])}
    assert canaries
    if role == "staff":
        client.force_login(made.user)
    elif role:
        name = {"table": Membership.Role.TABLE_REFEREE, "head": Membership.Role.HEAD_REFEREE}[role]
        client.force_login(made.referee(name))
    opened = crawl(book, client=client, follow=False)
    found = {canary for _address, canary in found_in(opened, canaries)}
    assert found == (canaries if everything else set())
    assert ("frozen" in opened[book].text.lower()) is not everything


# ---- what is published ----


def test_draws_are_not_told_while_frozen() -> None:
    made = add_stage(event("kpgut-2016", 4), "session")
    record = DrawRecord.of([Person(uid, number) for number, uid in enumerate(made.uids, 1)], [4], "2468")
    tables = [{"number": 1, "entries": [UUID(uid) for uid in record.seats()[1]]}]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=tables, draw=record.as_json())
    pages = [f"/en/t/{made.tournament.slug}/stage/{made.stage.uid}/{more}" for more in ("", "draw.json")]

    def told() -> list[bool]:
        return ["2468" in answer.text for answer in crawl(*pages, follow=False).values()]

    assert told() == [True, True]
    made.act(actions.freeze_standings, stage=made.stage.uid)
    assert told() == [False, False]
    assert crawl(*pages, follow=False)[pages[1]].status == 404


def test_an_old_copy_is_not_confirmed_and_a_new_one_holds_what_was_frozen(client: Client) -> None:
    cup = match_cup()
    made = cup.made
    page = f"/en/t/{made.tournament.slug}/stage/{cup.stage.uid}/"
    before = client.get(page)
    cup.freeze()
    frozen = client.get(page, headers={"if-none-match": before["ETag"]})
    assert frozen.status_code == 200
    assert "The standings are frozen as of" in frozen.content.decode()
    cup.play_on()
    after = client.get(page, headers={"if-none-match": frozen["ETag"]})
    assert re.sub(rb'data-version="\d+"', b"", after.content) == re.sub(
        rb'data-version="\d+"', b"", frozen.content
    )
    made.act(actions.lift_freeze, stage=cup.stage.uid)
    lifted = client.get(page, headers={"if-none-match": after["ETag"]})
    assert lifted.status_code == 200
    assert "frozen" not in lifted.content.decode()
