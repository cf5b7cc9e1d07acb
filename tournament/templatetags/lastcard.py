"""Template tags and filters: titles, cards, states, languages, own links."""

import html
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, Literal
from uuid import uuid4

from django import template
from django.conf import settings
from django.forms import BaseForm
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.encoding import escape_uri_path
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language, get_language_info, pgettext_lazy

from rulesets import BLACK_CARDS, CARDS, RULESETS, Ruleset, disputes_by_vote
from tournament import __version__
from tournament.links import token_for
from tournament.models import Entry, Stage, Tournament
from tournament.practice.events import ends_at, said, until
from tournament.results import kind_of
from tournament.server.extras import buttons
from tournament.server.venue import public_address, qr_svg
from tournament.words import formats
from tournament.words.faults import card_name
from tournament.words.kinds import STAGE_MOVES
from tournament.words.text import listed, points_text, points_unit

register = template.Library()
register.simple_tag(lambda: __version__, name="program_version")
register.filter("card_name", card_name)
register.filter("listed", listed)
register.filter("rows", lambda kind: kind_of(kind).rows)  # games, rounds or heats, of a stage or sheet
register.filter("seats_change", lambda kind: kind_of(kind).seats_change)
register.filter("by_vote", disputes_by_vote)
register.filter("points_text", points_text)
register.filter(
    "seen", lambda field: field.as_hidden(only_initial=True)
)  # of a field with show_hidden_initial
# With decimals it is no whole number.
register.filter("points_unit", lambda points: points_unit(int(points) if str(points).isdecimal() else 2))

# Each colour has a shape, too.
COLOURS = frozenset({"red", "yellow", "green", "blue"})


@dataclass(frozen=True, slots=True)
class State:
    """A state's word and sign (`.status--*` in css/components/status.css)."""

    word: str | Promise
    sign: str


STATES: dict[str, State] = {
    # a tournament, a stage, a table
    "planned": State(pgettext_lazy("state", "Planned"), "wait"),
    "draft": State(pgettext_lazy("state", "Draft"), "wait"),
    "waiting": State(pgettext_lazy("state", "Waiting"), "wait"),
    "ready": State(pgettext_lazy("state", "Ready"), "wait"),
    "running": State(pgettext_lazy("state", "Running"), "running"),
    "rehearsal": State(pgettext_lazy("state", "Rehearsal"), "warn"),
    "finished": State(pgettext_lazy("state", "Finished"), "done"),
    "stopped": State(pgettext_lazy("state", "Stopped early"), "done"),
    "frozen": State(pgettext_lazy("state", "Frozen"), "wait"),
    # a play
    "entered": State(pgettext_lazy("state", "Entered"), "wait"),
    "official": State(pgettext_lazy("state", "Official"), "done"),
    "wanted": State(pgettext_lazy("state", "Provisional"), "warn"),
    "accepted": State(pgettext_lazy("state", "Confirmed"), "done"),
    "contested": State(pgettext_lazy("state", "Contested"), "bad"),
    "void": State(pgettext_lazy("state", "Void"), "off"),
    "set_aside": State(pgettext_lazy("state", "On hold"), "warn"),
    # a player in a tournament, a row of standings
    "registered": State(pgettext_lazy("state", "Registered"), "wait"),
    "applied": State(pgettext_lazy("state", "Wants to take part"), "wait"),
    "cancelled": State(pgettext_lazy("state", "Not taking part"), "off"),
    "late": State(pgettext_lazy("state", "Late"), "warn"),
    "checked_in": State(pgettext_lazy("state", "Here"), "done"),
    "through": State(pgettext_lazy("state", "Through"), "go"),
    "not_through": State(pgettext_lazy("state", "Not through"), "off"),
    "winner": State(pgettext_lazy("state", "Winner"), "go"),
    "no_show": State(pgettext_lazy("state", "No-show"), "off"),
    "left": State(pgettext_lazy("state", "Left"), "off"),
    "withdrawn": State(pgettext_lazy("state", "Left"), "off"),
    "disqualified": State(pgettext_lazy("state", "Disqualified"), "bad"),
    "too_few_games": State(pgettext_lazy("state", "Too few games"), "wait"),
    "not_played": State(pgettext_lazy("state", "Not played yet"), "wait"),
    # a table that needs action
    "act": State(pgettext_lazy("state", "Needs action"), "bad"),
}


