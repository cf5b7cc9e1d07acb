"""Samples: forms, their errors, and the changes they make."""

from datetime import UTC, datetime

from django import forms

from tests.styleguide.samples import LONG, NAMES, ONE_WORD, Part, Sample, busy, disabled, focused
from tournament.pages.components import Comparison, ComparisonRow

AT = datetime(2026, 5, 9, 12, 41, 7, tzinfo=UTC)


class _Form(forms.Form):
    name = forms.CharField(label="Name", help_text="As it stands on the badge.")
    club = forms.CharField(label="Club", required=False)
    language = forms.ChoiceField(label="Language", choices=[("en", "English"), ("fi", "Suomi")])
    public = forms.BooleanField(
        label="Show on the public list", required=False, help_text="Others find you by it."
    )
    locked = forms.CharField(label="Rules", initial="Mattel 112", disabled=True)
    note = forms.CharField(label="Note", widget=forms.Textarea(attrs={"rows": 2}), required=False)


_FORM, _WRONG = _Form(), _Form({"name": "", "language": "xx", "club": ONE_WORD})
FORMS = [
    Part(
        "field",
        "A label, its help, the field, and beside it what is wrong.",
        [
            Sample(state="empty, with help", context={"field": _FORM["name"]}),
            Sample(state="optional", context={"field": _FORM["club"]}),
            Sample(state="one of several", context={"field": _FORM["language"]}),
            Sample(state="yes or no", context={"field": _FORM["public"]}),
            Sample(state="disabled", context={"field": _FORM["locked"]}),
            Sample(state="long text", context={"field": _FORM["note"]}),
            Sample(state="focus", context={"field": _FORM["name"]}, done=focused),
            Sample(state="error", context={"field": _WRONG["name"]}),
            Sample(state="error of a choice", context={"field": _WRONG["language"]}),
        ],
    ),
    Part(
        "readings",
        "Which time is meant in the night in which the clocks change; under the field.",
        [
            Sample(
                state="one chosen",
                context={
                    "name": "at",
                    "readings": [
                        ("a", "3:30, summer time (UTC+03:00)", False),
                        ("b", "3:30, winter time (UTC+02:00)", True),
                    ],
                },
            )
        ],
    ),
    Part(
        "errors",
        "What keeps a form from being saved; it gets the focus.",
        [
            Sample(state="one", context={"errors": [{"href": "#name", "text": "Give a name."}]}),
            Sample(
                state="several, one without a field",
                context={
                    "errors": [
                        {"href": "#name", "text": "Give a name."},
                        {"href": "", "text": f"{LONG} sits at table 4 already."},
                    ]
                },
            ),
        ],
    ),
    Part("form_errors", "The same of a form.", [Sample(state="two fields", context={"form": _WRONG})]),
    Part(
        "action_bar",
        "The next thing to tap, under the thumb.",
        [
            Sample(state="normal", context={"action": "Save the round"}, form=True),
            Sample(
                state="two ways, with a note",
                context={"action": "Save", "secondary": "Back", "secondary_url": "#", "note": "Sum 184"},
                form=True,
            ),
            Sample(
                state="entries wait on this phone",
                context={"action": "Next round", "note": "Round 4", "waiting": 2},
                form=True,
            ),
            Sample(state="on the server", context={"action": "Next round", "at": AT}, form=True),
            Sample(state="focus", context={"action": "Save the round"}, form=True, done=focused),
            Sample(state="loading", context={"action": "Save", "busy": "Saving …"}, form=True, done=busy),
            Sample(state="disabled", context={"action": "Save the round"}, form=True, done=disabled),
        ],
    ),
    Part(
        "erased",
        "What erasing a player does, before it is done.",
        [Sample(state="normal", context={"becomes": "Player 128"})],
    ),
]

_ROUND = Comparison(
    yours="Aino, 12:41",
    theirs="Çağla, 12:39",
    rows=[
        ComparisonRow(what="Went out", yours=NAMES[0], theirs=NAMES[0]),
        ComparisonRow(what=LONG, yours="7, 7, +4", theirs="7, +4"),
    ],
    points=[ComparisonRow(what=NAMES[0], yours="64", theirs="57")],
    totals=[ComparisonRow(what=NAMES[0], yours="412", theirs="405")],
)

COMPARISONS = [
    Part(
        "conflict",
        "Two people entered one play: what differs, and what follows.",
        [Sample(state="differs", context={"conflict": _ROUND}, inside="conflict panel")],
    ),
    Part(
        "change",
        "A correction: before and after.",
        [Sample(state="with totals", context={"change": _ROUND}, inside="conflict panel")],
    ),
]
