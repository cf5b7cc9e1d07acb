"""Templates stay readable: no line is longer than an editor shows."""

from tests.support.templates import ROOT, template_files

LONGEST = 160  # characters of a line
MEND = (
    "Break it between two blocks, between two attributes or at a space that is there already; a message becomes"
    " {% blocktranslate trimmed %}. New white space between inline elements shows on the page."
)


def test_no_line_of_a_template_is_too_long() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number} has {len(line)} characters"
        for path in template_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST
    ]
    assert not long, "\n".join([*long, MEND])
