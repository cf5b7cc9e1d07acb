"""Samples: a referee's entries, and where each of them is stored."""

import re
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from rulesets import RULESETS
from scoring import cards_available
from tests.styleguide.samples import LONG, NAMES, Done, Part, Sample, focused, opened
from tournament.pages.components import Heat, HeatPlayer, card_pad
from tournament.results import hand_field

RULES = RULESETS["mattel-112"]
CARDS = cards_available(RULES, 1)
PLAYERS = [(f"p{number}", name) for number, name in enumerate((*NAMES[:2], LONG), start=1)]
EVENT_ROW = SimpleNamespace(uid=UUID(int=1), time_zone="Europe/Helsinki")

_TYPED = {hand_field("p1", "7"): 2, hand_field("p1", "wild4"): 1, hand_field("p2", "3"): 1}


def _pad(state: str, **more: Any) -> Sample:
    pad = card_pad(PLAYERS, ruleset=RULES, copies=CARDS, **more)
    return Sample(state=state, context={"pad": pad}, form=True)


def _heat(state: str, order: tuple[int | None, ...], **more: Any) -> Sample:
    players = [
        HeatPlayer(key=f"h{number}", name=name, order=at)
        for number, (name, at) in enumerate(zip((*NAMES, LONG), order, strict=True))
    ]
    return Sample(state=state, context={"heat": Heat(players=players, advance=2, **more)}, form=True)


ENTRY = [
    Part(
        "card_pad",
        "A hand of cards left: a tap adds one.",
        [
            _pad("who went out?", winners=True),
            _pad("hands", winners=True, winner="p3", typed=_TYPED),
            _pad("error", errors={"p1": "There are only 8 of Draw Two."}, typed=_TYPED),
        ],
    ),
    Part(
        "heat",
        "Names in the order they go out.",
        [
            _heat("nobody is out", (None,) * 5),
            _heat("one is out", (None, 1, None, None, None)),
            _heat("enough are through", (2, 1, None, None, None)),
            _heat("error", (1, 1, None, None, None), error="Two players are first."),
        ],
    ),
    Part(
        "keyboard",
        "The keys that count a round.",
        [
            Sample(state="closed", context={"rules": {"ruleset": RULES, "available": CARDS}}),
            Sample(state="open", context={"rules": {"ruleset": RULES, "available": CARDS}}, done=opened),
        ],
    ),
]


def _line(*said: tuple[str, str]) -> Done:
    """Fill in the line of js/outbox/line.js about this phone's entries: kinds, and names of the fragment's own
    words."""

    def done(html: str) -> str:
        parts = ""
        for kind, name in said:
            found = re.search(rf'data-word-{name}="([^"]*)"', html)
            assert found
            words = found[1].replace("{n}", "3").replace("{time}", "12:41:07").replace("{name}", NAMES[1])
            parts += f'<span class="outbox__part outbox__part--{kind}">{words}</span>'
        return html.replace(" data-outbox-line hidden>", f" data-outbox-line>{parts}")

    return done


PHONE = [
    Part(
        "outbox",
        "What of this phone's entries is where.",
        [
            Sample(state=state, context={"tournament": EVENT_ROW, "quiet": True}, done=_line(*said))
            for state, said in (
                ("connected", (("on", "connected"), ("saved", "saved"))),
                ("sending", (("on", "connected"), ("waiting", "sending"))),
                ("offline", (("lost", "offline"), ("waiting", "waiting"), ("waiting", "hand-over"))),
                ("to be decided", (("on", "connected"), ("problem", "problems"))),
                ("somebody else’s", (("off", "connecting"), ("problem", "others-of"))),
                ("signed out", (("problem", "sign-in"),)),
            )
        ],
    ),
    Part(
        "hand_over",
        "What waits here, as codes for another referee’s phone.",
        [Sample(state="open", done=opened)],
    ),
    Part(
        "account",
        "Who is signed in, and the way out.",
        [
            Sample(state="closed"),
            Sample(state="open", done=opened, inside="guide__tall"),
            Sample(state="focus", done=focused),
        ],
    ),
    Part(
        "rehearsal",
        "Above every page about an event that is not official.",
        [Sample(state="normal")],
    ),
]
