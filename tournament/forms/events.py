"""Forms of a new or copied event, of a stage's settings, and of the evening's plan."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any, ClassVar
from uuid import UUID, uuid5

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _, ngettext

from rulesets import RULESETS, Ruleset
from rulesets.ruleset import OWN_HAND, WINNER_TAKES
from tournament.actions import PlannedStage
from tournament.forms.details import DetailsForm
from tournament.forms.fields import MergingForm, moment_field, offer
from tournament.forms.programme import (
    LEAST_IN_FINAL,
    MOST_IN_FINAL,
    LevelsForm,
    PlannedStep,
    planned_chains,
)
from tournament.forms.seats import MOST_AT_TABLE
from tournament.models import (
    LONGEST_CARD_TEXT,
    MOST_CARD_TEXTS,
    Entry,
    Stage,
    Tournament,
    User,
    planned_names,
)
from tournament.permissions import is_limited, organisers_of
from tournament.queries.programme import Plan, level_name
from tournament.results import Fault, Typed, kind_of
from tournament.seating import COMFORTABLE, MOST_TABLES, Expected, Impossible, Level, expected_minutes, levels
from tournament.words.faults import fault_text
from tournament.words.kinds import DECIDING, RACE_SCORINGS
from tournament.words.seating import impossible_text

MOST_SETTING = 100_000  # largest number in a setting
# by last step of a fault's path (`/card_texts/0`)
CARD_TEXTS = {str(index): f"card_text_{index + 1}" for index in range(MOST_CARD_TEXTS)}
Kind = Stage.Kind
SCORINGS = {
    WINNER_TAKES: _("standard scoring: the winner of a round gets the points of the others’ cards"),
    OWN_HAND: _(
        "alternative scoring: everyone collects the points of their own cards, and the lowest total wins"
    ),
}
MATCH_FIELDS = ("target", "scoring", "custom_cards", *CARD_TEXTS.values())
RACE_FIELDS = ("scoring", "rank", "best", "min_games", "max_games", "custom_cards", *CARD_TEXTS.values())


class CopyForm(forms.Form):
    """A copy of an event."""

    name = DetailsForm.base_fields["name"]
    starts_on = DetailsForm.base_fields["starts_on"]
    players = forms.BooleanField(
        required=False,
        help_text=_("Leaves out players who never came, left or were removed. Pairs kept apart stay apart."),
    )
    roles = forms.BooleanField(
        label=_("With its organisers and referees"),
        required=False,
        initial=True,
        help_text=_("Referees without an account keep the role on the phone they used."),
    )
    rehearsal = forms.BooleanField(
        label=_("As a rehearsal"),
        required=False,
        help_text=_("Marked on every page, never listed, and hidden with one button."),
    )

    def __init__(self, source: Tournament, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        players = Entry.objects.who_played(source).count()
        self.fields["players"].label = (
            ngettext("With the %(n)d player who played", "With the %(n)d players who played", players)
            if source.was_played()
            else ngettext("With its %(n)d player", "With its %(n)d players", players)
        ) % {"n": players}


def settings_of(cleaned: dict[str, Any], *names: str) -> dict[str, Any]:
    """The chosen settings; empty ones are left to the ruleset."""
    return {name: cleaned[name] for name in names if cleaned.get(name) not in (None, "")}


def count_field(
    label: Any, help_text: Any = "", *, least: int = 1, most: int = MOST_SETTING, **more: Any
) -> forms.IntegerField:
    """An optional whole number."""
    return forms.IntegerField(
        label=label, help_text=help_text, min_value=least, max_value=most, required=False, **more
    )


def min_games_field() -> forms.IntegerField:
    return count_field(
        _("Games needed to be ranked"),
        _("Players with fewer games are listed after the ranked ones. Leave empty if one game is enough."),
    )


def target_field(rules: Ruleset) -> forms.IntegerField:
    least, most = rules.least_target, rules.most_target
    wrong = fault_text(
        Fault("target_out_of_range", "", {"expected": "", "least": least, "most": most or least})
    )
    return count_field(
        _("Target in points"),
        format_lazy(
            _("From {least} to {most}. You can choose it later, when the finalists are known."),
            least=least,
            most=most,
        )
        if most
        else _("The match ends when someone reaches it."),
        least=least,
        most=most or MOST_SETTING,
        initial=rules.default_target,
        error_messages={"min_value": wrong, "max_value": wrong} if most else {},
    )


def card_text_fields() -> dict[str, forms.Field]:
    """A text field for each Customizable card."""
    labels = [
        _("Text on the first Customizable card"),
        _("Text on the second Customizable card"),
        _("Text on the third Customizable card"),
    ]
    return {
        name: forms.CharField(
            label=label,
            max_length=LONGEST_CARD_TEXT,
            required=False,
            widget=forms.TextInput({"list": "card-ideas"}),  # rendered by components/_field.html
        )
        for name, label in zip(CARD_TEXTS.values(), labels, strict=True)
    }


def card_texts_of(cleaned: Mapping[str, Any]) -> list[str]:
    """Texts of the Customizable cards."""
    return [str(cleaned.get(name) or "") for name in CARD_TEXTS.values()]


def match_fields(rules: Ruleset) -> dict[str, forms.Field]:
    """Fields of a match's settings that the ruleset leaves open."""
    fields: dict[str, forms.Field] = {"target": target_field(rules)}
    if len(rules.scorings) > 1:
        fields["scoring"] = forms.ChoiceField(
            label=_("Scoring method"),
            choices=[(count, SCORINGS[count]) for count in rules.scorings],
            initial=rules.scorings[0],
        )
    if rules.custom_cards:
        fields["custom_cards"] = count_field(
            _("Customizable cards in the deck"),
            _("From 0 to 3, as the players agreed."),
            least=0,
            most=MOST_CARD_TEXTS,
            initial=MOST_CARD_TEXTS,
        )
        fields |= card_text_fields()
    return fields


