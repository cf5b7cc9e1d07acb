"""Examples of what is sent and answered are what the document says."""

import pytest

from tests.api.asking import plain
from tournament.api.examples import examples
from tournament.api.schema import document
from tournament.api.writes import SENT, WRITES, Write
from tournament.api.writing import body_of


@pytest.mark.parametrize("operation", examples())
@pytest.mark.sweep
def test_examples_have_the_documented_shape(operation: str) -> None:
    import jsonschema_rs

    data = plain(document())
    found = next(
        each for path in data["paths"].values() for each in path.values() if each["operationId"] == operation
    )
    sent, answered = examples()[operation]
    good = next(each for status, each in found["responses"].items() if status.startswith("2"))
    shape = good["content"]["application/json"]["schema"] | {"components": data["components"]}
    jsonschema_rs.validator_for(shape).validate(plain(answered))
    if sent is not None:
        body = found["requestBody"]["content"]["application/json"]["schema"] | {
            "components": data["components"]
        }
        jsonschema_rs.validator_for(body).validate(plain(sent))


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.action)
def test_every_body_has_an_example_that_is_one(write: Write) -> None:
    assert bool(body_of(write).fields) == (write.operation in SENT)
    body_of(write, data=SENT.get(write.operation, {}), partial=write.method == "PATCH").is_valid(
        raise_exception=True
    )
