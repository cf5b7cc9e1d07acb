"""Forms of registration: organisers' settings, players' data."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, gettext_lazy as _, override

from rulesets import RULESETS, disputes_by_vote, ejects_after_warning
from tournament.actions.event.registration import MOST_PLACES
from tournament.forms.fields import RIGHT, MergingForm, day_field, moment_field, right_field
from tournament.models import Entry, Registration, Tournament, User
from tournament.queries.registration import (
    CHOICE,
    KINDS,
    LONGEST_ANSWER,
    LONGEST_LABEL,
    LONGEST_OPTION,
    MOST_QUESTIONS,
    OPTIONS,
    TICK,
    Question,
    as_given,
)
from tournament.words.faults import ruleset_name

# ---- The organisers' own questions ----

NONE = ""  # kind of a question that is not asked
QUESTION_WORDS = ("label", "options")  # per language


class AnswersForm(forms.Form):
    """A form with a field per question. `asked`: required ones must be answered; `answers`: stored, perhaps of a
    removed option."""

    def __init__(
        self,
        questions: Sequence[Question] = (),
        *args: Any,
        answers: Mapping[str, Any] | None = None,
        asked: bool = True,
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.answer_fields = {question.id: f"answer-{question.id}" for question in questions}
        for question in questions:
            answer = (answers or {}).get(question.id)
            self.fields[self.answer_fields[question.id]] = _field(question, answer, asked=asked)

    @property
    def answers(self) -> list[forms.BoundField]:
        return [self[name] for name in self.answer_fields.values()]

    def arguments(self) -> dict[str, Any]:
        """Arguments of the action; `RIGHT` only if ticked."""
        given = {uid: self.cleaned_data[name] for uid, name in self.answer_fields.items()}
        others = {
            name: value
            for name, value in self.cleaned_data.items()
            if name not in self.answer_fields.values() and (value or name != RIGHT)
        }
        return others | ({"answers": given} if given else {})


def _field(question: Question, answer: Any, *, asked: bool) -> forms.Field:
    needed = question.required and asked
    if question.kind == TICK:
        return forms.BooleanField(
            label=question.label,
            required=needed,
            initial=answer is True,
            error_messages={"required": _("Tick this to take part.")},
        )
    if question.kind == CHOICE:
        choices = question.choices
        if answer and answer not in dict(choices):
            choices = [*choices, (str(answer), str(answer))]
        empty = [] if needed and answer else [("", gettext("Choose one") if needed else "–")]
        return forms.ChoiceField(
            label=question.label, choices=[*empty, *choices], required=needed, initial=answer
        )
    return forms.CharField(
        label=question.label,
        required=needed,
        max_length=LONGEST_ANSWER,
        initial=answer,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )


class QuestionsForm(MergingForm, forms.Form):
    """Up to three questions in all languages; `rows`: stored questions."""

    erase = forms.BooleanField(
        label=_("Erase answers to questions that are removed or change their answer type"),
        required=False,
    )

    def __init__(
        self,
        tournament: Tournament,
        rows: Sequence[Mapping[str, Any]],
        *args: Any,
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.rows = rows
        self.languages = sorted(
            Tournament.Language.choices, key=lambda choice: choice[0] != tournament.language
        )
        for index in range(MOST_QUESTIONS):
            self._add(index, as_given(rows[index]) if index < len(rows) else {})
        self.carry()

    def _add(self, index: int, row: Mapping[str, Any]) -> None:
        self.fields[f"id_{index}"] = forms.UUIDField(
            initial=row.get("id", uuid4()), widget=forms.HiddenInput, required=False
        )
        self.fields[f"kind_{index}"] = forms.ChoiceField(
            label=_("Answer type"),
            choices=[(NONE, _("No question")), *KINDS.items()],
            required=False,
            initial=row.get("kind", NONE),
        )
        for code, name in self.languages:
            words = {"language": name}
            self.fields[f"label_{index}_{code}"] = forms.CharField(
                label=gettext("Question in %(language)s") % words,
                max_length=LONGEST_LABEL,
                required=False,
                initial=row.get("labels", {}).get(code),
                widget=forms.TextInput(attrs={"lang": code, "dir": "auto"}),
            )
            self.fields[f"options_{index}_{code}"] = forms.CharField(
                label=gettext("Options in %(language)s") % words,
                max_length=(LONGEST_OPTION + 2) * OPTIONS[1],
                required=False,
                initial="\n".join(row.get("options", {}).get(code, ())),
                help_text=gettext("Only for a choice. One option per line, at most %(most)d.")
                % {"most": OPTIONS[1]},
                widget=forms.Textarea(attrs={"rows": 4, "lang": code, "dir": "auto"}),
            )
        self.fields[f"required_{index}"] = forms.BooleanField(
            label=_("Answer required"), required=False, initial=row.get("required", False)
        )

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """Each question's fields, the event's language first."""
        (own, _name), *others = self.languages
        return [
            {
                "number": index + 1,
                "id": self[f"id_{index}"],
                "kind": self[f"kind_{index}"],
                "label": self[f"label_{index}_{own}"],
                "options": self[f"options_{index}_{own}"],
                "others": (
                    fields := [
                        self[f"{what}_{index}_{code}"]
                        for code, _language in others
                        for what in QUESTION_WORDS
                    ]
                ),
                "others_wrong": any(field.errors for field in fields),
                "required": self[f"required_{index}"],
                "asked": bool(self[f"kind_{index}"].value()),
            }
            for index in range(MOST_QUESTIONS)
        ]

    def arguments(self) -> dict[str, Any]:
        """Arguments of `set_questions`."""
        typed, codes = self.cleaned_data, [code for code, _name in self.languages]
        questions = []
        for index in range(MOST_QUESTIONS):
            if not (kind := typed[f"kind_{index}"]):
                continue
            lines = {code: typed[f"options_{index}_{code}"].splitlines() for code in codes}
            options = {code: list(filter(str.strip, lines[code])) for code in codes}
            known = self.rows[index]["id"] if index < len(self.rows) else None
            questions.append(
                {
                    "id": known or str(typed[f"id_{index}"] or uuid4()),
                    "kind": kind,
                    "required": typed[f"required_{index}"],
                    "labels": {code: text for code in codes if (text := typed[f"label_{index}_{code}"])},
                    "options": options if kind == CHOICE else {},
                }
            )
        return {"questions": questions, "erase": typed["erase"]}

    def field_of(self, path: str) -> str:
        """Field of a fault's path."""
        match path.split("/"):
            case ["", "questions", index, "kind"]:
                return f"kind_{self._asked(index)}"
            case ["", "questions", index, "labels", code]:
                return f"label_{self._asked(index)}_{code}"
            case ["", "questions", index, "options", code]:
                return f"options_{self._asked(index)}_{code}"
        return path.rsplit("/", 1)[-1]

    def _asked(self, index: str) -> int:
        return [each for each in range(MOST_QUESTIONS) if self.cleaned_data[f"kind_{each}"]][int(index)]


