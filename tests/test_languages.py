"""What people read, in their own language: sheets that are read back, pages without an English word, catalogues."""

import re
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from conftest import FIXTURES, run, saved
from lxml import html

from resultproc.formats.text.listing import ABROAD
from resultproc.model.language import ENGLISH, in_words, languages, speak, speaking
from resultproc.model.text import vocabulary

WEDNESDAY = FIXTURES / "wed-open-pairs-2012-04-18.csv"
NAMES = {"fr": "french", "es": "spanish", "de": "german", "nl": "dutch"}
WHOLE = [*NAMES]


@pytest.fixture(autouse=True)
def in_english_again() -> Iterator[None]:
    yield
    speak(ENGLISH)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("de", "0.63 (A)", "0,63 (A)"),
        ("de", "Wednesday 18 April 2012", "Mittwoch, 18. April 2012"),
        ("fr", "April 2012", "avril 2012"),
        ("es", "April 18, 2012", "18 de abril de 2012"),
        ("nl", "1 table", "1 tafel"),
        ("nl", "7½ tables", "7½ tafels"),
        # French has no plural before two.
        ("fr", "0 pairs", "0 paire"),
        ("de", "2nd of 9 pairs in the section, stratum A", "2. von 9 Paaren in der Gruppe, Stratum A"),
        ("es", "Open club game", "Torneo de club abierto"),
        # What nobody has translated stays as it is, and so do names, versions and paragraphs.
        ("de", "Harold Holland", "Harold Holland"),
        ("de", "resultproc 0.2.0", "resultproc 0.2.0"),
        ("en", "0.63 (A)", "0.63 (A)"),
    ],
)
def test_what_people_read_is_said_in_their_language(language: str, text: str, said: str) -> None:
    with speaking(language):
        assert in_words(text) == said


@pytest.mark.parametrize("language", WHOLE)
def test_a_sheet_in_each_language_is_read_back(language: str, tmp_path: Path) -> None:
    said = ("--rating", "club-open", "--boards", 27, "--strata", "A=open,B=1000,C=200")
    english = run("award", WEDNESDAY).printed
    for name in ("sheet.txt", "sheet.xlsx"):
        run("award", WEDNESDAY, "--language", language, "-o", tmp_path / name)
        assert run("award", tmp_path / name).printed.replace("sheet", "wed") == english, name
    screen = run("award", WEDNESDAY, "--language", language).printed
    assert "Section " not in screen.replace("Section  A", "") or language == "fr"
    assert "0,63 (A)  Mortimer Sams - Anne Anderson" in screen
    assert run("award", saved(tmp_path / "screen.txt", screen), *said).printed == english


def test_a_workbook_for_the_wall_is_in_german(tmp_path: Path) -> None:
    run("award", WEDNESDAY, "--language", "de", "-o", tmp_path / "sheet.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "sheet.xlsx").worksheets[1]
    texts = {cell.value for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)}
    assert {"Paar", "Namen", "Punkte", "Nord-Süd", "Ost-West", "Harold Holland – Betty Holland"} <= texts
    assert "Mittwoch, 18. April 2012" in " ".join(texts)


@pytest.mark.parametrize("language", WHOLE)
def test_a_listing_has_the_words_that_are_read(language: str) -> None:
    words = vocabulary()["listings"][NAMES[language]]
    with speaking(language):
        assert {label: in_words(label) for label in words} == words
    assert all(ABROAD[word] == label for label, word in words.items())


def test_the_settings_and_the_option_say_which_language_it_is(tmp_path: Path) -> None:
    game = saved(tmp_path / "game.csv", WEDNESDAY.read_bytes())
    saved(tmp_path / "resultproc.toml", 'language = "nl"\n')
    assert "Noord-Zuid" in run("award", game).printed
    assert "Norte-Sur" in run("award", game, "--language", "es").printed
    # Programs get the same in each language.
    assert run("award", game, "--to", "json").printed == run("award", game, "--to", "json", "--language", "en").printed
    saved(tmp_path / "resultproc.toml", 'club = "Ours"\nlanguage = "xx"\n')
    assert "there is no language 'xx'; known: en, de, es, fr, nl" in run("award", game).err


def test_a_sealed_page_is_verified_in_its_language(tmp_path: Path) -> None:
    page = tmp_path / "sealed.html"
    run("award", WEDNESDAY, "--seal", "--language", "fr", "-o", page)
    assert html.fromstring(page.read_bytes()).get("lang") == "fr"
    assert run("verify", page).status == 0
    page.write_text(re.sub("0,63", "0,64", page.read_text("utf-8"), count=1), "utf-8")
    assert run("verify", page).status == 3
    assert languages()[0] == ENGLISH
