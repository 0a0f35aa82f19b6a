"""Rulebooks: what acbl-club states, readings switched by a user's own TOML, bad TOML, editions, and which one holds."""

import re
import sys
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from games import HANDICAP, awarded, candidates, falling, ladder, mitchell, paid, places, rulebook_file, sheet, together

from resultproc.model.basis import Basis, Kind
from resultproc.model.errors import DeclarationError, RulebookError
from resultproc.rulebooks import choice, core
from resultproc.rulebooks.acbl_club.rules import ClubRules
from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.common.exact import decimal, half_up, hundredths, rounded, steps
from resultproc.rulebooks.core import Rulebook
from resultproc.rulebooks.load import load_from_package, parse_rulebook, rulebook, rulebooks
from resultproc.stages.pipeline import award_sheet

# What the Handbook prints.


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("section.rate.club-open", ".10"),
        ("section.rate.club-invitational", ".08"),
        ("section.rate.introductory", ".03"),
        ("section.cap.club-open", "1.50"),
        ("section.cap.club-invitational", "1.20"),
        ("section.cap.club-newcomer", "1.00"),
        ("section.cap.introductory", ".50"),
        ("section.depth", ".40"),
        ("overall.cap.club-open", "2.50"),
        ("overall.cap.club-invitational", "2.00"),
        ("overall.cap.club-newcomer", "1.67"),
        ("overall.step", ".75"),
        ("overall.places", "6"),
        ("stratum.least-in-game", "5"),
        ("bam.factor", "1.10"),
        ("series.games", "4"),
        ("series.rate", ".02"),
        ("series.cap.club-open", "1.50"),
        ("series.cap.club-invitational", "1.20"),
        ("series.step", ".75"),
        ("series.places", "3"),
    ],
)
def test_acbl_club_states_what_the_handbook_prints(path, value):
    edition = rulebook("acbl-club").at(date(2012, 4, 18))
    assert edition.number(path) == Decimal(value)
    assert edition.entry(path).confidence == "printed"


def test_acbl_club_says_which_of_its_values_are_not_printed():
    entries = rulebook("acbl-club").at(date(2012, 4, 18)).entries.values()
    assert {entry.path for entry in entries if entry.confidence != "printed"} == {
        "limited.section-caps",
        "limited.overall-caps",
        "special.rating",
        "overall.cap.introductory",
        "overall.rate",
        "overall.field",
        "series.tied-winners",
        "concurrent.strata",
        "concurrent.half-table",
        "concurrent.newcomers",
        "bam.cap-reading",
        "section.rate.pupil",
        "section.cap.pupil",
        "overall.cap.pupil",
        "stratum.least-in-group",
        "stratum.least-compared",
        "stratum.overall",
        "large.reading",
    }
    assert all(entry.note for entry in entries if entry.confidence != "printed")


@pytest.mark.parametrize("name", [book.id for book in rulebooks()])
def test_every_value_of_every_rulebook_is_cited_from_a_known_source(name):
    book = rulebook(name)
    for versions in book.entries.values():
        for entry in versions:
            assert entry.cite.partition(", ")[0] in book.sources, entry.path
    assert all(source["title"] for source in book.sources.values())


def test_a_citation_names_document_place_and_confidence():
    edition = rulebook("acbl-club").at(date(2012, 4, 18))
    handbook = "ACBL Handbook of Rules and Regulations, ch. 4 (club masterpoint awards), web edition about 2013-15"
    assert edition.cite("section.depth", "section.cap.club-newcomer") == (
        f"{handbook}, depth of awards and newcomer games"
    )
    assert edition.cite("overall.rate", "section.depth") == (
        "Online VACB Games Master Point Award Summary (about 2020), Step 1: .1 per table for Mitchell, .2 for Howell "
        f"(inferred); {handbook}, depth of awards"
    )


def test_an_unknown_value_is_an_error():
    edition = rulebook("acbl-club").at(date(2012, 4, 18))
    with pytest.raises(RulebookError, match=r"rulebook acbl-club has no value for section\.rate\.regional"):
        edition.number("section.rate.regional")


# A club's own rulebook.


def tied(count, at):
    """The rows of a Howell of ten with a tie of so many."""
    scores = [10 - place for place in range(10)]
    scores[at - 1 : at - 1 + count] = [scores[at - 1]] * count
    return [f"A-{i} . {score}" for i, score in enumerate(scores, 1)]


TABLES = "A=6, B=4"
LIMITED = {"rating": "club-restricted", "limit": 200}
BESIDE = {"concurrent_tables": "200=2.5"}
NEWCOMER = {"rating": "club-newcomer", "limit": 20}


def north_south(tables, **keys):
    """A Mitchell of so many tables: its rows, keys, and whose awards are looked at."""
    return mitchell(tables), {"tables": tables, **keys}, "A-NS"


def one_winner(rows, tables, **keys):
    return rows, {"tables": tables, **keys}, "A"


def two_sections(**keys):
    """Sections of 6 and 4 tables, all of A above all of B."""
    return mitchell(6) + mitchell(4, "B", top=60), {"tables": TABLES, **keys}, "A-NS"


FOUR_PLACES = "1.00 0.70 0.50 0.35"
OVERALL = "1.00 0.75 0.56 0.42 0.32 0.24"
THREE_FOR_LAST, TWO_FOR_LAST = "1.00 0.70 0.50 0.24 0.24 0.24", "1.00 0.70 0.50 0.28 0.28"


