"""A sample of the styleguide: one fragment with sample values, in one of its states, drawn in light and in dark.

The styleguide shows every fragment of templates/components in all its states to those who build pages. It is off by
default.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import SafeString

LONG = "Maximiliana-Aleksandra Konstantinopolitanska-Hohenlohe-Bartenstein"
ONE_WORD = "Lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilas"
NAMES = ("Aino Lindqvist", "Çağla Öztürk", "Jyri Mäkelä", "Åsa Ström")
CLUB = "Tietokerho"
EVENT = "Lastcard Open"


# A change that a browser or a script makes to a rendered fragment.
Done = Callable[[str], str]

# Fragments of which many stand in a row; and those with dark below light, since they depend on the window's width.
NARROW = frozenset({"mark", "place", "movement", "status", "live", "receipt", "icon", "messages"})
WIDE = frozenset({"card_pad", "action_bar", "heat"})

_CONTROL = re.compile(r"<(a|button|input|select|textarea|summary)\b(?![^>]*type=\"hidden\")")
_ID = re.compile(r'\b(id|for|form|aria-labelledby|aria-describedby)="([^"]+)"')
_LINK = re.compile(r'(<a\b[^>]*\shref="#[^"]+)"')


def focused(html: str) -> str:
    """Focus the first control, as by keyboard."""
    return _CONTROL.sub(r"<\1 data-focused", html, count=1)


def disabled(html: str) -> str:
    """Disable every button."""
    return html.replace("<button", "<button disabled").replace("<input", "<input disabled")


def busy(html: str) -> str:
    """Show the form while it is being sent (js/app.js): its button says so, if it has a word for that."""
    held = html.replace("<button", '<button disabled aria-busy="true"')
    return re.sub(r'(data-busy="([^"]*)"[^>]*>)[^<]*', r"\1\2", held)


def opened(html: str) -> str:
    """Open every fold and every dialog."""
    return html.replace("<details", "<details open").replace("<dialog", "<dialog open")


def taken_out(html: str) -> str:
    """Take out a template's content, as a script puts it into the page."""
    return re.sub(r"</?template\b[^>]*>", "", html)


@dataclass(frozen=True, kw_only=True)
class Sample:
    """`state` names it; `context` is the fragment's context; `inside` are classes of the elements around it; `form`: it
    stands in a form; `as_source`: it is shown as source, since nothing of it is visible."""

    state: str
    context: Mapping[str, Any] = field(default_factory=dict)
    done: Done = str
    inside: str = ""
    form: bool = False
    as_source: bool = False


@dataclass(frozen=True)
class Part:
    """One component: the fragment's name without its folder, its purpose, its samples."""

    name: str
    purpose: str
    samples: Sequence[Sample]

    @property
    def size(self) -> str:
        """The layout of its samples, "" for one pair a row."""
        return "narrow" if self.name in NARROW else "wide" if self.name in WIDE else ""

    @property
    def template(self) -> str:
        return f"components/_{self.name}.html"


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A sample as two pieces of a page, in which no id occurs twice."""

    sample: Sample
    light: SafeString
    dark: SafeString


def draw(part: Part, place: int, render: Callable[[str, Mapping[str, Any]], str]) -> Drawn:
    """Draw the sample at index `place` of a part; `render(template, context)` fills its fragment."""
    sample = part.samples[place]
    html = sample.done(render(part.template, sample.context))
    light, dark = (_apart(html, f"{part.name}-{place}-{scheme}") for scheme in ("light", "dark"))
    return Drawn(sample=sample, light=light, dark=dark)


def _apart(html: str, end: str) -> SafeString:
    """Give the piece ids of its own."""

    def renamed(found: re.Match[str]) -> str:
        return f'{found[1]}="{" ".join(f"{name}-{end}" for name in found[2].split())}"'

    html = html.replace(" data-focus ", " ")  # none of them takes the focus from the others
    apart = _LINK.sub(rf'\1-{end}"', _ID.sub(renamed, html))
    return SafeString(apart)  # of our own templates, which escaped their values
