"""What a password may not be, beside Django's own checks of its length and of the 20,000 commonest."""

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

# The first that somebody would try here; docs/operators.md names them.
WORDS = (
    "lastcard",
    "uno",
    "mattel",
    "tournament",
    "turnaus",
    "referee",
    "tuomari",
    "organiser",
    "player",
    "cards",
)
LEFT = 5  # letters and digits that are to be left without them

_WORDS = re.compile("|".join(WORDS), re.IGNORECASE)
_REST = re.compile(r"[\W\d_]+")


class NotOurWords:
    """No password that is made of words that stand on every page here, with digits and signs around them."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raises ValidationError `password_our_words` for a password made of such words."""
        del user
        if _WORDS.search(password) and len(_REST.sub("", _WORDS.sub("", password))) < LEFT:
            raise ValidationError(self.get_help_text(), code="password_our_words")

    def get_help_text(self) -> str:
        return gettext(
            "Your password can’t be a word that everybody would try here, such as Lastcard or referee."
        )