SWITCHED = [
    # A bonus of 10%: 9 x .10 x 1.10 = .99; .693, .495, .3465. The cap too: 1.65, 1.155, .825, .5775, .33, .275.
    ("bonus.factor", "1.10", north_south(9), "0.90 0.63 0.45 0.32", "0.99 0.69 0.50 0.35"),
    ("bonus.factor", "1.1", north_south(16), "1.50 1.05 0.75 0.53 0.30 0.25", "1.65 1.16 0.83 0.58 0.33 0.28"),
    ("section.rate.club-open", "0.12", north_south(8), "0.80 0.56 0.40", "0.96 0.67 0.48"),  # .672
    ("section.rate.club-invitational", "0.10", north_south(5, rating="club-invitational"), "0.40 0.28", "0.50 0.35"),
    ("section.rate.introductory", "0.02", north_south(5, special="introductory"), "0.15 0.11", "0.10 0.07"),
    ("section.cap.club-open", "1", north_south(12), "1.20 0.84 0.60 0.42 0.24", "1.00 0.70 0.50 0.35 0.20"),
    ("section.percentages", "[75, 50]", north_south(10), FOUR_PLACES, "1.00 0.75 0.50 0.25"),
    ("section.depth", "0.5", north_south(10), FOUR_PLACES, "1.00 0.70 0.50 0.35 0.20"),
    ("newcomer.rate", "[[20, 0.06]]", north_south(8, **NEWCOMER), "0.40 0.28 0.20", "0.48 0.34 0.24"),
    # An older table of limited games; a lower cap for 12 pairs (before: .588, .294, .168).
    ("limited.rate", "[[300, 0.09]]", north_south(10, **LIMITED), "0.70 0.49 0.35 0.25", "0.90 0.63 0.45 0.32"),
    (
        "limited.section-caps",
        '[["open", 0.70]]',
        north_south(12, **LIMITED),
        "0.84 0.59 0.42 0.29 0.17",
        "0.70 0.49 0.35 0.25 0.14",
    ),
    ("bam.factor", "1.5", one_winner(falling("A", 8), 8, event_type="bam"), "0.88 0.62 0.44", "1.20 0.84 0.60"),
    # Ties across the last of four paying places: .35, then .20 and .17.
    ("ties.beyond-depth", "'one'", one_winner(tied(3, 4), 5), THREE_FOR_LAST, "1.00 0.70 0.50 0.18 0.18 0.18"),
    ("ties.beyond-depth", "'none'", one_winner(tied(3, 4), 5), THREE_FOR_LAST, "1.00 0.70 0.50 0.12 0.12 0.12"),
    ("ties.beyond-depth", "'one'", one_winner(tied(2, 4), 5), TWO_FOR_LAST, "1.00 0.70 0.50 0.28 0.28"),
    ("ties.beyond-depth", "'none'", one_winner(tied(2, 4), 5), TWO_FOR_LAST, "1.00 0.70 0.50 0.18 0.18"),
    # Games at the same time, none of which counts by itself: of 2 1/2 tables 3 contestants, in a Howell 5.
    ("concurrent.strata", "'top'", north_south(5, **BESIDE), "0.50 0.35", "0.80 0.56"),
    ("concurrent.strata", "'within the limit'", north_south(5, **BESIDE), "0.50 0.35", "0.80 0.56"),
    ("concurrent.strata", "'all'", one_winner(falling("A", 10), 5, **BESIDE), FOUR_PLACES, "1.50 1.05 0.75 0.53"),
    # Sections pay .60 and .42 to the first two.
    ("overall.given", "'none'", two_sections(), OVERALL, "0.60 0.42"),
    ("overall.places", "3", two_sections(), OVERALL, "1.00 0.75 0.56"),
    ("overall.step", "0.5", two_sections(), OVERALL, "1.00 0.50 0.25 0.13 0.06 0.03"),  # .125 .0625 .03125
    ("overall.rate", "0.5", two_sections(), OVERALL, "0.60 0.42 0.28 0.21 0.16 0.12"),  # .50 .375 .28 .21 .16 .12
    ("overall.cap.club-open", "0.8", two_sections(), OVERALL, "0.80 0.60 0.45 0.34 0.25 0.19"),
    # 10 x .07 = .70; at most .35, .2625, .1969, .1477, .1107, .0831, and sections of .42, .294.
    (
        "limited.overall-caps",
        '[["open", 0.35]]',
        two_sections(**LIMITED),
        "0.70 0.53 0.39 0.30 0.22 0.17",
        "0.42 0.29 0.20 0.15 0.11 0.08",
    ),
]
"""A path, its value, a game, and what it pays under the Handbook and with that value."""


@pytest.mark.slow
def test_readings_and_tables_are_switched_by_a_users_toml(tmp_path):
    games = []
    for number, (path, value, (rows, keys, _), *_) in enumerate(SWITCHED):
        own = rulebook_file(tmp_path, f"[{path}]\nvalue = {value}", f"own-{number}.toml")
        games += [sheet(rows, f"{number} before", rulebook="acbl-club", **keys)]
        games += [sheet(rows, f"{number} after", rulebook=own, **keys)]
    result = award_sheet(together(*games))
    found = [
        (path, value, *(" ".join(ladder(result, whose, f"{number} {when}")) for when in ("before", "after")))
        for number, (path, value, (_, _, whose), *_) in enumerate(SWITCHED)
    ]
    assert found == [(path, value, before, after) for path, value, _, before, after in SWITCHED]


@pytest.mark.parametrize(
    ("half", "mitchell_first", "howell_first"),
    # 5 + 2 tables and 10 + 4 pairs, and what half a table adds.
    [("0", "0.70", "1.40"), ("1", "0.80", "1.50"), ("2", "0.90", "1.60")],
)
def test_what_half_a_table_of_a_concurrent_game_counts_as(tmp_path, half, mitchell_first, howell_first):
    credited = "[concurrent.strata]\nvalue = 'top'\n[section.cap.club-open]\nvalue = 2\n"
    own = rulebook_file(tmp_path, f"{credited}[concurrent.half-table]\nvalue = {half}\n")
    assert ladder(awarded(mitchell(5), tables=5, rulebook=own, **BESIDE), "A-NS")[0] == mitchell_first
    assert ladder(awarded(falling("A", 10), tables=5, rulebook=own, **BESIDE), "A")[0] == howell_first


