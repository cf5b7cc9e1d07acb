"""Levels of a championship by the number of players: heats, then the final."""

from typing import Any

from django import forms
from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

from tournament.queries.programme import level_name
from tournament.results import kind_of
from tournament.seating import COMFORTABLE, Impossible, Level, levels
from tournament.words.seating import impossible_text, tables_text

MOST_EXPECTED = 1000  # players
MOST_IN_FINAL = 6  # players, by default
LEAST_IN_FINAL = 4  # players, if there are enough


class LevelsForm(forms.Form):
    """Number of players and table size; `levels` are the result."""

    expected = forms.IntegerField(
        label=_("Players expected"),
        min_value=2,
        max_value=MOST_EXPECTED,
        initial=24,
        help_text=_(
            "The stages are planned for this many. You can plan them again when you know who is here."
        ),
    )
    most_at_table = forms.IntegerField(
        label=_("Maximum players per heat"),
        min_value=2,
        max_value=20,
        initial=COMFORTABLE["heats"],
    )
    advance = forms.IntegerField(
        label=_("How many go through"),
        min_value=1,
        max_value=20,
        required=False,
        help_text=_(
            "From each table. Leave empty for the first player out, or the first two if there are few heats."
        ),
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Defaults where the fields were not on the page yet."""
        super().__init__(*arguments, **named)
        missing = {"expected", "most_at_table"} - self.data.keys() if self.is_bound else set()
        if missing:
            defaults = {name: str(self.fields[name].initial) for name in missing}
            self.data = dict(self.data.items()) | defaults

    def clean(self) -> dict[str, Any]:
        """Add an impossible plan as an error of its field."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors.keys() & LevelsForm.base_fields.keys():
            try:
                self.levels()
            except Impossible as impossible:
                field = "advance" if impossible.code == "advance_too_large" else "expected"
                self.add_error(field, impossible_text(impossible))
        return cleaned

    def levels(self) -> list[Level]:
        """The levels, the final last. Raises `Impossible`."""
        chosen = self.cleaned_data
        return levels(
            chosen["expected"],
            most=chosen["most_at_table"],
            advance=chosen["advance"],
            final_most=COMFORTABLE["final"] if chosen["advance"] else MOST_IN_FINAL,
            final_least=min(LEAST_IN_FINAL, chosen["expected"], chosen["most_at_table"]),
        )

    def named_levels(self, language: str) -> list[tuple[str, Level]]:
        """Levels with their name in `language`; "" where the kind names them."""
        plan = self.levels()
        return [
            ("" if index in {0, len(plan) - 1} else level_name(level.kind, index, len(plan), language), level)
            for index, level in enumerate(plan)
        ]


def lines(form: LevelsForm) -> list[tuple[str, str]]:
    """Name and text of each level; empty without a plan."""
    plan, named = form.levels() if form.is_valid() else [], []
    for index, level in enumerate(plan):
        players, sizes = level.players, level.sizes
        if kind_of(level.kind).all_together:
            text = ngettext("%(n)s player at one table", "%(n)s players at one table", players)
            text %= {"n": players}
        else:
            text = gettext("%(players)s players, %(tables)s, %(through)s through") % {
                "players": players,
                "tables": tables_text(len(sizes), smallest=sizes.smallest, largest=sizes.largest),
                "through": level.through,
            }
        named.append((level_name(level.kind, index, len(plan), get_language() or "en"), text))
    return named
