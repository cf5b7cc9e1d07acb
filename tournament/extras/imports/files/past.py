"""Reads lists as results of events played without Lastcard. Columns are `Question`s; cells that cannot be parsed go
into the note."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from tournament.extras.imports.files.columns import CLUB, folded
from tournament.extras.imports.files.lists import ListRead
from tournament.extras.imports.files.problems import Problem
from tournament.extras.imports.files.rows import TOTAL, ListRow
from tournament.queries.registration import TEXT, Question
from tournament.results import grouped

PLACE, POINTS, AVERAGE, GAMES, WINS, NOTE, HEAT = (
    "place",
    "points",
    "average",
    "games",
    "wins",
    "note",
    "heat",
)
# Synonyms separated by " | "; the first is displayed.
HEADINGS: Mapping[str, Mapping[str, str]] = {
    PLACE: {
        "en": "Place | Rank | Ranking | Position | Pos | Final place",
        "fi": "Sijoitus | Sija | Sij | Lopullinen sijoitus",
        "sv": "Placering | Plats | Plac",
    },
    POINTS: {
        "en": "Points | Pts | Score | Total | Total points",
        "fi": "Pisteet | Pist | Pistemäärä | Yhteensä | Yht | Pisteet yhteensä | Yhteispisteet",
        "sv": "Poäng | Totalt | Summa | Poängsumma | Totalpoäng",
    },
    AVERAGE: {
        "en": "Average | Avg | Mean | Points per game | Points a game",
        "fi": "Keskiarvo | Ka | Pistettä per peli | Pisteet/peli",
        "sv": "Medelvärde | Medeltal | Snitt | Poäng per spel",
    },
    GAMES: {
        "en": "Games | Games played | Played | Rounds | GP",
        "fi": "Pelit | Pelejä | Pelatut | Pelatut pelit | Kierrokset | Kierroksia",
        "sv": "Spel | Spelade | Partier | Ronder | Rundor",
    },
    WINS: {
        "en": "Won | Wins | Games won | Rounds won",
        "fi": "Voitot | Voittoja | Voitetut | Voitetut pelit | Voitetut kierrokset",
        "sv": "Vunna | Vinster | Segrar | Vunna spel",
    },
    HEAT: {
        "en": "Heat | Table | Stage | Reached",
        "fi": "Erä | Alkuerä | Pöytä | Vaihe",
        "sv": "Heat | Bord | Omgång",
    },
    NOTE: {
        "en": "Note | Notes | Remark | Remarks | Comment",
        "fi": "Huomautus | Huom | Huomio | Lisätieto | Lisätiedot | Kommentti",
        "sv": "Anmärkning | Anm | Kommentar",
    },
}
RESULT_COLUMNS = [
    Question(
        column,
        TEXT,
        False,
        {language: words.partition(" |")[0] for language, words in headings.items()}
        | {word: word for words in headings.values() for word in words.split(" | ")},
        (),
        "en",
    )
    for column, headings in HEADINGS.items()
]
_NOTHING = {"", "-", "–", "—"}
_WHOLE = re.compile(r"(\d{1,4})(?:[.,]0+|st|nd|rd|th|:?[ae])?[.)]?", re.ASCII | re.IGNORECASE)
_TIED = re.compile(r"^[=T]\s*|\s*=$|\.?\s*[-–—/]\s*\d{1,4}\.?$", re.IGNORECASE)  # marks of a shared place
_AMOUNT = re.compile(
    r"([-+]?\d[\d ]{0,8})(?:[.,](\d{1,20}))?\s*(?:p|pts?|points?|pist\w*|poäng)?\.?", re.ASCII | re.IGNORECASE
)


def result_of(said: Mapping[str, str]) -> dict[str, Any]:
    """Fields of a `PastResult` from {column: cell}; "3–5" is place 3."""
    cells = {column: "" if said.get(column, "") in _NOTHING else said[column] for column in HEADINGS}
    read: dict[str, Any] = {}
    for column in (POINTS, AVERAGE):
        found = _AMOUNT.fullmatch(cells[column])
        number = Decimal(f"{found[1].replace(' ', '')}.{found[2] or 0}") if found else None
        read[column] = "" if number is None else f"{round(number, 4).normalize():f}"
    read |= {column: _whole(cells[column]) for column in (GAMES, WINS)}
    read[PLACE] = _whole(cells[PLACE]) or None
    unread = [cells[column] for column, value in read.items() if value in {None, ""}]
    read[PLACE] = read[PLACE] or _whole(_TIED.sub("", cells[PLACE])) or None
    heat = _("Heat %(table)s") % {"table": cells[HEAT]} if cells[HEAT].isdecimal() else cells[HEAT]
    return read | {NOTE: ", ".join(dict.fromkeys(filter(None, [*unread, heat, cells[NOTE]])))}


def _whole(text: str) -> int | None:
    return int(found[1]) if (found := _WHOLE.fullmatch(text)) else None


def as_results(read: ListRead, *, alike: bool = True) -> ListRead:
    """Omits total rows and marks those without results; `alike` unifies club spellings."""
    totals = [
        row.number
        for row in read.rows
        if any(TOTAL.fullmatch(text) for text in ([row.name] if row.name else row.texts.values()))
    ]
    rows = [row for row in read.rows if row.number not in totals]
    clubs = spellings(rows) if alike else {}
    left_out = Problem("totals_left_out", parameters={"rows": ", ".join(map(str, totals))})
    return replace(
        read,
        rows=tuple(
            replace(
                row,
                club=clubs.get(row.club, row.club),
                problems=(
                    *row.problems,
                    *([] if any(row.answers.values()) else [Problem("no_result", row.number)]),
                ),
            )
            for row in rows
        ),
        problems=(*read.problems, *([left_out] if totals else [])),
        refusal=read.refusal or (None if rows else Problem("no_rows")),
    )


def spellings(rows: Iterable[ListRow]) -> dict[str, str]:
    """Rarer spellings of clubs: {spelling: most frequent one}."""
    written = Counter(club for row in rows if (club := row.texts.get(CLUB)))
    groups = grouped((folded(club), club) for club in written).values()
    best = [(club, max(group, key=written.__getitem__)) for group in groups for club in group]
    return {club: usual for club, usual in best if club != usual}