def test_an_award_with_credit_cites_what_says_so(tmp_path):
    own = rulebook_file(tmp_path, "[concurrent.strata]\nvalue = 'top'\ncite = 'the board'\n")
    candidate = awarded(mitchell(5), tables=5, rulebook=own, **BESIDE).candidates.iloc[0]
    assert candidate["factors"] == "first 0.80 (0.10 x 8 = 0.80; 3 of concurrent games); 2 places pay"
    paths = [value.path for value in candidate["values"].items]
    assert {"concurrent.strata", "concurrent.half-table"} <= set(paths)
    assert "concurrent.newcomers" not in paths  # it decides nothing where the top stratum alone is credited


def test_one_overall_field_over_both_directions(tmp_path):
    # 10 tables of two sections: 20 pairs at .10; all of the N-S pairs lead.
    combined = rulebook_file(tmp_path, "[overall.field]\nvalue = 'combined'")
    rows = falling("A-NS", 6, top=80) + falling("A-EW", 6, top=60)
    rows += falling("B-NS", 4, top=70) + falling("B-EW", 4, top=50)
    apart = awarded(rows, tables=TABLES)
    assert candidates(apart, "A-NS-1")["overall A"] == candidates(apart, "A-EW-1")["overall A"] == "1.00"
    one = awarded(rows, tables=TABLES, rulebook=combined)
    assert candidates(one, "A-NS-1")["overall A"] == "2.00"
    assert places(one, "A-EW-1")["overall A"] == "11 of 20"
    # A Mitchell and a Howell are then one field too: 6 and 2 tables at .20, 1.60 and 1.20 for the two tied for first,
    # .90 and .68 (.675) for those tied for third.
    mixed = awarded(mitchell(6, top=80) + falling("B", 4, top=50), tables="A=6, B=2", rulebook=combined)
    assert candidates(mixed, "A-NS-1")["overall A"] == candidates(mixed, "A-EW-1")["overall A"] == "1.40"
    assert candidates(mixed, "A-NS-2")["overall A"] == "0.79"


def test_the_least_pairs_of_a_stratum(tmp_path):
    # Three in B, limit 1000: 3 x .08 = .24, one place.
    rows = [*falling("A-NS", 7, "A"), *(f"A-NS-{i} B {50 - i}%" for i in (8, 9, 10))]
    strata = {"tables": 10, "strata": "A=open, B=1000", "date": "2010-12-31"}
    assert paid(awarded(rows, **strata))["A-NS-8"] == "0.00"
    three = rulebook_file(tmp_path, "[stratum.least-in-game]\nvalue = 3")
    assert paid(awarded(rows, **strata, rulebook=three))["A-NS-8"] == "0.24 section B"


def test_handicap_awards_never_added(tmp_path):
    never = rulebook_file(tmp_path, "[handicap.added]\nvalue = false")
    keys = {"tables": TABLES, "special": "handicap"}
    assert paid(awarded(HANDICAP, **keys))["B-NS-1"] == "1.15 section + handicap overall A"
    assert paid(awarded(HANDICAP, **keys, rulebook=never))["B-NS-1"] == "0.75 handicap overall A"


def test_an_award_under_an_own_rulebook_cites_it(tmp_path):
    text = '[bonus.factor]\nvalue = 1.1\ncite = "the board, minutes of 3 May"\nnote = "anniversary"\n'
    result = awarded(mitchell(9), tables=9, rulebook=rulebook_file(tmp_path, text))
    rule = result.candidates["rule"].iloc[0]
    assert "the board, minutes of 3 May" in rule
    assert "ACBL Handbook" in rule
    assert result.candidates["factors"].iloc[0] == "first 0.99 (0.10 x 9 = 0.90, x 1.1); 4 places pay"
    uncited = awarded(
        mitchell(9), tables=9, rulebook=rulebook_file(tmp_path, "[bonus.factor]\nvalue = 2", "night.toml")
    )
    assert "night" in uncited.candidates["rule"].iloc[0]


def test_an_own_rulebook_may_build_on_another_beside_it(tmp_path):
    rulebook_file(tmp_path, "[section.rate.club-open]\nvalue = 0.20", "base.toml")
    top = rulebook_file(tmp_path, 'extends = "base.toml"\n[bonus.factor]\nvalue = 1.5', "top.toml")
    # 5 x .20 x 1.5 = 1.50, 70% of it 1.05.
    assert ladder(awarded(mitchell(5), tables=5, rulebook=top), "A-NS") == ["1.50", "1.05"]


def test_an_own_rulebook_keeps_what_it_does_not_state(tmp_path):
    book = rulebook(rulebook_file(tmp_path, 'title = "Friday"\n[section.depth]\nvalue = 0.5'))
    assert (book.id, book.title, book.extends) == ("my-club", "Friday", "acbl-club")
    changed = book.at(date(2020, 1, 1)).entry("section.depth")
    expected = (Decimal("0.5"), "of the contestants in the comparison group, .5 rounded up")
    assert (changed.value, changed.unit) == expected
    assert book.covers == rulebook("acbl-club").covers


def test_an_own_rulebook_may_leave_values_out(tmp_path):
    text = "without = ['series', 'limited.rate']"
    book, club = rulebook(rulebook_file(tmp_path, text)), rulebook("acbl-club")
    assert book.without == ("series", "limited.rate")
    series = {path for path in club.entries if path.startswith("series.")}
    assert len(series) > 5
    assert set(club.entries) - set(book.entries) == {"limited.rate", *series}
    # What is left out is not there to be changed either.
    text += "\n[limited.rate]\nvalue = [[20, 0.05]]"
    with pytest.raises(RulebookError, match=r"^other.toml: line 3: unknown value 'limited\.rate'"):
        rulebook(rulebook_file(tmp_path, text, "other.toml"))


