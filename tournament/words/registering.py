"""Fault texts by code for registering (terms, questions, answers) and merging entries."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REGISTERING: dict[str, str | Promise] = {
    "too_many_questions": _("At most %(most)s questions."),
    "too_few_options": _("Write %(least)s to %(most)s options, one per line."),
    "options_uneven": _("Write %(n)s lines, as many as in the event’s language."),
    "option_twice": _("The same option is listed twice."),
    "answers_would_go": _(
        "Players have answered a question that you are removing or changing to another kind. Tick"
        " below to erase their answers (%(n)s), or put the question back."
    ),
    "answer_missing": _("Answer this to take part."),
    "answers_locked": _("Play has begun, so answers cannot be changed."),
    "not_an_option": _("Choose one of the options."),
    "terms_not_accepted": _("Tick this to take part."),
    "guardian_missing": _("Players under 18 need a guardian’s consent. Tick this when you have it."),
    "guest_players": _(
        "This event is full. Without an account it can have at most %(most)s players. The "
        "organiser can ask the people who run this Lastcard server for an account."
    ),
    "too_many_unseen": _(
        "So many have registered that the organiser must check first. Tell the organiser, or try again later."
    ),
    "both_played": _(
        "Both have a result in %(stage)s (%(play)s). If one of the two is wrong, correct or void it. If "
        "not, they are two people."
    ),
    "keep_removed": _("%(player)s was removed by the referees. Keep that entry."),
    "other_plays_on": _(
        "%(player)s is out, and the other one is still playing. Let %(player)s back in, or mark the other"
        " one as left."
    ),
}
