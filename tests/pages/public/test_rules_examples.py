"""The examples in the rules say what scoring says."""

from django.test import Client


def page(ruleset: str, language: str = "en") -> str:
    answer = Client().get(f"/{language}/rules/{ruleset}/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_cards_that_are_not_in_the_deck_are_not_explained() -> None:
    assert "<b>Shuffle Hands</b>" not in page("mattel-108")
    assert "<b>Wild</b>" not in page("tite-2022")


def test_examples_say_what_scoring_says() -> None:
    game = page("kpgut-2016")
    assert 'out after 14 min 59 s </td> <td class="num">1</td> <td class="num">14</td>' in game
    assert 'gave up </td> <td class="num">4</td> <td class="num">61</td>' in game
    assert "The best gets 65 points, the next 70, then 75 and so on." in game

    match = page("mattel-112")
    assert '7, Draw 2</td> <td class="num">27</td>' in match
    assert '<td> none</td> <td class="num">86</td>' in match