# Bad TOML. Line 1 is `extends = "acbl-club"`.

INFINITE = "line 2: 'bonus.factor' must be a number, not infinite or undefined (such as 1)"
NO_DATE = "line 2: 'since' of 'bonus.factor' has the wrong type (write a date, such as 2026-01-31)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[bonus.factor\nvalue = 1", "line 2, column 14: this TOML cannot be read: Expected ']'"),
        ("[bonus.factor]\nvalue = ?\n", "line 3, column 9: this TOML cannot be read: Invalid value"),
        ("[bonus.factor]\nvalue = ", "end of document: this TOML cannot be read: Invalid value"),
        # Anything that comes with a game may name one: such a key took gigabytes, such a list was told as a bug.
        ("a." * 30_000 + "a = 1", "line 2: this line has 60005 characters (1000 are the most)"),
        ("x = " + "[" * 490 + "]" * 490, "this TOML cannot be read: "),
        ("[bonus.factor]\nvalue = 1e99999999999999999999", "this TOML cannot be read: "),
        ("[bonus.factor]\nvalue = 1e9999999", INFINITE),
        ("[bonus.factor]\nvalue = nan", INFINITE),
        ("[bonus.factor]\nvalue = inf", INFINITE),
        ("[bonus.facter]\nvalue = 2", "line 2: unknown value 'bonus.facter' (did you mean 'bonus.factor'"),
        ("[zzz]\nvalue = 2", "line 2: unknown value 'zzz' ('resultproc rules show acbl-club' lists them)"),
        ("\n[bonus.factor]\nvalue = 'two'", "line 3: 'bonus.factor' must be a number, not a word (such as 1)"),
        ("[bonus.factor]\nvalue = [1.1]", "line 2: 'bonus.factor' must be a number, not a list (such as 1)"),
        ("[bonus.factor]\nvalue = true", "line 2: 'bonus.factor' must be a number, not true or false (such as 1)"),
        ("[handicap.added]\nvalue = 1", "line 2: 'handicap.added' must be true or false, not a number (such as true)"),
        ("[overall.field]\nvalue = 3", "line 2: 'overall.field' must be a word, not a number (such as \"direction\")"),
        (
            "[overall.field]\nvalue = 'sideways'",
            "line 2: unknown value 'sideways' of 'overall.field' (known: combined, direction)",
        ),
        (
            "[ties.beyond-depth]\nvalue = 'extent'",
            "line 2: unknown value 'extent' of 'ties.beyond-depth' (did you mean 'extend'?)",
        ),
        (
            "[overall.given]\nvalue = 'never'",
            "line 2: unknown value 'never' of 'overall.given' (known: none, several sections)",
        ),
        (
            "[section.percentages]\nvalue = [70, 'x']",
            "line 2: 'section.percentages' must be a list like the one that it replaces (such as [70, 50, 35])",
        ),
        (
            "[limited.rate]\nvalue = [[20, 0.05], ['no', 0.08]]",
            "line 2: 'limited.rate' must be a list like the one that it replaces "
            '(such as [[5, 0.03], [10, 0.04], [20, 0.05], [100, 0.06], [200, 0.07], ["open", 0.08]])',
        ),
        (
            "[newcomer.rate]\nvalue = [[5, 0.03, 1]]",
            "line 2: 'newcomer.rate' must be a list like the one that it replaces "
            "(such as [[5, 0.03], [10, 0.04], [20, 0.05]])",
        ),
        ("[bonus]\nfactor = 2", "line 3: 'bonus.factor' has no value (write [bonus.factor] and value ="),
        (
            "[bonus.factor]\nvalue = 2\nnotes = 'x'",
            "line 2: unknown key 'notes' in 'bonus.factor' (did you mean 'note'?)",
        ),
        ("[bonus.factor]\nvalue = 2\nxyz = 'x'", "line 2: unknown key 'xyz' in 'bonus.factor'"),
        ("[bonus.factor]\nvalue = 2\nsince = '2026'", NO_DATE),
        ("[bonus.factor]\nvalue = 2\nsince = 2026-01-31T20:00:00", NO_DATE),
        ("[bonus.factor]\nvalue = 2\ncite = 3", "line 2: 'cite' of 'bonus.factor' has the wrong type (write text in"),
        (
            "[bonus.factor]\nvalue = 2\nconfidence = 'sure'",
            "line 2: 'bonus.factor': unknown confidence; write printed, secondary, inferred",
        ),
        ("title = 3", "line 2: 'title' has the wrong type (write text in quotes)"),
        ("covers = 'club-open'", "line 2: 'covers' has the wrong type (write a list, such as [\"club-open\"])"),
        (
            "covers = ['club-open', 'scale-a']",
            'the rulebook is of the ACBL, and covers scale-a of the EBU (correct covers, or write league = "ebu")',
        ),
        ("without = 'series'", "line 2: 'without' has the wrong type (write a list, such as"),
        (
            "title = 'x'\nwithout = ['bonus.factor', 'serie']",
            "line 3: unknown value 'serie' in without (did you mean 'series'?)",
        ),
        ("without = ['zzz']", "line 2: unknown value 'zzz' in without (name values of the rulebook that you extend)"),
        ("without = ['limit']", "line 2: unknown value 'limit' in without (did you mean 'limited'?)"),
        ("without = [3]", "line 2: unknown value '3' in without"),
        ("sources = 1", "line 2: 'sources' has the wrong type (write a table)"),
    ],
)
def test_bad_toml_is_said_with_its_line(tmp_path, text, said):
    with pytest.raises(RulebookError) as error:
        rulebook(rulebook_file(tmp_path, text))
    message = str(error.value)
    assert message.startswith("my-club.toml: ")
    assert message.removeprefix("my-club.toml: ").startswith(said)
    assert error.value.problems[0].code == "rulebook.wrong"