@register.simple_tag(takes_context=True)
def extras(context: template.Context, place: str) -> SafeString:
    """What the extras add at this place of the page."""
    assert context.template is not None, "templates render it"
    texts = []
    for name, more in buttons(place, context):
        with context.push(more):
            texts.append(context.template.engine.get_template(name).render(context).strip())
    return SafeString("".join(texts))


@register.simple_tag(takes_context=True)
def help_link(context: template.Context, page: str, *, said: bool = False) -> SafeString:
    """The "?" of a page, if an extra adds one; `said`: with words."""
    with context.push(help_of=page, said=said):
        return extras(context, "help")


@register.simple_tag(takes_context=True)
def practice_until(context: template.Context) -> str:
    """End of the page's practice; "" without one."""
    tournament = context.get("tournament")
    # Desk pages have no tournament.
    at = until(tournament) if tournament else ends_at(context["request"].user)
    return said(at) if at else ""


@register.simple_tag
def card(
    kind: str, colour: str = "", size: str = "", *, ruleset: Ruleset | None = None, decorative: bool = False
) -> SafeString:
    """Card from the page's sprite (include components/_card_sprite.html once).

    `colour`: "" for ink; `size`: small, large, huge; `ruleset` names it; `decorative`: a word already does.
    """
    classes = ["card"]
    if kind in BLACK_CARDS:
        classes.append("card--black")
        colour = ""
    if colour in COLOURS:
        classes.append(f"card--{colour}")
    if size:
        classes.append(f"card--{size}")
    label = (
        SafeString('aria-hidden="true"')
        if decorative
        else format_html('role="img" aria-label="{}"', card_name(kind, ruleset))
    )
    shape = placed = ""
    if colour in COLOURS:
        shape = format_html('<use href="#shape-{}"/>', colour)
        # Wide and underlined glyphs are smaller.
        scale = 0.6 if kind in {"6", "9", "draw2"} or colour == "yellow" else 0.72
        middle_of_glyph = 47 if kind in {"6", "9"} else 42
        middle_of_shape = 48 if colour == "yellow" else 42
        x, y = 30 - 30 * scale, middle_of_shape - middle_of_glyph * scale
        placed = format_html(' transform="{}"', f"translate({x:.1f} {y:.1f}) scale({scale})")
    return format_html(
        '<svg class="{}" viewBox="0 0 60 84" {} focusable="false">'
        '<rect class="card__face" x="0.5" y="0.5" width="59" height="83" rx="7"/>{}<use href="#glyph-{}"{}/></svg>',
        " ".join(classes),
        label,
        shape,
        kind,
        placed,
    )


@register.filter(expects_localtime=True)
def to_the_second(at: datetime | None) -> str:
    """Localised time with seconds; "" for None."""
    return formats.to_the_second(at) if at else ""


@register.filter(expects_localtime=True)
def date_to_the_second(at: datetime) -> str:
    """Localised date and time with seconds."""
    return formats.to_the_second(at, "SHORT_DATETIME_FORMAT")


@register.filter
def problems(form: BaseForm) -> list[dict[str, str]]:
    """A form's errors for components/_errors.html: the whole form's, then by field."""
    return [
        *({"href": "", "text": str(error)} for error in form.non_field_errors()),
        *(
            {"href": f"#{field.id_for_label or field.auto_id}", "text": f"{field.label}: {error}"}
            for field in form
            for error in field.errors
        ),
    ]


@register.inclusion_tag("components/_status.html")
def status(state: str) -> dict[str, Any]:
    """State pill. KeyError for unknown states."""
    return {"state": state, "word": STATES[state].word, "sign": STATES[state].sign}


