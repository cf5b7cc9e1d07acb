"""Columns of a player list and their headings, in all languages; templates use the first heading of each. Older
templates stay readable."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

NAME, NICKNAME, CLUB = "name", "nickname", "club"
START_NUMBER, BIRTH_DATE, CONTACT, GUARDIAN = "start_number", "birth_date", "contact", "guardian"
PAID, DIVISION = "paid", "division"
COLUMNS = (NAME, NICKNAME, CLUB, START_NUMBER, BIRTH_DATE, CONTACT, GUARDIAN, PAID, DIVISION)

# parts of the name
FIRST, LAST = "first_name", "last_name"
SURNAME_FIRST = "surname_first"  # "Mäkelä Aino" or "Mäkelä, Aino"
LEFT_OUT = "out"  # known, ignored
STATE = "state"  # says who cancelled; not stored

# Synonyms separated by " | ".
HEADINGS: Mapping[str, Mapping[str, str]] = {
    "en": {
        NAME: "Name | Names | Full name | Real name | Player | Players | Player name | Participant | "
        "Participants",
        FIRST: "First name | Given name | Forename",
        LAST: "Last name | Surname | Family name",
        NICKNAME: "Nickname | Nick | Alias | Handle | Public name | Display name | Gamertag",
        CLUB: "Club or group | Club | Group | Team | Guild",
        START_NUMBER: "Start number | Start no | Number | Player number | No | # | Bib",
        BIRTH_DATE: "Birth date | Birthdate | Date of birth | Born | Birthday | DOB",
        CONTACT: "Contact | Contact details | Email | Email address | Mail | Phone | Telephone | Phone number "
        "| Mobile",
        GUARDIAN: "Guardian agrees | Guardian's consent | Guardian | Guardian consent | Consent | Parental "
        "consent | Parent's consent | Consent of a guardian | A guardian agrees",
        PAID: "Fee paid | Paid | Has paid | Payment received",
        DIVISION: "Division | Age class | Age group | Class",
        STATE: "State | Status | Order status | Ticket status | Registration status",
    },
    "fi": {
        NAME: "Nimi | Nimet | Koko nimi | Oikea nimi | Pelaaja | Pelaajat | Pelaajan nimi | Osallistuja | "
        "Osallistujat | Osallistujan nimi",
        FIRST: "Etunimi | Etunimet",
        LAST: "Sukunimi",
        NICKNAME: "Nimimerkki | Lempinimi | Julkinen nimi | Pelaajanimi | Nikki",
        CLUB: "Kerho tai ryhmä | Kerho | Seura | Seura tai ryhmä | Ryhmä | Joukkue | Kilta | Yhdistys",
        START_NUMBER: "Osallistujanumero | Lähtönumero | Numero | Nro | Pelaajanumero | Kilpailunumero",
        BIRTH_DATE: "Syntymäaika | Syntymäpäivä | Syntynyt | Synt.aika | Syntymäpvm",
        CONTACT: "Yhteystieto | Yhteystiedot | Sähköposti | Sähköpostiosoite | Puhelin | Puhelinnumero | Puh",
        GUARDIAN: "Huoltajan suostumus | Huoltaja | Huoltajan lupa | Suostumus | Huoltaja suostuu",
        PAID: "Maksettu | Maksu maksettu | On maksanut | Maksanut | Osallistumismaksu maksettu",
        DIVISION: "Sarja | Ikäluokka | Ikäsarja | Luokka",
        STATE: "Tila | Tilauksen tila | Lipun tila | Ilmoittautumisen tila",
    },
    "sv": {
        NAME: "Namn | Fullständigt namn | Riktigt namn | Spelare | Spelarens namn | Deltagare | Deltagarens "
        "namn",
        FIRST: "Förnamn | Tilltalsnamn",
        LAST: "Efternamn | Släktnamn",
        NICKNAME: "Smeknamn | Signatur | Offentligt namn | Visningsnamn | Spelarnamn",
        CLUB: "Klubb eller grupp | Klubb | Förening | Grupp | Lag | Gille",
        START_NUMBER: "Startnummer | Nummer | Nr | Deltagarnummer | Spelarnummer",
        BIRTH_DATE: "Födelsedatum | Född | Födelsedag | Födelsetid",
        CONTACT: "Kontakt | Kontaktuppgifter | E-post | E-postadress | Epost | Telefon | Telefonnummer | Mobil",
        GUARDIAN: "Vårdnadshavarens samtycke | Vårdnadshavare | Samtycke | Målsman | Målsmans samtycke | "
        "Vårdnadshavaren samtycker",
        PAID: "Avgift betald | Betald | Betalt | Har betalat | Betalat",
        DIVISION: "Klass | Åldersklass | Tävlingsklass",
        STATE: "Status | Tillstånd | Orderstatus | Biljettstatus | Anmälans status",
    },
}


@lru_cache(maxsize=10_000)
def folded(heading: str) -> str:
    """Normalise a heading: case, spaces, punctuation."""
    text = unicodedata.normalize("NFKC", heading).casefold()
    return "#" if text.strip() == "#" else "".join(letter for letter in text if letter.isalnum())


_COLUMN_OF = {
    folded(word): column
    for headings in HEADINGS.values()
    for column, words in headings.items()
    for word in words.split("|")
}


def column_of(heading: str) -> str:
    """The column of a heading in any language. A bracketed note is ignored: `Birth date (yyyy-mm-dd)`."""
    return _COLUMN_OF.get(folded(heading)) or _COLUMN_OF.get(folded(heading.partition("(")[0]), "")


def with_questions(questions: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """{folded heading: column} of questions as (column, labels)."""
    return {folded(label): column for column, labels in questions for label in labels}


def headings_in(language: str, columns: Iterable[str] = COLUMNS) -> list[str]:
    """Headings of a template in `language`, or English."""
    return [HEADINGS.get(language, HEADINGS["en"])[column].partition(" |")[0] for column in columns]


KINDS = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}
# with a decimal comma, semicolons separate
_DELIMITERS = {"en": ","}


def template_file(kind: str, language: str, *, title: str, zone: ZoneInfo, made: datetime) -> bytes:
    """Empty list to fill in. `kind` is a key of KINDS; `title` names the sheet."""
    headings = headings_in(language)
    if kind == "csv":
        text = io.StringIO()
        csv.writer(text, delimiter=_DELIMITERS.get(language, ";")).writerow(headings)
        return text.getvalue().encode("utf-8-sig")  # with BOM for Excel
    from tournament.files.workbook.writer import WorkbookWriter  # imports XlsxWriter

    file = io.BytesIO()
    workbook = WorkbookWriter(file, title=title, language=language, zone=zone, made=made)
    workbook.add_sheet(title, headings, ())
    workbook.finish()
    return file.getvalue()