BUILD = 'missing rulebook to extend (write extends = "acbl-club")'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("extends = 'acbl-clbu'", "my-club.toml: line 1: unknown rulebook 'acbl-clbu' (did you mean 'acbl-club'?)"),
        ("title = 'x'\nextends = 3", f"my-club.toml: line 2: {BUILD}"),
        ("# extends nothing\ntitle = 'x'", f"my-club.toml: line 1: {BUILD}"),
        ("extends = 'my-club.toml'", 'my-club.toml: line 1: my-club.toml extends itself (write extends = "acbl-club")'),
        ("extends = 'missing.toml'", "missing.toml: the rulebook cannot be read: No such file or directory"),
    ],
)
def test_what_a_rulebook_extends_is_checked(tmp_path, text, said):
    with pytest.raises(RulebookError) as error:
        rulebook(rulebook_file(tmp_path, text))
    assert str(error.value) == said


def test_two_rulebooks_that_build_on_each_other(tmp_path):
    rulebook_file(tmp_path, "extends = 'b.toml'", "a.toml")
    with pytest.raises(RulebookError, match=r"^a.toml: line 1: b.toml extends itself"):
        rulebook(rulebook_file(tmp_path, "extends = 'a.toml'", "b.toml"))


def test_a_rulebook_that_is_no_text(tmp_path):
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RulebookError, match=r"^bad.toml: the rulebook cannot be read: it is not UTF-8 text"):
        rulebook(str(tmp_path / "bad.toml"))


def test_an_unknown_rulebook_suggests_the_closest():
    with pytest.raises(RulebookError, match=r"unknown rulebook 'acbl-clubs' \(did you mean 'acbl-club'\?\)"):
        rulebook("acbl-clubs")
    with pytest.raises(DeclarationError, match=r"rulebook: unknown rulebook 'acbl-clubs'; did you mean 'acbl-club'\?"):
        awarded(mitchell(5), tables=5, rulebook="acbl-clubs")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[bonus.factor]\nvalue = -1", "award out of range: -0.9"),
        ("[bonus.factor]\nvalue = 1e40", "award out of range: 9e"),
        ("[limited.rate]\nvalue = []", "limited.rate has no step for the limit 200"),
        ("without = ['limited.rate']", "rulebook .*my-club has no value for limited.rate"),
    ],
)
def test_values_without_sense_are_errors_of_the_game(tmp_path, text, said):
    rows = [*falling("A-NS", 4, "A"), *(f"A-NS-{i} B {50 - i}%" for i in range(5, 10))]
    own = rulebook_file(tmp_path, text)
    with pytest.raises(DeclarationError, match=f"^game.csv: {said}"):
        awarded(rows, tables=9, strata="A=open, B=200", rulebook=own)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("value = 1", "x.toml: line 4: 'a.b' has no citation"),
        ("value = 1\ncite = 'boook, p. 3'", "x.toml: line 4: 'a.b' cites an unknown source"),
        ("value = 'x'\ncite = 'book'\nchoices = ['y', 'z']", "x.toml: line 4: unknown value 'x' of 'a.b'"),
    ],
)
def test_a_rulebook_that_extends_none_cites_every_value(entry, said):
    with pytest.raises(RulebookError) as error:
        parse_rulebook(f"id = 'x'\n[sources.book]\ntitle = 'A Book'\n[a.b]\n{entry}\n", "x.toml", rules=None)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("ties.beyond-depth", ClubRules()),
        ("concurrent.strata", ClubRules()),
        *((path, GeneralFormula()) for path in ("overall.reading", "factor.m.reading", "depth.most-reading")),
        ("overall.reading", type("Own", (GeneralFormula,), {})()),
        *((path, type("Whole", (), {})()) for path in ("overall.reading", "ties.beyond-depth")),
    ],
)
def test_a_rulebook_that_extends_none_has_the_words_that_its_rules_know(path, rules):
    text = f"id = 'x'\n[sources.book]\ntitle = 'A Book'\n[{path}]\nvalue = 'seat'\ncite = 'book'\n"
    with pytest.raises(RulebookError, match=rf"^x\.toml: line 4: unknown value 'seat' of '{path}' \("):
        parse_rulebook(text, "x.toml", rules)


def test_a_misspelt_value_of_a_rulebook_that_extends_none_is_refused_where_its_rules_would_read_the_right_one():
    text = "id = 'x'\n[sources.book]\ntitle = 'A Book'\n[{}]\nvalue = 'seat'\ncite = 'book'\n"
    with pytest.raises(RulebookError, match=r"unknown value 'ties.beyond-dept' \(did you mean 'ties.beyond-depth'\?"):
        parse_rulebook(text.format("ties.beyond-dept"), "x.toml", ClubRules())
    for path in ("section.rate.club-online", "ties.of-my-own"):  # another rating, and what other rules read
        assert path in parse_rulebook(text.format(path), "x.toml", ClubRules()).entries
    assert parse_rulebook(text.format("ties.beyond-dept"), "x.toml", type("Whole", (), {})()).entries


