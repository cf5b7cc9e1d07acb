"""A folder of house rulesets."""

from tests.support.house_rules import folder  # noqa: F401 - a fixture
