"""An archive carries what an event says of itself, and a hostile one does not bring a picture that is none."""

from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from tests.actions.event.test_face import SAID, edit
from tests.support.archives import (
    archived,
    brought,
    comes_back,
    contents,
    forget_everything,
    rows_in,
    sealed,
    taken_apart,
    with_rows,
)
from tests.support.factories import event
from tests.support.pictures import bomb, in_base64, picture
from tournament.extras.archive.files.schema import NotImported, People
from tournament.ledger.verify import verify
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


def with_face() -> Tournament:
    return edit(event(), **SAID, logo=in_base64(picture()))


@pytest.mark.parametrize("people", list(People))
def test_it_comes_back_whole_and_without_names(people: People) -> None:
    was = with_face()
    archive, logo = archived(was, people), bytes(was.picture.content)
    forget_everything()
    back = Tournament.objects.get(uid=brought(archive).tournament)
    for name in (*SAID, "logo"):
        assert getattr(back, name) == getattr(was, name), name
    assert bytes(back.picture.content) == logo
    assert verify(back) == []
    assert contents(archived(back, people)) == contents(archive)


def test_it_comes_back_with_everything_else() -> None:
    assert comes_back(with_face()).fee == "5 €"


def changed(kind: str, **values: Any) -> bytes:
    files = taken_apart(archived(with_face()))
    forget_everything()
    return sealed(with_rows(files, kind, [row | values for row in rows_in(files, kind)]))


@pytest.mark.parametrize(
    "content",
    [b"<script>alert(1)</script>", picture(), picture("WEBP", (2000, 10)), bomb(), b""],
    ids=["script", "png", "too large", "bomb", "empty"],
)
def test_a_logo_that_is_no_stored_picture_is_refused(content: bytes) -> None:
    files = taken_apart(archived(with_face()))
    forget_everything()
    digest = sha256(content).hexdigest()
    for kind, values in (
        ("logo", {"content": b64encode(content).decode()}),
        ("tournament", {"logo": digest}),
    ):
        files = with_rows(files, kind, [row | values for row in rows_in(files, kind)])
    with pytest.raises(NotImported) as refused:
        brought(sealed(files))
    assert refused.value.code == "wrong_value"


@pytest.mark.parametrize(
    ("kind", "values", "code"),
    [
        ("logo", {"content": "***"}, "wrong_value"),
        ("logo", {"content": b64encode(picture("WEBP")).decode()}, "wrong_value"),  # not the digest's
        ("tournament", {"logo": ""}, "wrong_value"),
        ("tournament", {"colour": "red;}*{display:none"}, "wrong_value"),
        ("tournament", {"doors_at": "25:00:00"}, "wrong_value"),
        ("tournament", {"doors_at": "17:31:00"}, "not_verified"),
        ("tournament", {"description": "x" * 5001}, "wrong_value"),
    ],
)
def test_other_lies_are_refused(kind: str, values: dict[str, Any], code: str) -> None:
    archive = changed(kind, **values)
    with pytest.raises(NotImported) as refused:
        brought(archive)
    assert refused.value.code == code
    assert not Tournament.objects.exists()


def test_a_logo_that_the_event_names_must_be_there() -> None:
    files = taken_apart(archived(with_face()))
    forget_everything()
    with pytest.raises(NotImported) as refused:
        brought(sealed(with_rows(files, "logo", [])))
    assert refused.value.code == "wrong_count"