def test_rules_wholly_of_ones_own_may_have_words_of_their_own_where_the_rulebook_states_them():
    text = (
        "id = 'x'\n[sources.book]\ntitle = 'A Book'\n[overall.reading]\nvalue = {}\ncite = 'book'\nchoices = ['seat']\n"
    )
    own = type("Whole", (), {})()
    assert parse_rulebook(text.format("'seat'"), "x.toml", own).entries["overall.reading"][0].value == "seat"
    with pytest.raises(RulebookError, match=r"unknown value 'seats' of 'overall\.reading' \(did you mean 'seat'"):
        parse_rulebook(text.format("'seats'"), "x.toml", own)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[ties.beyond-depth]\nvalue = 'two'\nchoices = ['two']", "'two' of 'ties.beyond-depth' (known: extend, none"),
        ("extends = 'ebu-club'\n[individual.six-tables]\nvalue = 9", "'9' of 'individual.six-tables' (known: 7, 8)"),
    ],
)
def test_a_file_of_ones_own_has_the_words_that_the_rules_know(tmp_path, text, said):
    with pytest.raises(RulebookError, match=re.escape(f"unknown value {said}")):
        rulebook(rulebook_file(tmp_path, text))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a function that makes a package of somebody else's with a rulebook; it returns the package's name."""

    def make(rules: str) -> str:
        folder = tmp_path / "half_the_club"
        folder.mkdir()
        (folder / "__init__.py").write_text("", "utf-8")
        (folder / "rules.py").write_text(
            "from resultproc.rulebooks.acbl_club.rules import ClubRules\n\n"
            "class Half(ClubRules):\n"
            "    def rate(self, edition, group):\n"
            "        rate, path = super().rate(edition, group)\n"
            "        return rate * edition.number('half.factor'), path\n",
            "utf-8",
        )
        (folder / "half.toml").write_text(
            f'id = "half"\nextends = "acbl-club"\n{rules}\n[sources.us]\ntitle = "Us"\n'
            '[half.factor]\nvalue = 0.5\ncite = "us, p. 1"\n',
            "utf-8",
        )
        return folder.name

    monkeypatch.syspath_prepend(tmp_path)
    yield make
    for name in [name for name in sys.modules if name.startswith("half_the_club")]:
        del sys.modules[name]


def test_a_package_names_the_rules_of_its_rulebook_in_toml(package):
    name = package('rules = "rules:Half"')
    book = load_from_package("half.toml", name)
    assert book.id == "half"
    assert f"{name}.rules" not in sys.modules  # imported when they are needed
    assert type(book.rules).__name__ == "Half"
    assert book.rules is book.rules
    assert book.entries["half.factor"][0].value == Decimal("0.5")  # which acbl-club does not have


@pytest.mark.parametrize("rules", ['rules = "rules:Hlaf"', 'rules = "rule:Half"', "rules = 3", ""])
def test_rules_that_a_package_does_not_have_are_an_error_of_its_rulebook(package, rules):
    book = load_from_package("half.toml", package(rules))
    with pytest.raises(
        RulebookError, match=r"half\.toml: (line 3|rules): there are no rules '.*write the module of half"
    ):
        book.at(date(2010, 1, 1))


def test_a_file_of_ones_own_has_the_rules_of_the_rulebook_that_it_extends(tmp_path):
    own = rulebook_file(tmp_path, 'extends = "acbl-club"\nrules = "acbl_club.rules:ClubRules"\n')
    with pytest.raises(RulebookError, match="line 2: unknown value 'rules'"):
        rulebook(str(own))


# Values that change over time.

DATED = """
[[section.rate.club-open]]
value = 0.20
until = 2019-12-31