@register.filter
def hand_items(hand: dict[str, int] | Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """A hand as (card id, count) in pad order, without zeros."""
    counts = dict(hand)
    return [(kind, counts[kind]) for kind in CARDS if counts.get(kind)]


def page_in_language(path: str, code: str) -> str:
    """URL of the page in another language (i18n_patterns); the start page without a prefix."""
    first, _slash, rest = path.removeprefix("/").partition("/")
    known = {language for language, _name in settings.LANGUAGES}
    return f"/{code}/{escape_uri_path(rest)}" if first in known else f"/{code}/"


@register.inclusion_tag("components/_languages.html", takes_context=True)
def languages(context: template.Context) -> dict[str, Any]:
    """Language links by path alone."""
    request = context.get("request")
    path = request.path if request is not None else "/"
    current = get_language() or settings.LANGUAGE_CODE
    return {
        "current": current,
        "links": [
            {
                "code": code,
                "name": get_language_info(code)["name_local"].capitalize(),
                "href": page_in_language(path, code),
                "current": code == current,
            }
            for code, _name in settings.LANGUAGES
        ],
    }


@register.simple_tag
def rules_url(tournament: Tournament | Literal[""]) -> str:
    """The event's rules, else the list."""
    if not tournament:
        return reverse("rules-index")
    sheet = RULESETS[tournament.ruleset].sheet_for(tournament.language)
    return reverse("rules", args=[tournament.ruleset, *filter(None, [sheet])])


@register.simple_tag
def data_words(**words: str) -> SafeString:
    """Data attributes for scripts: `{% data_words next="Next" %}` gives ` data-word-next="Next"`."""
    return format_html_join(
        "", ' data-word-{}="{}"', ((key.replace("_", "-"), word) for key, word in words.items())
    )


@register.simple_tag
def score_cells(cells: Iterable[Any]) -> SafeString:
    """Cells of a row, by `format_html`: a page has thousands, and a template loop takes half of its time."""
    best = ' class="is-best"'
    return SafeString(
        "".join(f"<td{best if cell.best else ''}>{html.escape(cell.points)}</td>" for cell in cells)
    )


@register.simple_tag
def command_field(form: str = "") -> SafeString:
    """Idempotency key as a hidden field; `form`: id, if outside."""
    of = format_html(' form="{}"', form) if form else ""
    return format_html('<input type="hidden" name="command" value="{}"{}>', uuid4(), of)


@register.simple_block_tag(takes_context=True)
def titled(context: template.Context, content: str) -> SafeString:
    """Title; `shared` pages also get a link preview."""
    title = format_html("<title>{}</title>", content)
    if not context.get("shared"):
        return title
    home = settings.PUBLIC_URL
    more = {
        # Escaped by the template, except our quotation marks.
        "title": SafeString(content.replace('"', "&quot;")),
        "address": f"{home}{context['request'].path}" if home else "",
        "picture": f"{home}{static('lastcard/brand/share.png')}" if home else "",
    }
    return SafeString(f"{title}\n  {render_to_string('components/_share.html', more)}")


@register.simple_tag(takes_context=True)
def own_link(context: template.Context, entry: Entry) -> dict[str, object]:
    """`address`, `qr`, id of the `command` to end it. Needs the request."""
    token = token_for("player", entry.uid, entry.link_number)
    address = public_address(context["request"], reverse("short-own", args=[token]))
    return {"address": address, "qr": qr_svg(address), "command": uuid4()}


@register.filter
def move_label(stage: Stage, move: str) -> str:
    """The button that makes this `move` ("start", "finish", "reopen") of a stage: "Start the heats"."""
    return str(STAGE_MOVES["" if stage.name else stage.kind][move]) % {"stage": stage}


# ---- Fragment cache: a save leaves most of a page's hundreds of rows as they were ----


CACHED_PIECES = 2_000  # entries per place; a standings row takes 2 kB


class KeptNode(template.Node):
    """One place in a template, with its cache."""

    def __init__(self, nodelist: NodeList, values: dict[str, FilterExpression]) -> None:
        self.nodelist = nodelist
        self._values = values
        self._kept: dict[object, SafeString] = {}
        self._lock = Lock()

    def render(self, context: template.Context) -> SafeString:
        """Render, or take from the cache. Raises TypeError for unhashable values."""
        values: dict[str, Any] = {name: value.resolve(context) for name, value in self._values.items()}
        key = (get_language(), get_current_timezone_name(), *values.values())
        if (found := self._kept.get(key)) is not None:
            return found
        rendered = self.nodelist.render(context.new(values))
        with self._lock:
            self._kept[key] = rendered
            while len(self._kept) > CACHED_PIECES:
                del self._kept[next(iter(self._kept))]
        return rendered


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:
    """`{% kept name=value … %}…{% endkept %}`; the content sees these hashable values alone."""
    tag, *bits = token.split_contents()
    values = token_kwargs(bits, parser)
    if not values or bits:
        raise template.TemplateSyntaxError(f"{{% {tag} %}} takes name=value, at least one")
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode(nodelist, values)