def text_field(label: Any, help_text: Any, rows: int) -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=help_text,
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": rows, "dir": "auto"}),
    )


class RegistrationForm(MergingForm, forms.Form):
    """Arguments of `set_registration`; `opened`: the pressed button. For use in the tournament's time zone."""

    opened = forms.BooleanField(required=False, widget=forms.TextInput)
    most = forms.IntegerField(
        label=_("Places"),
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text=_("Later players go on the waiting list. Leave empty for no limit."),
    )
    approval = forms.BooleanField(
        label=_("An organiser accepts each player"),
        required=False,
        help_text=_("Until then nobody else sees the player."),
    )
    closes_at = moment_field(_("Closes automatically"))
    check_in_from = moment_field(
        _("Self check-in opens"),
        _("Players use their own page. Leave both empty if you check everyone in yourself."),
    )
    check_in_until = moment_field(_("Self check-in closes"))
    terms = text_field(_("Terms of the event"), _("Everyone who registers agrees to the terms."), 7)
    safer_space = text_field(
        _("Safer space principles"), _("How people treat each other here. Shown with the terms."), 6
    )
    contact_person = forms.CharField(
        label=_("Contact person"),
        max_length=200,
        required=False,
        help_text=_("The person players can turn to, and how (name, phone number). Everyone can read this."),
    )

    def __init__(self, registration: Registration, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={name: getattr(registration, name) for name in self.base_fields})

    @classmethod
    def of(cls, registration: Registration, user: User) -> "RegistrationForm":
        """The form, with `starter_texts` until it is first saved."""
        if registration.tournament.ledger.filter(action="set_registration").exists():
            return cls(registration)
        return cls(
            registration,
            starter_texts(registration.tournament) | {"contact_person": user.get_full_name()},
        )


