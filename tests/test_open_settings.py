"""The page of a club's settings writes the file that all commands read, and leaves what somebody wrote there."""

import io
import tomllib
from importlib.resources import files
from typing import Any

import pytest

pytest.importorskip("flask")
pytest.importorskip("waitress")
pytest.importorskip("tomlkit")

from test_open import WEDNESDAY, Window, words

from resultproc.web.settings import OWN_COLOUR

SETTINGS = """\
# Riverside: ask Hugh before you change anything
club = "Riverside Bridge Club"  # as the union has it
boards = 24
strata = "A=open, B=750"   # since May

[weekday.friday]
boards = 18  # a short evening

[event."Friday Pairs"]
limit = 500

[site]
colour = "#0a6b4b"

[site.my-ebu]
club_id = "123"
"""


def sent(window: Window, members: tuple[str, bytes] | None = None, **values: str) -> Any:
    (form,) = window.page("/settings").forms
    data: dict[str, Any] = {name: value or "" for name, value in form.fields.items()}
    values = {name.replace("__", " "): value for name, value in values.items()}
    assert values.keys() <= data.keys()
    data |= values
    data["members"] = (io.BytesIO(members[1]), members[0]) if members else (io.BytesIO(b""), "")
    return window.client.post("/settings", base_url=window.base, data=data, content_type="multipart/form-data")


def written(window: Window) -> dict[str, Any]:
    return tomllib.loads((window.desk.root / "resultproc.toml").read_text("utf-8"))


def test_a_club_says_what_holds_for_its_games_in_words_and_numbers(window: Window) -> None:
    answer = sent(
        window,
        club="Example Bridge Club",
        rating="club-open",
        boards="27",
        limit__B="1000",
        limit__C="200",
        friday__boards="18",
        friday__rating="club-championship",
        left_out="Ann Lee\n1234567\n",
        colour="#7a1f1f",
        link__0__words="Our club",
        link__0__to="example.org",
        site__bridgewebs__club_id="myclub",
    )
    assert answer.status_code == 303, words_of(answer)
    assert "This is saved." in window.text(answer.headers["Location"])
    assert written(window) == {
        "club": "Example Bridge Club",
        "rating": "club-open",
        "boards": 27,
        "strata": "A=open, B=1000, C=200",
        "stratify_by": "average",  # as it was proposed: else each game would ask
        "weekday": {"friday": {"boards": 18, "rating": "club-championship"}},
        "players": {"left_out": ["Ann Lee", "1234567"]},
        "site": {
            "colour": "#7a1f1f",
            "links": {"Our club": "https://example.org"},
            "bridgewebs": {"club_id": "myclub"},
        },
    }
    # The form shows what the file says, and sent again it changes nothing.
    before = (window.desk.root / "resultproc.toml").read_bytes()
    assert sent(window).status_code == 303
    assert (window.desk.root / "resultproc.toml").read_bytes() == before
    # A game that says neither its class nor its strata is asked for nothing.
    lines = [
        line for line in WEDNESDAY.read_text("utf-8").splitlines() if not line.startswith(("# rating", "# strata"))
    ]
    game = window.dropped(("wed.csv", "\n".join(lines).encode()))
    assert "Save it" in window.text(game)
    assert "Mortimer Sams" in window.text(game)


def words_of(answer: Any) -> str:
    from lxml import html

    return words(html.document_fromstring(answer.data))