[[section.rate.club-open]]
value = 0.30
since = 2020-01-01
"""


@pytest.mark.parametrize(("day", "first"), [("1999-01-01", "1.00"), ("2019-12-31", "1.00"), ("2020-01-01", "1.50")])
def test_a_dated_value_holds_for_the_games_of_its_time(tmp_path, day, first):
    own = rulebook_file(tmp_path, DATED)
    assert ladder(awarded(mitchell(5), tables=5, date=day, rulebook=own), "A-NS")[0] == first


def test_games_of_different_times_each_get_their_own_edition(tmp_path):
    own = rulebook_file(tmp_path, DATED)
    days = ("2020-01-01", "2019-12-31", "2024-05-05", "2001-01-01")
    games = [sheet(mitchell(5), f"game{day}", tables=5, date=day, rulebook=own) for day in days]
    games.insert(2, sheet(mitchell(5), "usual", tables=5))
    awards = award_sheet(together(*games)).awards
    firsts = awards.groupby("game")["masterpoints"].max().tolist()
    assert firsts == [150, 100, 50, 150, 100]


def test_a_game_without_a_date_under_a_rulebook_that_changed(tmp_path):
    own = rulebook_file(tmp_path, DATED)
    with pytest.raises(DeclarationError, match=r"^game.csv: date is not declared, and rulebook .*my-club.toml changed"):
        awarded(mitchell(5), tables=5, rulebook=own)


@pytest.mark.parametrize(("day", "first"), [("2026-05-02", "0.50"), ("2026-05-03", "0.55"), ("2026-05-04", "0.50")])
def test_a_bonus_night_is_over_the_next_day(tmp_path, day, first):
    own = rulebook_file(tmp_path, "[bonus.factor]\nvalue = 1.1\nsince = 2026-05-03\nuntil = 2026-05-03")
    assert ladder(awarded(mitchell(5), tables=5, date=day, rulebook=own), "A-NS")[0] == first


def test_a_value_without_dates_replaces_every_version(tmp_path):
    rulebook_file(tmp_path, DATED, "dated.toml")
    always = rulebook_file(tmp_path, "extends = 'dated.toml'\n[section.rate.club-open]\nvalue = 0.40")
    assert ladder(awarded(mitchell(3), tables=3, rulebook=always), "A-NS") == ["1.20"]
    assert len(rulebook(always).entries["section.rate.club-open"]) == 1


def test_editions_begin_where_any_value_changes(tmp_path):
    book = rulebook(rulebook_file(tmp_path, DATED + "[bonus.factor]\nvalue = 2\nuntil = 2021-06-30\n"))
    club = [date.min, date(2011, 1, 1), date(2018, 1, 1)]
    assert book.starts == [*club, date(2020, 1, 1), date(2021, 7, 1)]
    assert [book.at(day).number("bonus.factor") for day in book.starts] == [2, 2, 2, 2, 1]


def test_the_latest_version_may_hold_for_games_without_a_date(tmp_path):
    own = rulebook_file(tmp_path, DATED)
    with pytest.raises(DeclarationError, match=r"date is not declared, and rulebook .* changed over time"):
        awarded(mitchell(5), tables=5, rulebook=own)
    (folder := tmp_path / "held").mkdir()
    held = rulebook_file(folder, 'undated = "latest"\n' + DATED)
    for day, first in ((None, "1.50"), ("2019-12-31", "1.00"), ("2020-01-01", "1.50")):
        assert ladder(awarded(mitchell(5), tables=5, rulebook=held, date=day), "A-NS")[0] == first


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('{ first = "lots" }', 'invalid value { first = "lots" } of championship.open-pairs (write a number)'),
        ("{ sessions = 4 }", "invalid value { sessions = 4 } of championship.open-pairs (write a number)"),
        (
            "{ first = 1, places = 3 }",
            "invalid value { first = 1, places = 3 } of championship.open-pairs (write a list",
        ),
    ],
)
def test_a_championship_of_the_wrong_shape_is_named(tmp_path, table, said):
    text = f'extends = "acbl-general-formula-2003"\n[championship.open-pairs]\nvalue = {table}\n'
    own = rulebook_file(tmp_path, text)
    with pytest.raises(DeclarationError) as error:
        awarded(mitchell(5), tables=5, rulebook=own, rating="national", championship="open-pairs", date="2005-06-01")
    assert said in str(error.value)


# Which rulebook holds.


def book(name, covers, since=date.min, until=date.max):
    return Rulebook(name, name, read=None, covers=covers, since=since, until=until)


@pytest.fixture
def three_books(monkeypatch):
    books = [
        book("new", ("sectional", "regional"), date(2015, 1, 1)),
        book("old", ("sectional",), date(2003, 11, 1), date(2014, 12, 31)),
        book("club", ("club-open",)),
    ]
    own = book("own.toml", ("sectional",))
    monkeypatch.setattr(choice, "rulebooks", lambda: books)
    monkeypatch.setattr(choice, "rulebook", {each.id: each for each in (*books, own)}.get)


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ({"rating": "sectional", "date": "2003-11-01"}, "old"),
        ({"rating": "sectional", "date": "2014-12-31"}, "old"),
        ({"rating": "sectional", "date": "2015-01-01"}, "new"),
        ({"rating": "regional"}, "new"),  # the only one: no date is needed
        ({"rating": "club-open"}, "club"),
        ({"rating": "club-open", "date": "1980-01-01"}, "club"),
        ({"rating": "sectional", "rulebook": "own.toml"}, "own.toml"),
    ],
)
def test_rating_and_date_choose_the_rulebook(three_books, keys, chosen):
    games, _ = sheet("A-1 . 5", tables=1, **keys)
    assert choice.choose(games)["rulebook"].tolist() == [chosen]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"rating": "sectional"}, "game.csv: date is not declared, and the rules for sectional depend on it"),
        ({"rating": "sectional", "date": "2003-10-31"}, "game.csv: no rulebook covers a sectional game on 2003-10-31"),
        ({"rating": "stac"}, "game.csv: no rulebook covers a stac game (choose one with rulebook)"),
        ({"rating": "regional", "date": "2014-12-31"}, "game.csv: no rulebook covers a regional game on 2014-12-31"),
    ],
)
def test_games_without_a_rulebook_are_refused(three_books, keys, said):
    games, _ = sheet("A-1 . 5", tables=1, **keys)
    with pytest.raises(DeclarationError) as error:
        choice.choose(games)
    assert str(error.value).startswith(said)


def test_each_of_many_games_gets_its_own(three_books):
    games, _ = together(
        sheet("A-1 . 5", "a", rating="sectional", date="2020-01-01"),
        sheet("A-1 . 5", "b", rating="club-open"),
        sheet("A-1 . 5", "c", rating="sectional", date="2010-01-01"),
        sheet("A-1 . 5", "d", rating="sectional", rulebook="own.toml"),
    )
    assert choice.choose(games)["rulebook"].tolist() == ["new", "club", "old", "own.toml"]


# Exact arithmetic.


def test_halves_are_rounded_up():
    # In binary 0.35 x 1.30 is 0.45499...
    assert hundredths(Fraction("0.35") * Fraction("1.30")) == 46
    assert hundredths(Fraction("0.315")) == 32
    assert hundredths(Fraction("0.935")) == 94
    assert rounded(Fraction("16.1875")) == Fraction("16.19")
    assert [half_up(Fraction(text)) for text in ("2.4", "2.5", "3.5")] == [2, 3, 4]


def test_exact_numbers_are_shown_as_they_are():
    assert [decimal(Fraction(text)) for text in ("1", "0.9", "0.455", "20.5")] == ["1.00", "0.90", "0.455", "20.50"]


def test_steps_reach_up_to_their_limits():
    table = core.as_limited([[20, Decimal("0.05")], [100, Decimal("0.06")], ["open", Decimal("0.08")]])
    assert [steps(table, limit) for limit in (1, 20, 20.5, 100, 101, float("inf"))] == [
        Fraction("0.05"), Fraction("0.05"), Fraction("0.06"), Fraction("0.06"), Fraction("0.08"), Fraction("0.08"),
    ]  # fmt: skip
    assert steps(table[:2], 101) is None


def test_awards_that_no_regulation_has():
    for absurd in ("-0.01", "100000.01", "1e60"):
        with pytest.raises(RulebookError, match="award out of range"):
            hundredths(Fraction(absurd))
    assert hundredths(Fraction(100000)) == 10_000_000


# Two Howells of six tables; the best of the second leads with handicap. Two sessions of one. Three Swiss teams.
ONE_SESSION = [
    *falling("A", 12),
    *(row + " h=0" * (n > 0) + " h=25" * (n == 0) for n, row in enumerate(falling("B", 12, top=60))),
]
TWO_SESSIONS = [f"A-{n} . {70 - n}% s={70 - n}/{70 - n} mp=500/500" for n in range(1, 13)]
MATCHES = [f"A-{n} . {90 - n} won={4 - n} mp=500/500/500/500" for n in range(1, 4)]

_ONCE = ("section", "overall", "handicap section", "handicap overall", "section + handicap overall")
_TWICE = ("session 1", "sessions")
_NO_WORD, _SINGLE, _NO_SWISS = "'handicap' has no meaning", "awards single sessions", "no awards for a swiss event"

# The rulebook; day, rating and boards; the first award of each of five bases in one session, of two in two, of matches.
# Clubs: 12 x .10; 24 x .10 overall. The formula: R x B of 12 tables, 22/60; half of that in a section; x T 1.25 since
# 2015. Of clubs' games in 2011 a section pays as a regular one. A match of 7 boards, D x 7/24.
BASES = [
    ("acbl-club", ("2010-05-05", "club-open"), "1.20 2.40 1.20 2.40 3.60", _SINGLE, _NO_SWISS),
    ("acbl-2017", ("2017-05-05", "club-open"), "1.20 2.40 1.20 2.40 3.60", _SINGLE, _NO_SWISS),
    ("acbl-club-2023", ("2023-05-05", "club-open"), "1.20 2.40 1.20 2.40 3.60", _SINGLE, _NO_SWISS),
    ("acbl-online-club", ("2023-05-05", "club-online"), "1.20 2.40 1.20 2.40 3.60", _SINGLE, _NO_SWISS),
    # 6.5 x 22/60 = 2.383
    ("acbl-club-fund-2011", ("2012-05-05", "club-championship"), "1.20 2.38 1.20 2.38 3.58", _SINGLE, _NO_SWISS),
    # 1.19; of one section of six tables in two sessions half of 6.5 x 16/60, .867. D .36: .105
    ("acbl-general-formula-2003", ("2009-05-05", "club-championship"), "1.19 2.38 1.19 2.38 3.57", "0.87 1.74", "0.33"),
    # 2.979, half 1.4896; of six tables 1.083, of twelve contestants 1.4896
    ("acbl-general-formula-2015", ("2016-05-05", "club-championship"), "1.49 2.98 1.49 2.98 4.47", "1.08 2.16", "0.33"),
    ("acbl-general-formula-2019", ("2019-05-05", "club-championship"), "1.49 2.98 1.49 2.98 4.47", "1.49 2.98", "0.33"),
    ("acbl-2017-special", ("2017-05-05", "club-championship"), "1.49 2.98 1.49 2.98 4.47", "1.49 2.98", "0.33"),
    # Of a sectional half of 11 x 1.25 x 16/60; D .9: .2625
    ("acbl-strength-of-field-2021", ("2021-05-05", "sectional"), _NO_WORD, "1.83 3.66", "0.78"),
    # D .24: .07
    ("acbl-club-swiss-2003", ("2009-05-05", "club-open"), "", "", "0.21"),
    ("acbl-club-swiss-2015", ("2016-05-05", "club-open"), "", "", "0.21"),
    ("pzbs", ("2026-05-05", "pkl"), _NO_WORD, "weight is not declared", "weight is not declared"),
    ("ebu-club", ("2026-05-05", "scale-a"), _NO_WORD, "ladders of events of several", "no awards for swiss events"),
    (
        "ebu-green",
        ("2026-05-05", "green-points"),
        _NO_WORD,
        "no awards for pairs events",
        "rulebook ebu-green pays matches",
    ),
    ("sbu-red", ("2026-05-05", "red-swiss"), _NO_WORD, "no awards for pairs events", "rulebook sbu-red pays matches"),
    (
        "sbu-club",
        ("2026-05-05", "local-session"),
        _NO_WORD,
        "events of several sessions",
        "what teams are paid at a club is not known",
    ),
    ("vbl-2020", ("2026-05-05", "drive-i"), _NO_WORD, "the places of one list", "no awards for swiss events"),
    ("abf-session", ("2026-05-05", "grade-e"), _NO_WORD, "give each session as its game", "no awards for swiss events"),
]


def _firsts(rows: list[str], bases: tuple[str, ...], **keys: object) -> str:
    try:
        of = awarded(rows, movement="howell", boards=7 if "matches" in bases else 18, **keys).candidates
    except DeclarationError as error:
        return str(error)
    return " ".join(f"{of.loc[of['basis'] == basis, 'masterpoints'].max() / 100:.2f}" for basis in bases)


@pytest.mark.parametrize(("book", "of", "once", "twice", "matches"), BASES)
def test_every_basis_with_every_rulebook(book: str, of: tuple[str, str], once: str, twice: str, matches: str) -> None:
    keys = {"rulebook": book, "date": of[0], "rating": of[1]}
    tries = [
        (once, ONE_SESSION, _ONCE, {"special": "handicap", "tables": "A=6, B=6"}),
        (twice, TWO_SESSIONS, _TWICE, {"tables": 6, "sessions": 2}),
        (matches, MATCHES, ("matches",), {"tables": 3, "event_type": "swiss", "session_boards": 21}),
    ]
    for expected, rows, bases, more in tries:
        if expected:
            found = _firsts(rows, bases, **keys, **more)
            assert expected in found, (bases, found)


def test_no_rulebook_and_no_basis_is_left_out() -> None:
    # Knockouts have rules of their own for who is compared, and tests of their own.
    assert {book for book, *_ in BASES} == {each.id for each in rulebooks() if "knockout" not in each.id}
    kinds = {str(Basis(kind)) for kind in Kind} | {
        str(Basis(kind, handicap=True)) for kind in (Kind.SECTION, Kind.OVERALL)
    }
    assert kinds == {*_ONCE, "session", "sessions", "matches"}