def starter_texts(tournament: Tournament) -> dict[str, str]:
    """Default terms and principles."""
    with override(tournament.language):
        terms = [
            (
                gettext("We play by the rules of %(ruleset)s. Players settle disputes by a vote.")
                if disputes_by_vote(tournament.ruleset)
                else gettext(
                    "We play by the rules of %(ruleset)s. The referees decide what the rules leave open."
                )
            )
            % {"ruleset": ruleset_name(tournament.ruleset)},
            gettext(
                "Nobody is ejected without a warning. A player who goes on after a warning is ejected and"
                " plays no further games. By taking part you agree to this."
            )
            if ejects_after_warning(tournament.ruleset)
            else gettext(
                "The referees may remove a player who disturbs the event. By taking part you agree to this."
            ),
            gettext("If you cannot come, say so on your own page, so that someone else gets your place."),
        ]
        safer_space = [
            *{
                "tite": [gettext("The event follows TREY’s equality plan and these safer space principles.")]
            }.get(RULESETS[tournament.ruleset].wording, []),
            gettext("Everyone is welcome as they are, and everyone helps to keep it that way."),
            gettext("We do not harass or belittle anyone or leave anyone out, at the table or away from it."),
            gettext(
                "We respect what others say about themselves, and ask before we touch or photograph anyone."
            ),
            gettext("If something feels wrong, tell the contact person or a referee. They listen and act."),
        ]
    return {"terms": "\n".join(terms), "safer_space": "\n".join(safer_space)}


class PersonForm(AnswersForm):
    """A player's own data, with answers to the questions."""

    public_name = forms.CharField(
        label=_("Nickname"),
        max_length=100,
        help_text=_("Everyone sees it, at the tables and in the results."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "dir": "auto"}),
    )
    club = forms.CharField(
        label=_("Club or group"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    public_name_is_right = right_field()
    real_name = forms.CharField(
        label=_("Real name"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name", "dir": "auto"}),
    )
    birth_date = day_field(
        _("Birth date"),
        _("Some rules ask who is oldest and youngest at the table."),
        autocomplete="bday",
        required=False,
    )
    contact = forms.CharField(
        label=_("Phone or e-mail"),
        max_length=200,
        required=False,
        help_text=_("So that the organisers can reach you."),
    )


class JoinForm(PersonForm):
    """A player who registers; arguments of `register`."""

    minor = forms.BooleanField(label=_("I am under 18 on the day of the event"), required=False)
    guardian = forms.BooleanField(
        label=_("My guardian agrees to my taking part"),
        required=False,
        help_text=_("Required from everyone under 18."),
    )
    terms = forms.BooleanField(
        label=_("I have read this and agree to it"),
        error_messages={"required": _("Tick this to take part.")},
    )


class OwnDataForm(MergingForm, PersonForm):
    """A registered player; arguments of `change_own_entry`."""

    always = frozenset({"real_name"})  # if empty, follows the nickname
    guardian = JoinForm.base_fields["guardian"]

    def __init__(self, questions: Sequence[Question], entry: Entry, *args: Any, **named: Any) -> None:
        player = entry.player
        named["initial"] = {
            "public_name": entry.public_name,
            "club": entry.club,
            "real_name": "" if player.name == entry.public_name else player.name,
            "birth_date": player.birth_date,
            "contact": player.contact,
            "guardian": entry.guardian,
        }
        super().__init__(questions, *args, answers=entry.answers, **named)
        name = self.fields["public_name"]
        name.disabled = entry.tournament.state != Tournament.State.PLANNED
        for answer in self.answer_fields.values():
            self.fields[answer].disabled = name.disabled
        if name.disabled:
            name.help_text = _("This cannot change now that play has begun.")