def match_settings(cleaned: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    """A match's chosen settings; the target defaults to the ruleset's."""
    names = ["target", "scoring", *(["custom_cards"] if rules.custom_cards else [])]
    usual = {} if rules.default_target is None else {"target": rules.default_target}
    return usual | settings_of(cleaned, *names)


# Orders of `rank` to choose from; others come by the API.
RANKINGS = (
    ("average",),
    ("total",),
    ("wins", "total"),
    ("wins", "cards", "total"),
    ("wins", "average"),
    ("average", "wins"),
    ("total", "wins"),
)


class RankingField(forms.TypedChoiceField):
    """The order of a race, as the list `rank`; also offers `stored`."""

    def __init__(self, stored: Sequence[str] = ()) -> None:
        orders = dict.fromkeys([*RANKINGS, *([tuple(stored)] if stored else [])])
        super().__init__(
            label=_("What decides"),
            help_text=_(
                "Each where all before it are level. By the average, a missed game costs nothing. By own hands added "
                "up, or by cards left, it pays: let as many games count as a place needs."
            ),
            choices=[
                (",".join(order), ", ".join(str(DECIDING[word].unit) for word in order)) for order in orders
            ],
            coerce=lambda text: text.split(","),
        )

    def prepare_value(self, value: Any) -> Any:
        return ",".join(value) if isinstance(value, list) else value


def race_fields(rules: Ruleset, stored: Sequence[str] = ()) -> dict[str, forms.Field]:
    """Fields for a race's settings."""
    custom = {name: field for name, field in match_fields(rules).items() if name not in {"target", "scoring"}}
    return {
        "scoring": forms.ChoiceField(label=_("Scoring method"), choices=list(RACE_SCORINGS.items())),
        "rank": RankingField(stored),
        "best": count_field(
            _("How many games count"), _("The best of each player. Leave empty if all count.")
        ),
        "min_games": min_games_field(),
        "max_games": count_field(_("Most games of a player"), _("Leave empty for no limit.")),
        **custom,
    }


class NewEventForm(DetailsForm):
    """A new event by one of `rulesets`, or another that plays all `kinds`. `own_fields` depend on the form."""

    rulesets: ClassVar[tuple[str, ...]] = ()
    kinds: ClassVar[frozenset[str]] = frozenset()
    own_fields: ClassVar[tuple[str, ...]] = ()
    organiser = forms.ChoiceField(label=_("Organiser"), required=False)
    organiser_name = forms.CharField(
        label=_("Name of the new organiser"),
        max_length=100,
        required=False,
        help_text=_("A club or a group of friends. Leave empty to use your own name."),
    )
    field_order = ["name", "starts_on", "place"]

    def __init__(self, user: User, *args: Any, rules: Ruleset | None = None, **named: Any) -> None:
        super().__init__(*args, **named)
        self.rules = rules or RULESETS[self.rulesets[0]]
        organisers, self.user = organisers_of(user), user
        choices = [(str(organiser.uid), organiser.name) for organiser in organisers]
        if not choices:
            del self.fields["organiser"]
            self.fields["organiser_name"].label = _("Organiser")
        else:
            offer(self, "organiser", [*choices, ("", _("a new one"))])
            own = organisers.filter(tournaments__in=Tournament.objects.exclude(slug__startswith="demo-"))
            self.fields["organiser"].initial = str(own.values_list("uid", flat=True).first() or "")
            self.fields["organiser_name"].help_text = _(
                "Only for a new organiser, such as a club or a group of friends."
            )
        if is_limited(user):
            del self.fields["organiser_name"]
        if is_limited(user) or not (choices or user.is_staff):
            del self.fields["listed"]

    def played(self) -> Ruleset:
        """The chosen ruleset; call after validation."""
        return self.rules

    def stages(self) -> list[PlannedStage]:
        """The stages that follow from the cleaned data."""
        raise NotImplementedError

    def details(self) -> dict[str, Any]:
        """Arguments of `create_tournament`."""
        chosen, organiser = self.cleaned_data, self.cleaned_data.get("organiser")
        return {
            **{name: chosen[name] for name in ("name", "starts_on", "place", "time_zone", "language")},
            "ruleset": self.played().id,
            "organiser": UUID(organiser) if organiser else None,
            "organiser_name": chosen.get("organiser_name")
            or ("" if organiser or is_limited(self.user) else self.user.display_name()),
            "listed": bool(chosen.get("listed")) and bool(organiser or self.user.is_staff),
        }


class SessionForm(NewEventForm):
    """Session (KPGUT)."""

    rulesets = ("kpgut-2016",)
    kinds = frozenset({"session"})
    own_fields = ("min_games",)
    min_games = min_games_field()

    def stages(self) -> list[PlannedStage]:
        return [PlannedStage(Kind.SESSION, settings=settings_of(self.cleaned_data, "min_games"))]


class BoxForm(NewEventForm):
    """An event by the box's rules; the deck is chosen."""

    rulesets = ("mattel-112", "mattel-108")
    ruleset = forms.ChoiceField(
        label=_("Deck"),
        choices=[("mattel-112", _("112 cards")), ("mattel-108", _("108 cards (older)"))],
        initial="mattel-112",
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if self.rules.id not in self.rulesets:
            del self.fields["ruleset"]

    def played(self) -> Ruleset:
        return RULESETS[self.cleaned_data["ruleset"]] if "ruleset" in self.fields else self.rules


class MatchForm(BoxForm):
    """Match (Mattel)."""

    kinds = frozenset({"match"})
    own_fields = ("ruleset", *MATCH_FIELDS)

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields |= match_fields(self.rules)

    def stages(self) -> list[PlannedStage]:
        return [
            PlannedStage(
                Kind.MATCH,
                settings=match_settings(self.cleaned_data, self.played()),
                card_texts=card_texts_of(self.cleaned_data),
            )
        ]


class RaceForm(BoxForm):
    """Race: hands at changing tables, or at each table for itself."""

    kinds = frozenset({"race"})
    own_fields = ("ruleset", "shape", *RACE_FIELDS)
    shape = forms.ChoiceField(
        label=_("Tables"),
        choices=[
            (Kind.RACE, _("one race over all tables")),
            (Kind.RACES, _("a race at each table")),
        ],
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields |= race_fields(self.rules)

    def stages(self) -> list[PlannedStage]:
        others = {*CARD_TEXTS.values(), *(() if self.played().custom_cards else ("custom_cards",))}
        names = [name for name in RACE_FIELDS if name in self.fields and name not in others]
        return [
            PlannedStage(
                self.cleaned_data["shape"],
                settings=settings_of(self.cleaned_data, *names),
                card_texts=card_texts_of(self.cleaned_data),
            )
        ]


class ChampionshipForm(LevelsForm, NewEventForm):
    """Championship (TiTe): heats, then a final."""

    rulesets = ("tite-2022",)
    kinds = frozenset({"heats", "match"})
    own_fields = ("expected", "most_at_table", "advance", *MATCH_FIELDS)

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields |= match_fields(self.rules)

    def stages(self) -> list[PlannedStage]:
        settings = match_settings(self.cleaned_data, self.rules)
        texts = card_texts_of(self.cleaned_data)
        planned = []
        for name, level in self.named_levels(self.cleaned_data["language"]):
            plan = {"players": level.players, "tables": len(level.sizes)}
            if kind_of(level.kind).one_play:
                plan["most"] = self.cleaned_data["most_at_table"]
                planned.append(PlannedStage(level.kind, name, {"advance": level.advance}, plan=plan))
            else:
                planned.append(PlannedStage(level.kind, name, settings, card_texts=texts, plan=plan))
        return planned


class StageForm(MergingForm, forms.Form):
    """A stage's name and, until it starts, its settings. A form opened before keeps their fields (`open`): what was
    typed is refused, not lost."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        required=False,
        help_text=_("Leave empty to use the stage’s usual name."),
    )

    def __init__(self, stage: Stage, *args: Any, **named: Any) -> None:
        named["initial"] = {
            "name": stage.name,
            **stage.settings,
            **dict(zip(CARD_TEXTS.values(), stage.card_texts, strict=False)),
        }
        super().__init__(*args, **named)
        fields = setting_fields(stage)
        self.open = stage.state == Stage.State.PLANNED or bool(fields.keys() & self.data.keys())
        if self.open:
            self.fields |= fields
            self.carry()

    def settings(self) -> dict[str, Any]:
        others = {"name", *CARD_TEXTS.values()}
        return settings_of(self.cleaned_data, *(name for name in self.fields if name not in others))

    def card_texts(self) -> list[str]:
        return card_texts_of(self.cleaned_data)


def setting_fields(stage: Stage) -> dict[str, forms.Field]:
    """Fields for a stage's settings, by its kind and ruleset."""
    rules = RULESETS[stage.tournament.ruleset]
    if kind_of(stage.kind).one_play:
        return {
            "advance": count_field(
                _("How many go through"),
                _("From each table. Leave empty for the first player out."),
                initial=1,
            )
        }
    decks = count_field(_("Decks per table"))
    if kind_of(stage.kind).timed:
        if rules.players_per_deck == 7:
            decks.help_text = _("Leave empty for one per seven players, rounded up.")
        return {"min_games": min_games_field(), "decks": decks}
    decks.help_text = _("Leave empty for one.")
    if kind_of(stage.kind).rows == "games":
        return {**race_fields(rules, stage.settings.get("rank", ())), "decks": decks}
    return {**match_fields(rules), "decks": decks}


# ---- The evening's plan ----

MOST_LEVELS = 9  # levels with an advance field
USUAL_START = time(18)
USUAL_PLAYERS = 24  # while there are no entries
ADVANCE = "advance-"


@dataclass(frozen=True, slots=True)
class PlannedLevel:
    """A planned level, in UTC. `field`: the field of how many advance; `typed`: its value."""

    level: Level
    name: str
    starts_at: datetime
    expected: Expected
    field: str
    typed: str

    @property
    def ends_at(self) -> datetime:
        return self.starts_at + timedelta(minutes=self.expected.minutes)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """(tables, players), larger first."""
        return [(count, size) for size, count in sorted(Counter(self.level.sizes).items(), reverse=True)]


class EveningForm(forms.Form):
    """How many play and how; `planned`: the resulting levels; `chains`: what else could be played in the hours."""

    field_order = ("starts_at",)
    players = forms.IntegerField(label=_("Players"), min_value=2, max_value=10_000)
    most = forms.IntegerField(
        label=_("Maximum players per table"),
        min_value=2,
        max_value=MOST_AT_TABLE,
        initial=COMFORTABLE["heats"],
    )
    final_most = forms.IntegerField(
        label=_("Maximum players in the final"), min_value=2, max_value=MOST_AT_TABLE, initial=MOST_IN_FINAL
    )
    at_once = forms.IntegerField(
        label=_("Tables at the same time"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        help_text=_("As many as there are tables or referees. Leave empty to play them all at once."),
    )
    minutes = forms.IntegerField(label=_("Minutes per heat"), min_value=1, max_value=600, initial=20)
    pause = forms.IntegerField(label=_("Minutes between stages"), min_value=0, max_value=1440, initial=10)
    starts_at = moment_field(_("Starts at"), required=True)
    hours = forms.IntegerField(
        label=_("Hours in all"),
        min_value=1,
        max_value=24,
        initial=3,
        required=False,
        help_text=_("For several games in new company. The tables are those played at the same time."),
    )

    def __init__(self, tournament: Tournament, data: Mapping[str, Any] | None = None) -> None:
        self.tournament = tournament
        self.chains: dict[str, list[PlannedStep]] = {}
        self.no_chains = ""
        self.stages = list(Stage.objects.filter(tournament=tournament).order_by("number"))
        self.heats = [stage for stage in self.stages if kind_of(stage.kind).one_play]
        self.final = next((stage for stage in self.stages if kind_of(stage.kind).all_together), None)
        super().__init__({**self._defaults(), **(data or {})})
        self.fields["target"] = target_field(RULESETS[tournament.ruleset])
        if not RULESETS[tournament.ruleset].scores("race"):
            del self.fields["hours"]
        self.planned: list[PlannedLevel] = []
        self.levels: list[Level] = []

    @property
    def advances(self) -> list[int | None]:
        """How many advance per heat, by level; an empty or invalid field repeats the one before."""
        typed = Typed({name: str(value) for name, value in self.data.items()})
        found: list[int | None] = []
        for number in range(1, MOST_LEVELS + 1):
            advance = typed.whole(f"{ADVANCE}{number}", "", least=1, most=99)
            found.append(advance or (found[-1] if found else None))
        return found

    def full_clean(self) -> None:
        with timezone.override(self.tournament.zone):
            super().full_clean()

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        if self.errors:
            return chosen
        if chosen.get("hours"):
            tables = chosen["at_once"] or -(-chosen["players"] // chosen["most"])
            try:
                self.chains = planned_chains(chosen, tables)
            except Impossible as impossible:
                self.no_chains = impossible_text(impossible)
        try:
            self.levels = levels(
                chosen["players"],
                most=chosen["most"],
                advance=self.advances,
                final_most=chosen["final_most"],
                final_least=min(
                    LEAST_IN_FINAL, *(chosen[name] for name in ("players", "most", "final_most"))
                ),
            )
        except Impossible as impossible:
            self.add_error(None, impossible_text(impossible))
            return chosen
        rules = RULESETS[self.tournament.ruleset]
        expected = expected_minutes(
            self.levels,
            heat=chosen["minutes"],
            at_once=chosen["at_once"],
            pause=chosen["pause"],
            target=chosen["target"] or rules.default_target or rules.least_target,
        )
        self.planned = [
            PlannedLevel(
                level=level,
                name=level_name(level.kind, index, len(self.levels), self.tournament.language),
                starts_at=chosen["starts_at"] + timedelta(minutes=times.starts_after),
                expected=times,
                field=f"{ADVANCE}{index + 1}",
                typed=str(self.data.get(f"{ADVANCE}{index + 1}", "")),
            )
            for index, (level, times) in enumerate(zip(self.levels, expected, strict=True))
        ]
        return chosen

    def arguments(self, command: UUID) -> list[dict[str, Any]]:
        """Arguments of `set_levels`; stages keep their uids."""
        heats = iter(self.heats)
        arguments = []
        for index, planned in enumerate(self.planned):
            level = planned.level
            last = kind_of(level.kind).all_together
            stage = self.final if last else next(heats, None)
            settings = dict(stage.settings) if stage else {}
            if not last and not (stage and int(settings.get("advance") or 1) == level.advance):
                settings["advance"] = level.advance
            elif last and (target := self.cleaned_data["target"]):
                settings["target"] = target
            if stage and stage.name and stage.name not in planned_names():
                name = stage.name
            else:  # "": the kind names the level in each reader's language
                by_kind = level_name(level.kind, 0, 2, self.tournament.language)
                name = "" if planned.name == by_kind else planned.name
            arguments.append(
                {
                    "stage": stage.uid if stage else uuid5(command, f"level {index}"),
                    "kind": level.kind,
                    "name": name,
                    "settings": settings,
                    "plan": Plan(
                        starts_at=planned.starts_at,
                        minutes=planned.expected.minutes,
                        players=level.players,
                        tables=len(level.sizes),
                        most=self.cleaned_data["most"] if kind_of(level.kind).one_play else None,
                    ).as_named(),
                }
            )
        return arguments

    def _defaults(self) -> dict[str, Any]:
        """Players: those here and late, if any; else the entries or, if more, the planned."""
        defaults: dict[str, Any] = {
            name: field.initial for name, field in self.base_fields.items() if field.initial is not None
        }
        planned = Plan.of(self.stages[0].plan) if self.stages else Plan()
        entries = Entry.objects.filter(tournament=self.tournament).to_seat()
        here = entries.filter(state=Entry.State.CHECKED_IN).count()
        if here >= 2:
            defaults["players"] = here + entries.filter(state=Entry.State.LATE).count()
        else:
            players = entries.count()
            known = players >= 2 or planned.players
            defaults["players"] = max(players, planned.players or 0) if known else USUAL_PLAYERS
        defaults["most"] = planned.most or defaults["most"]
        for number, stage in enumerate(self.heats, 1):
            advance = stage.settings.get("advance") or 1
            if advance > 1 or stage.tables.exists():  # the plan may change the default 1
                defaults[f"{ADVANCE}{number}"] = advance
        if self.final:
            defaults["target"] = self.final.settings.get("target", "")
        return defaults | {"starts_at": self._start(planned.starts_at).isoformat(timespec="seconds")}

    def _start(self, planned: datetime | None) -> datetime:
        """The planned start, else the event's, else USUAL_START; if past today, the next quarter of an hour."""
        zone = self.tournament.zone
        starts_at = planned or datetime.combine(
            self.tournament.starts_on, self.tournament.starts_at or USUAL_START, zone
        ).astimezone(UTC)
        now = timezone.now()
        if (
            starts_at > now
            or timezone.localdate(now, zone) != self.tournament.starts_on
            or any(stage.state != Stage.State.PLANNED for stage in self.stages)
        ):
            return starts_at
        return now.replace(second=0, microsecond=0) + timedelta(minutes=15 - now.minute % 15)
