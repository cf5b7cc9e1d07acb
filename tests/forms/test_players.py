"""Players as forms: a pasted list, one of them, somebody at the door."""

from django import forms

from tournament.forms.players import WalkInForm, words_in_name


def test_walk_in_of_a_known_name_is_asked_about() -> None:
    names, tables = [words_in_name("Aino Mäkelä")], [("none", "No seat yet")]
    form = WalkInForm(names, tables, {"name": "makela aino", "table": "none"})
    assert not form.is_valid()
    assert isinstance(form.fields["namesake"].widget, forms.CheckboxInput)
    assert WalkInForm(names, tables, {"name": "makela aino", "namesake": "on"}).is_valid()
    assert form.fields["table"].initial == "none"
