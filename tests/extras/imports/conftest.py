"""An evening of people who come again."""

from tests.views.organiser.test_people import first  # noqa: F401 - a fixture
