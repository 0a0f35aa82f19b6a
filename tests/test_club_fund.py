"""Club championships and fund games of 2011 to 2014: a club's own bonus, and sections ranked together."""

from games import awarded, candidates, falling, mitchell, paid, ranked, sheet

from resultproc.model.frames import Result


def fund(rows: list[str], **keys: object) -> Result:
    return awarded(rows, **{"rating": "club-fund", "date": "2011-07-04", **keys})


def test_a_club_s_bonus_holds_on_either_scale(tmp_path) -> None:
    book = tmp_path / "own.toml"
    book.write_text('extends = "acbl-club-fund-2011"\n[bonus.factor]\nvalue = 1.10\n')
    # 1.20 and 1.60 both times 1.10: 1.32, .99, .7425; fifth 1.76 / 5.
    result = fund(mitchell(15), tables=15, limit=300, concurrent_tables="50=5", rulebook=str(book))
    assert [candidates(result, f"A-NS-{place}")["section A"] for place in (1, 2, 3, 5)] == [
        "1.32",
        "0.99",
        "0.74",
        "0.35",
    ]


def test_sections_ranked_together_are_one_section() -> None:
    # As printed on 3 October 2011: sections of 9 and 7 1/2 tables in one listing, 17 x .08, 1.20 at most, and no
    # overall awards.
    rows = mitchell(9, "E") + falling("F-NS", 7, top=60) + falling("F-EW", 8, top=60)
    keys = {"rating": "club-restricted", "limit": 300, "tables": "E=9, F=7.5", "date": "2011-10-03"}
    game = sheet(rows, **keys)
    result = ranked(game._replace(games=game.games.assign(stored_ranked_with="E=E, F=E")))
    assert set(result.standings["basis"]) == {"section"}
    assert set(result.standings["size"]) == {17}
    assert "overall" in set(ranked(game).standings["basis"])
    assert paid(awarded(rows, **keys))["E-NS-1"] == "1.36 overall A"
