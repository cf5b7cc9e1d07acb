"""The guides: each section is one task that fits on a phone, and every language has the same sections."""

import re

import pytest

from tournament.extras.help.words import DOCS, GUIDES, sections

LANGUAGES = ("en", "fi", "sv")
# The most words below a heading that fit a phone of 390 by 844 pixels, without a picture and with one.
WORDS, WORDS_BESIDE_PICTURE = 105, 80
PICTURE_WIDTH = "300"
NOT_SHOWN = re.compile(r"<[^>]*>|\]\([^)]*\)")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("guide", GUIDES)
def test_section_fits_on_a_phone(guide: str, language: str) -> None:
    text = (DOCS / ("" if language == "en" else language) / f"{guide}.md").read_text()
    assert set(re.findall(r'<img [^>]*width="(\d+)"', text)) == {PICTURE_WIDTH}
    long = {}
    for section in text.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        count = len(re.findall(r"\w[\w’'.-]*", NOT_SHOWN.sub(" ", body)))
        if count > (WORDS_BESIDE_PICTURE if "<img" in body else WORDS):
            long[title] = count
    assert long == {}


@pytest.mark.parametrize("guide", GUIDES)
def test_guide_has_the_same_sections_in_every_language(guide: str) -> None:
    english = [section.id for section in sections(guide, "en")]
    assert len(set(english)) == len(english)
    for language in LANGUAGES:
        assert [section.id for section in sections(guide, language)] == english
        assert all(section.also for section in sections(guide, language))