def test_what_is_written_there_by_hand_stays(window: Window) -> None:
    file = window.desk.root / "resultproc.toml"
    file.write_text(SETTINGS, "utf-8")
    assert sent(window).status_code == 303
    assert file.read_text("utf-8") == SETTINGS
    assert sent(window, boards="26", friday__boards="", limit__C="200", rating="club-open").status_code == 303
    text = file.read_text("utf-8")
    for kept in (
        "# Riverside: ask Hugh",
        "# as the union has it",
        '[event."Friday Pairs"]\nlimit = 500',
        'club_id = "123"',
    ):
        assert kept in text
    assert written(window) == {
        "club": "Riverside Bridge Club",
        "boards": 26,
        "strata": "A=open, B=750, C=200",
        "rating": "club-open",
        "weekday": {"friday": {}},
        "event": {"Friday Pairs": {"limit": 500}},
        "site": {"colour": "#0a6b4b", "my-ebu": {"club_id": "123"}},
    }


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"limit__B": "200", "limit__C": "1000"}, "are not in falling order"),
        ({"colour": "#ffff00"}, "is too pale to be read on white"),
        ({"link__0__words": "Our club"}, "a link has words and an address"),
        ({"boards": "many"}, "boards: "),
    ],
)
def test_what_cannot_be_a_setting_is_said_and_nothing_is_lost(
    window: Window, values: dict[str, str], told: str
) -> None:
    answer = sent(window, club="Example", **values)
    assert answer.status_code == 409
    assert told in words_of(answer)
    assert not (window.desk.root / "resultproc.toml").exists()
    assert 'value="Example"' in answer.text


def test_a_list_of_members_is_kept_and_read(window: Window) -> None:
    members = b"Number,Name,Holding\n1000001,Mortimer Sams,500\n1000002,Anne Anderson,700\n"
    assert sent(window, ("our players.csv", members), rating="club-open").status_code == 303
    assert (window.desk.root / "members.csv").read_bytes() == members
    assert written(window)["players"] == {"file": "members.csv"}
    assert "now members.csv" in window.text("/settings")
    answer = sent(window, ("nonsense.csv", b"a,b\n1,2\n"))
    assert answer.status_code == 409
    assert "this is not a list of players" in words_of(answer)
    assert (window.desk.root / "members.csv").read_bytes() == members


def test_a_file_that_cannot_be_read_is_not_written_over(window: Window) -> None:
    file = window.desk.root / "resultproc.toml"
    file.write_text("club = Riverside\n", "utf-8")
    page = window.get("/settings")
    assert "this TOML cannot be read" in page.text
    (form,) = window.page("/settings").forms
    answer = window.client.post(
        "/settings", base_url=window.base, data={**dict(form.fields), "club": "x", "members": ""}
    )
    assert answer.status_code == 409
    assert file.read_text("utf-8") == "club = Riverside\n"


MORE = """\
strata = "A=open, B=1500, C=750, D=300, E=100"

[players]
left_out = [
  "Ann Ash",  # asked in May
  "Bob Elm",
]

[site.links]
one = "https://one.example"
two = "https://two.example"
three = "https://three.example"
four = "https://four.example"
five = "https://five.example"
"""


def test_links_and_strata_that_the_form_has_no_place_for_stay(window: Window) -> None:
    (window.desk.root / "resultproc.toml").write_text(MORE, "utf-8")
    assert sent(window, limit__B="1400", link__0__words="first").status_code == 303
    now = written(window)
    assert now["strata"] == "A=open, B=1400, C=750, D=300, E=100"
    assert list(now["site"]["links"]) == ["first", "two", "three", "four", "five"]


def test_a_list_that_a_browser_sends_back_as_it_was_keeps_its_comments(window: Window) -> None:
    (window.desk.root / "resultproc.toml").write_text(MORE, "utf-8")
    assert sent(window, left_out="Ann Ash\r\nBob Elm", boards="24").status_code == 303
    assert '"Ann Ash",  # asked in May' in (window.desk.root / "resultproc.toml").read_text("utf-8")


@pytest.mark.parametrize("name", ["007", "²"])
def test_a_club_that_is_called_by_a_number_keeps_its_name(window: Window, name: str) -> None:
    assert sent(window, club=name).status_code == 303
    assert written(window)["club"] == name


def test_a_value_where_a_table_has_its_place_is_refused_and_left(window: Window) -> None:
    (window.desk.root / "resultproc.toml").write_text('players = "x"\n', "utf-8")
    answer = sent(window, left_out="Ann Ash")
    assert answer.status_code == 409
    assert (window.desk.root / "resultproc.toml").read_text("utf-8") == 'players = "x"\n'


