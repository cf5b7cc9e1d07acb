"""Where a stage's players come from, in words."""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from tournament.models import Stage
from tournament.results import Part, kind_of, source_of
from tournament.words.text import listed

TAKES: Mapping[str, str | Promise] = {
    "first": _("the first"),
    "next": _("the next, after players whom other stages take"),
    "out": _("players who are out: a second chance"),
    "level": _("players who share the place at the cut: a tie-break hand"),
}


def of_each_table(stage: Stage) -> bool:
    """Whether its tables have places of their own."""
    kind = kind_of(stage.kind)
    return not kind.all_together and (kind.one_play or kind.sheet_each_table)


def source_text(stage: Stage, stages: Mapping[int, Stage]) -> str:
    """Who plays in a stage, of an event's `stages` by number; "" for all who registered."""
    source = source_of(stage, stages.get(stage.number - 1))
    parts = [_part_text(part, stages[part.stage]) for part in source.parts if part.stage in stages]
    said = [listed(parts)] if parts else []
    if source.division:
        said.append(gettext("only %(division)s") % {"division": source.division})
    if source.lives:
        said.append(ngettext("%(n)d life", "%(n)d lives", source.lives) % {"n": source.lives})
    if source.open:
        said.append(gettext("at open tables"))
    return ", ".join(said)


def lives_text(lives: int | None) -> str:
    """Lives left, or ""."""
    return "" if lives is None else ngettext("%(n)d life left", "%(n)d lives left", lives) % {"n": lives}


def _part_text(part: Part, stage: Stage) -> str:
    counted = "all" if part.count is None else "table" if of_each_table(stage) else "stage"
    return _PARTS[part.take, counted](part.count or 0) % {"n": part.count, "stage": str(stage)}


_PARTS: Mapping[tuple[str, str], Callable[[int], str]] = {
    ("first", "all"): lambda _n: gettext("who goes through from %(stage)s"),
    ("first", "stage"): lambda n: ngettext("the first of %(stage)s", "the first %(n)d of %(stage)s", n),
    ("first", "table"): lambda n: ngettext(
        "the first of each table of %(stage)s", "the first %(n)d of each table of %(stage)s", n
    ),
    ("next", "all"): lambda _n: gettext("the next from %(stage)s"),
    ("next", "stage"): lambda n: ngettext("the next one of %(stage)s", "the next %(n)d of %(stage)s", n),
    ("next", "table"): lambda n: ngettext(
        "the next one of each table of %(stage)s", "the next %(n)d of each table of %(stage)s", n
    ),
    **dict.fromkeys(
        [("out", "all"), ("out", "stage"), ("out", "table")], lambda _n: gettext("who is out of %(stage)s")
    ),
    **dict.fromkeys(
        [("level", "all"), ("level", "stage"), ("level", "table")],
        lambda _n: gettext("who shares the place at the cut of %(stage)s"),
    ),
}