@pytest.mark.parametrize(("key", "shown"), [("left_out", "5"), ("file", "")])
def test_what_is_no_list_or_name_of_players_is_told(window: Window, key: str, shown: str) -> None:
    (window.desk.root / "resultproc.toml").write_text(f"[players]\n{key} = 5\n", "utf-8")
    (form,) = window.page("/settings").forms
    assert form.fields["left_out"] == shown
    answer = sent(window, boards="24")
    assert (answer.status_code, "[players]" in words_of(answer)) == (409, True)


def test_a_form_without_its_version_is_refused(window: Window) -> None:
    answer = window.client.post("/settings", base_url=window.base, data={"token": window.guard.token, "boards": "24"})
    assert (answer.status_code, "changed in another window" in words_of(answer)) == (409, True)


def test_a_day_in_capitals_is_the_day_and_two_links_have_words_of_their_own(window: Window) -> None:
    file = window.desk.root / "resultproc.toml"
    file.write_text('[weekday.Monday]\nboards = 18\n\n[site]\ncolour = "#0A6B4B"\n', "utf-8")
    assert sent(window, monday__boards="21").status_code == 303
    assert file.read_text("utf-8") == '[weekday.Monday]\nboards = 21\n\n[site]\ncolour = "#0A6B4B"\n'
    links = dict.fromkeys(("link__0__words", "link__1__words"), "Our club")
    answer = sent(window, **links, link__0__to="one.example", link__1__to="two.example")
    assert "two links have the words 'Our club'" in words_of(answer)


def test_a_colour_is_chosen_and_the_pages_own_is_none_of_the_club_s(window: Window) -> None:
    """A browser's field is never empty: what it has at first is the colour that pages have."""
    style = (files("resultproc") / "pages" / "page.css").read_text("utf-8")
    assert f"--accent: {OWN_COLOUR};" in style.split("@media")[0]
    (field,) = window.page("/settings").xpath("//input[@type='color']")
    assert (field.get("name"), field.get("value")) == ("colour", OWN_COLOUR)
    assert sent(window, colour="#7a1f1f").status_code == 303
    assert written(window)["site"]["colour"] == "#7a1f1f"
    assert sent(window, colour=OWN_COLOUR).status_code == 303
    assert "colour" not in written(window)["site"]


def test_the_language_of_the_club_s_pages_is_chosen_by_its_own_name(window: Window) -> None:
    options = window.page("/settings").xpath("//select[@name='language']/option")
    assert [(each.get("value"), each.text or "") for each in options][:3] == [
        ("", ""),
        ("en", "English"),
        ("de", "Deutsch"),
    ]
    assert sent(window, language="fr").status_code == 303
    assert written(window)["language"] == "fr"
    assert "Votre club" in window.text("/settings")


def test_nothing_of_another_window_or_of_a_file_that_is_there_is_written_over(window: Window) -> None:
    (form,) = window.page("/settings").forms
    old = {**{name: value or "" for name, value in form.fields.items()}, "members": "", "boards": "12"}
    assert sent(window, boards="24").status_code == 303
    answer = window.client.post("/settings", base_url=window.base, data=old)
    assert "the settings were changed in another window since" in words_of(answer)
    assert written(window)["boards"] == 24
    (window.desk.root / "members.csv").write_text("mine", "utf-8")
    answer = sent(window, ("our players.csv", b"Number,Name\n1000001,Mortimer Sams\n"))
    assert "members.csv is there already, and is not the list of your players" in words_of(answer)
    assert (window.desk.root / "members.csv").read_text("utf-8") == "mine"


@pytest.mark.slow
def test_saved_games_are_awarded_by_the_settings_at_once(window: Window) -> None:
    data = WEDNESDAY.read_bytes().replace(b"# rating: club-open\n", b"")
    (window.desk.root / "resultproc.toml").write_text('rating = "club-open"\n', "utf-8")
    game = window.dropped(("wed.csv", data))
    assert window.send(game, "/save").status_code == 303
    page = window.desk.results / "2012-04-18 wed.html"
    assert b"Example Bridge" not in page.read_bytes()
    answer = sent(window, club="Example Bridge")
    assert "what you saved before is awarded by it" in window.text(answer.headers["Location"])
    assert b"Example Bridge" in page.read_bytes()
