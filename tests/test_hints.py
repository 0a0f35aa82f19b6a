"""What messages say is to be done: each such hint is followed, and the message is gone."""

import ast
import dataclasses
import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from shutil import copyfile
from types import MappingProxyType
from typing import NamedTuple

import click
import openpyxl
import pytest
import test_bws
import test_deals
import test_scored_here
import test_usebio
from conftest import ALL, FIXTURES, PROJECT, File, run, saved
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from older_archives import make_older
from posted import posted_site, site_file
from samples import SAMPLES, real

from resultproc.archive.store import Store
from resultproc.cli import cli
from resultproc.formats.registry import BESIDE, KEY_LINES
from resultproc.model.errors import InputError, OutputError, Problem, RulebookError
from resultproc.model.keys import KEYS
from resultproc.rulebooks import choice
from resultproc.rulebooks.load import load_from_package, rulebook, rulebooks
from resultproc.stages.pipeline import process

NAME = "g.csv"
HEADER = "section,number,direction,player1,player2,score\n"
PAIRS = "".join(f"A,{n},,Ann{n} Ash,Bob{n} Elm,{60 - 4 * n}.00\n" for n in range(1, 7))
FACTS = "# date: 2026-11-18\n# rating: club-open\n# tables: 3\n"

_KEYS = "|".join(sorted(KEYS, key=len, reverse=True))
WRITTEN = re.compile(rf"\b({_KEYS}) ?= ?('[^']*'|\"[^\"]*\"|[0-9.]+|true)")
SUCH_AS = re.compile(rf"\bdeclare ({_KEYS})\b[^;]*such as ([0-9=, ]+[0-9])")
FILLED_IN = {
    "rating": "club-open",
    "tables": "3",
    "date": "2026-11-18",
    "boards": "24",
    "strata": "A=open, B=750, C=50",
}


def told(path: Path, **keys: str) -> list[Problem]:
    """Return what is wrong with a file, or doubtful about it. keys: what options declare."""
    try:
        return list(process(path, **keys).remarks)
    except InputError as error:
        return list(error.problems)


def follow(path: Path, hint: str) -> dict[str, str] | None:
    """Do what a hint says to write for a file, filled in where it leaves that open; return what options declare.

    None where it does not say what to write.
    """
    if found := WRITTEN.search(hint):
        return {found[1]: str(tomllib.loads(f"value = {found[2]}")["value"]).lower()}
    if found := SUCH_AS.search(hint):
        return {found[1]: found[2]}
    place, *lines = hint.split("\n")
    if not lines:
        place, _, line = hint.rpartition(": ") if "# " not in hint else hint.partition(": ")
        lines = [line]
    if place.startswith(("write above the header of the list", "above the header, below a line")):
        lines = [*re.findall(r"'(# \[games.*\])'", place), *lines]
        data = path.read_bytes()
        above = "".join(f"{filled_in(line)}\n" for line in lines)
        utf16 = data.startswith(b"\xff\xfe")
        path.write_bytes(above.encode("utf-16") + data[2:] if utf16 else above.encode() + data)
    elif place.startswith(f"write into {path.stem}.toml"):
        declare(path, map(filled_in, lines))
    elif game := re.match(rf"below the line (\[games\.\".*\"\]) of {path.stem}.toml write", place):
        declare(path, map(filled_in, lines), game[1])
    elif "sheet of the workbook that is named Game," in place:
        book = openpyxl.load_workbook(path)
        sheet = book["Game"] if "Game" in book.sheetnames else book.create_sheet("Game")
        for line in lines:
            sheet.append(filled_in(line).split(maxsplit=1))
        book.save(path)
    else:
        return None
    return {}


def filled_in(line: str) -> str:
    """Return a line with a value where it is left open."""
    if line.startswith("# ["):
        return line
    found = re.match(r"[# ]*([a-z_]+)", line)
    assert found, line
    limits = iter(["open", "750", "300", "50"])
    line = re.sub(r"(?<==)\.\.\.", lambda _: next(limits), line)
    return line.replace("...", FILLED_IN.get(found[1], "1"))


def declare(path: Path, lines: Iterable[str], game: str = "") -> None:
    """Write lines into the TOML beside a file, above all tables or below the line of a game."""
    beside = path.with_suffix(".toml")
    there = beside.read_text(encoding="utf-8") if beside.exists() else ""
    text = "".join(f"{line}\n" for line in lines)
    beside.write_text(f"{there}{game}\n{text}" if game else f"{text}{there}", encoding="utf-8")
    tomllib.loads(beside.read_text(encoding="utf-8"))


def gone(path: Path, problem: Problem, keys: dict[str, str]) -> bool:
    """Return whether a file no longer brings a problem."""
    return all((each.what, each.where) != (problem.what, problem.where) for each in told(path, **keys))


TEAMS = "".join(f"A,{n},A{n} Ash,B{n} Elm,C{n} Oak,D{n} Fir,{20 - n}.00\n" for n in range(1, 5))
PLAYED = test_usebio.document(f"<PARTICIPANTS>{test_usebio.PAIRS}</PARTICIPANTS>")
CASES = {
    "g.csv": {
        "rating, tables and date": HEADER + PAIRS,
        "strata": FACTS
        + HEADER.replace("section", "section,stratum")
        + PAIRS.replace("A,", "A,B,").replace("A,B,1", "A,A,1"),
        "how holdings stratify": f"{FACTS}# strata: A=open, B=750\n{HEADER.replace('score', 'score,mp1,mp2')}"
        + PAIRS.replace(".00\n", ".00,10,20\n"),
        "what teams play": f"{FACTS}section,number,player1,player2,player3,player4,score\n{TEAMS}",
        "a special word": f"# special: charity\n{FACTS}{HEADER}{PAIRS}",
        "no direction": f"# movement: mitchell\n{FACTS}{HEADER}{PAIRS}",
        "one number twice": f"# movement: howell\n{FACTS}{HEADER}"
        + "".join(f"A,{n},{side},A{side}{n} Ash,B{side}{n} Elm,{60 - 4 * n}.00\n" for n in (1, 2, 3) for side in "NE")
        .replace(",N,", ",N-S,")
        .replace(",E,", ",E-W,"),
        "one player": f"{FACTS}section,number,player1,score\n"
        + "".join(f"A,{n},Ann{n} Ash,{60 - 4 * n}.00\n" for n in range(1, 7)),
        "games": f"game_id,{HEADER}{PAIRS.replace('A,', 'x,A,')}{PAIRS.replace('A,', 'y,A,')}",
        "sit-outs": f"{FACTS}{HEADER}{PAIRS.replace('A,6', 'A,7')}",
    },
    "g.txt": {
        "a list": "Wednesday Pairs\n\nPair  Names                 Score\n"
        + "".join(f"{n}     Ann{n} Ash - Bob{n} Elm   {60 - 4 * n}.00\n" for n in range(1, 7)),
    },
    "g.xml": {"two games": PLAYED.replace("<EVENT", PLAYED[PLAYED.index("<EVENT ") : -9] + "<EVENT", 1)},
}


@pytest.mark.parametrize(
    ("name", "content"), [pytest.param(name, text, id=what) for name, of in CASES.items() for what, text in of.items()]
)
def test_what_is_to_be_written_can_be(file: File, name: str, content: str) -> None:
    path = file(content, name)
    problems = told(path)
    followed = [(problem, keys) for problem in problems if (keys := follow(path, problem.hint)) is not None]
    assert followed, problems
    for problem, keys in followed:
        assert gone(path, problem, keys), told(path, **keys)


@real
@pytest.mark.slow
@pytest.mark.parametrize("folder", ["director", "habits", "workbooks", "edges", "recaps"])
def test_what_is_to_be_written_of_real_files_can_be(folder: str, tmp_path: Path) -> None:
    followed = 0
    for source in sorted((SAMPLES / folder).rglob("*"))[:: 1 if ALL else 2]:
        if source.is_file() and source.suffix != ".toml":
            path = Path(copyfile(source, tmp_path / source.name))
            for problem in told(path):
                keys = follow(path, problem.hint)
                if keys is not None:
                    followed += 1
                    assert gone(path, problem, keys), (source.name, problem)
    assert followed


@pytest.fixture(scope="module")
def texts() -> set[tuple[str, str, bool]]:
    """Return the texts of the program that are no documentation, each with its file, and whether it is of a help.

    Values in them are {}; a key that how_to_declare is asked about is one, too.
    """
    found = set()
    for path in (PROJECT / "resultproc").rglob("*.py"):
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        other = {id(each.value) for each in nodes if isinstance(each, ast.Expr)}  # documentation, and parts of others
        other |= {id(part) for each in nodes if isinstance(each, ast.JoinedStr) for part in each.values}
        calls = [each for each in nodes if isinstance(each, ast.Call)]
        helps: list[ast.AST] = [
            *(each for each in nodes if isinstance(each, ast.keyword) and each.arg in {"help", "epilog"}),
            *(each for each in calls if ast.unparse(each.func).endswith("example")),
            *(each for each in nodes if isinstance(each, ast.FunctionDef) and each.name.endswith("example")),
        ]
        of_help = {id(part) for each in helps for part in ast.walk(each)}
        for each in nodes:
            text = ""
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                text = each.value
            elif isinstance(each, ast.JoinedStr):
                text = "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in each.values)
            elif isinstance(each, ast.Call) and ast.unparse(each.func) == "how_to_declare":
                text = f"declare {key.value}=" if isinstance(key := each.args[0], ast.Constant) else ""
            if text and id(each) not in other:
                found.add((path.name, text, id(each) in of_help))
    return found


def test_a_key_is_named_with_its_value_as_it_is_written(texts: set[tuple[str, str, bool]]) -> None:
    names = "|".join(KEYS)
    for file, text, _ in texts:
        if "declare" not in text:
            continue
        for sign, value in re.findall(rf"\bdeclare (?:the )?(?:{names})( ?= ?|: | )(\S*)", text):
            words = {word for each in KEYS.values() for word in each.words}
            said = value.strip(",;)") in words | {"{}"}
            assert "=" in sign or not said, (file, text)
        for value in re.findall(rf"\b(?:{names}) ?= ?([^\s,;)]+)", text):
            assert re.fullmatch(r"'.*|\".*|[0-9.]+|true|\{\}", value), (file, text)


def test_commands_and_options_that_are_named_are_there(texts: set[tuple[str, str, bool]]) -> None:
    options: set[str] = set()
    commands = {"resultproc"}

    def walk(command: click.Command, name: str) -> None:
        commands.add(name)
        options.update(option for each in command.params for option in each.opts)
        if isinstance(command, click.Group):
            context = click.Context(command)
            for below in command.list_commands(context):
                if each := command.get_command(context, below):
                    walk(each, f"{name} {below}")

    walk(cli, "resultproc")
    groups = {name for name in commands if any(other.startswith(f"{name} ") for other in commands)}
    for file, text, _ in texts:
        for found in re.findall(r"(?:'|: |run )(resultproc [a-z]+(?: [a-z]+)?)", text):
            command = found if found.rpartition(" ")[0] in groups else " ".join(found.split()[:2])
            assert command in commands, (file, text)
        if "hint" in text or " with --" in text or "with: resultproc" in text:
            assert set(re.findall(r"--[a-z][a-z-]+", text)) <= options | {"--help"}, (file, text)


TWO = {"header": HEADER.replace("score", "session1,session2"), "rows": PAIRS.replace(".00\n", ".00,30.00\n")}
REGIONAL = {"rating": "regional", "date": "2018-06-18", "sessions": "2", **TWO}
OF_TEAMS = {"header": "section,number,player1,player2,player3,player4,score\n", "rows": TEAMS, "tables": "4"}
REGIONAL_TEAMS = {"rating": "regional", "date": "2018-06-18", **OF_TEAMS, "lower_tables": "none"}


def game(rows: str = PAIRS, header: str = HEADER, **said: str | None) -> str:
    """Return a game. said: more of what it declares, None for what it does not."""
    facts = {"date": "2026-11-18", "rating": "club-open", "tables": "3", "boards": "24", **said}
    return "".join(f"# {key}: {value}\n" for key, value in facts.items() if value is not None) + header + rows


def and_a(column: str, *values: object, header: str = HEADER, of: str = PAIRS) -> dict[str, str]:
    """Return the header and the rows of pairs with one more column; its last value is that of the others, too."""
    rows = of.splitlines()
    every = [*values, *[values[-1]] * (len(rows) - len(values))]
    listed = "".join(f"{row},{value}\n" for row, value in zip(rows, every, strict=True))
    return {"header": f"{header.strip()},{column}\n", "rows": listed}


def sided(rows: str) -> str:
    """Return rows of pairs, the first three sitting N-S and the others E-W."""
    return re.sub("A,([456]),,", r"A,\1,E-W,", re.sub("A,([123]),,", r"A,\1,N-S,", rows))


PKL = and_a("mp1,mp2", "1,1")


DATED = PLAYED.replace("<PART", "<DATE>18/11/2026</DATE><PART", 1)


class Told(NamedTuple):
    """A file that brings a hint, and how that is followed.

    keys: what is declared; empty where the hint has the value, too. name: of the file. edit: what is written for what
    in it, where the hint asks for that as well.
    """

    content: str | bytes
    keys: Mapping[str, str] = MappingProxyType({})
    name: str = NAME
    edit: tuple[str, str] = ("", "")


def in_text(title: str, pairs: int = 6) -> str:
    """Return a list of pairs below a title and a day."""
    listed = "".join(f"{n}     Ann{n} Ash - Bob{n} Elm   {60 - 4 * n}.00\n" for n in range(1, pairs + 1))
    return f"{title}\n2026-11-18\n\nPair  Names                 Score\n{listed}"


GAMES: dict[str, Told] = {
    "leave it out, or choose another rulebook with rulebook": Told(
        game(date="2012-04-18", concurrent_tables="300=5"),
        {"rulebook": "acbl-club-2023"},
    ),
    "leave it out, or choose a rulebook that knows it with rulebook; known: {}": Told(
        game(special="introductory", rulebook="acbl-general-formula-2019"),
        {"rulebook": "acbl-club-2023"},
    ),
    "leave it out, or choose your own rulebook with rulebook": Told(
        game(**REGIONAL, special="x-own"),
        {"rulebook": "own.toml"},
    ),
    "choose another with rulebook": Told(
        game(
            **{**OF_TEAMS, **and_a("wins", 1, of=TEAMS, header=OF_TEAMS["header"])},
            event_type="swiss",
            rulebook="acbl-club",
        ),
        {"rulebook": "acbl-club-swiss-2015"},
    ),
    "choose one with rulebook": Told(game(rating="club-online", date="1990-01-01"), {"rulebook": "acbl-online-club"}),
    "choose acbl-club with rulebook": Told(
        game(rulebook="acbl-general-formula-2019", limit="300"),
        {"rulebook": "acbl-club"},
    ),
    "give each session as its own game, or choose another rulebook with rulebook": Told(
        game(sessions="2", **TWO),
        {"rulebook": "acbl-general-formula-2019"},
    ),
    "declare a limit up to one of {}, or another rating": Told(
        game(rating="club-newcomer", limit="300"), {"limit": "20"}
    ),
    "declare a limit of 1 or more": Told(game(**REGIONAL, limit="0.5"), {"limit": "1"}),
    "declare limit, such as 1500, or the strata of the flight": Told(game(**REGIONAL, flight="B", lower_tables="none")),
    "declare limit: that of the bracket, such as 1500": Told(game(**REGIONAL_TEAMS, event_type="swiss", bracket="2")),
    "declare event_type=": Told(game(**REGIONAL_TEAMS, event_type="bam", bracket="2", limit="1500")),
    "declare the flight or bracket that this is, or special='barometer-1'": Told(
        game(**REGIONAL, lower_tables="1500=15"),
    ),
    "declare the flight that this is, or leave it out": Told(
        game(**REGIONAL, flighted_tables="3"),
        {"flight": "A"},
    ),
    "leave it out, or declare special='side-game' as well, if it is one": Told(game(**REGIONAL, special="charity")),
    "leave it out, or declare special='side-game-series-overall'": Told(game(**REGIONAL, session_tables="9, 8")),
    "write each stratum's limit, and its tables including all lower strata: open=30, 1000=12": Told(
        game(**REGIONAL, other_site_tables="1000=12"),
        {"other_site_tables": "open=30, 1000=12"},
    ),
    "declare lower_tables with each flight's upper limit, such as 1500=15, 500=9": Told(
        game(**REGIONAL, flight="A", lower_tables="15"),
    ),
    "write mp1, mp2, ... for every player, or choose another rulebook such as acbl-general-formula-2019": Told(
        game(**{**REGIONAL, "date": "2022-06-18"}),
        {"rulebook": "acbl-general-formula-2019"},
    ),
    "declare boards=": Told(game(boards=None, rulebook="acbl-club-2023")),
    "declare rating=": Told(game(special="charity")),
    "declare movement = 'howell' where all are compared with each other": Told(
        game(sided(PKL["rows"]), PKL["header"], rating="pkl", date="2026-01-02"),
    ),
    "declare event_type for the games of teams alone, below [games.ID] in the TOML file; or name four players": Told(
        game(event_type="bam"),
        {"event_type": "pairs"},
    ),
    "write N-S or E-W in a column direction, or declare movement='howell'": Told(
        game(re.sub(",([2468]),", r",\1B,", re.sub(",([1357]),", r",\1A,", PAIRS)))
    ),
    "write the first score under session2 and declare sessions, or leave earlier_award out": Told(
        game(
            **{
                **REGIONAL,
                "sessions": None,
                **and_a("earlier_award", "0.50", header=HEADER.replace("score", "session1")),
            }
        ),
        {"sessions": "2"},
        edit=("session1", "session2"),
    ),
    "award the files of all sessions together with process_event; or write session1, session2, ... for everybody, "
    "0 where a contestant withdrew, correct sessions, or declare the cuts where the field itself was cut": Told(
        game(**{**REGIONAL, **and_a("session2", 50, 49, 48, 47, "", header=HEADER.replace("score", "session1"))}),
        {"cuts": "1"},
    ),
    "declare limit and the rating of limited games, or correct the event's name": Told(
        game(event="299er Pairs"),
        {"limit": "300", "rating": "club-restricted"},
    ),
    "declare by_place = true to rank by the places, or write the percentages with more decimals": Told(
        game(**and_a("rank", *range(1, 7), header=HEADER.replace("score", "percentage"))).replace("52.00", "56.00"),
    ),
    "declare special='handicap', or leave the column out": Told(
        game(**and_a("handicap", 3, header=HEADER.replace("score", "percentage"))),
    ),
    "write 'open', a number, or declare ranks: Club, District, County, Regional": Told(
        game(strata="A=open, B=County", **and_a("rank1,rank2", "Club,Club")),
        {"ranks": "Club, District, County, Regional"},
    ),
    "correct it, or declare it among ranks": Told(
        game(strata="A=open, B=County", ranks="Club, County", **and_a("rank1,rank2", "Duke,Duke")),
        {"ranks": "Club, County, Duke"},
    ),
    "correct the stratum, the holdings or strata; or declare stratify_by": Told(
        game(strata="A=open, B=50", stratify_by="highest", **and_a("mp1,mp2,stratum", "80,10,B", "99,99,A")),
        {"stratify_by": "average"},
    ),
    "declare limit, the highest holding that could enter, such as 2500": Told(
        re.sub(r"(?m)^[23],.*\n", "", (FIXTURES / "knockout-example.csv").read_text())
        .replace("regional", "national\n# championship: grand-national-teams-a")
        .replace("1=16, 2=9, 3=8", "16"),
        {"limit": "2500"},
    ),
    "declare event_type='bam' for board-a-match; else they are scored in IMPs": Told(test_bws.teams(), name="g.bws"),
    "declare the date; take out what is of another game": Told(
        test_bws.game([{**each, "DateLog": datetime(2016, 5, 12 + each["ID"] % 3)} for each in test_bws.results()]),
        {"date": "2016-05-12"},
        "g.bws",
    ),
    "declare scoring if they are others": Told(test_bws.game(), {"scoring": "butler"}, "g.bws"),
    "declare strata to have the game ranked in them": Told(
        DATED.replace("<PLACE>", "<STRAT_NUMBER>2</STRAT_NUMBER><PLACE>", 1), {"strata": "A=open"}, "g.xml"
    ),
    "for awards by session declare sessions, and give the score of each": Told(
        DATED.replace("<PART", "<SESSION_COUNT>2</SESSION_COUNT><PART", 1), {"sessions": "1"}, "g.xml"
    ),
    "take it out of the file, and declare concurrent_tables": Told(
        (FIXTURES / "made-wednesday.json").read_text().replace("{", '{"concurrent_limited_tables": "many",', 1),
        {"concurrent_tables": "300=5"},
        "g.json",
        ('"concurrent_limited_tables": "many",', ""),
    ),
    "write both players of each pair, or declare event_type='individual'": Told(
        CASES["g.csv"]["one player"].replace("# tables: 3\n", "# boards: 24\n"),
    ),
    "declare movement, or correct the directions, if that is not so": Told(
        in_text("Wednesday Pairs, Mitchell"),
        {"movement": "howell"},
        "g.txt",
    ),
    "add the missing pairs, or declare sit_outs = {} if that is so, or tables if there were fewer": Told(
        in_text("Wednesday Pairs, 4 tables"),
        name="g.txt",
    ),
    "declare tables if others were in play": Told(in_text("Wednesday Pairs, 8 pairs"), {"tables": "3"}, "g.txt"),
    "declare the date": Told(in_text("Wednesday Pairs\n2026-11-19"), {"date": "2026-11-18"}, "g.txt"),
    "{} is taken: declare the date if it is another": Told(
        in_text("Wednesday Pairs"),
        {"date": "2026-11-12"},
        "2026-11-12.txt",
    ),
    "if it was another, declare event_type": Told(
        re.sub(" - Bob. Elm", "", in_text("Wednesday Individual", 8).replace("Pair  Names", "No    Name ")),
        {"event_type": "pairs"},
        "g.txt",
    ),
    "add {}, correct tables, or declare sit_outs = {}": Told(
        CASES["g.csv"]["sit-outs"].replace("# tables: 3", "# tables: 4")
    ),
    "give each pair its own number, or declare movement='mitchell'": Told(CASES["g.csv"]["one number twice"]),
    "write N-S or E-W, or declare movement='howell'": Told(CASES["g.csv"]["no direction"]),
}


ERRORS = {"declaration.wrong", "declaration.contradicted", "input.wrong", "rulebook.wrong"}


@pytest.mark.parametrize("hint", GAMES)
def test_what_a_hint_says_of_a_game_can_be_declared(file: File, monkeypatch: pytest.MonkeyPatch, hint: str) -> None:
    content, keys, name, edit = GAMES[hint]
    boards = 3 if name == "g.bws" else 24
    path = file(content, name, declared="" if name == NAME else f'rating = "club-open"\nboards = {boards}\n')
    monkeypatch.chdir(path.parent)
    saved(Path("own.toml"), 'extends = "acbl-general-formula-2015"\n[special.known]\nvalue = ["x-own"]\n')
    problem = next((each for each in told(path) if re.search(pattern(hint), each.hint)), None)
    assert problem, told(path)
    done = keys or follow(path, problem.hint)
    assert done
    assert all(key in f"{problem.what} {problem.hint}" for key in done), problem
    if any(edit):
        saved(path, str(content).replace(*edit))
    left = [each for each in told(path, **done) if each.hint != "rank it without awards"]
    assert all((each.what, each.where) != (problem.what, problem.where) for each in left), left
    assert not {each.code for each in left} & ERRORS, left  # which would hide it


def pattern(hint: str) -> str:
    """Return the pattern of a text of the source, in which {} stands for a value, and an argument may be an option."""
    text = re.sub(r"\\\{.*?\\\}", "(.*?)", re.escape(hint))
    text = re.sub(r"\b([a-z_]+)=(?='|$)", lambda at: f"(?:(?:--set )?{at[0]}|--{at[1].replace('_', '-')} )", text)
    return f"{text}$" if text.endswith("(.*?)") else text


CALLED = re.compile(
    r"(?:resultproc |'(?=(?:archive|reprocess) ))([a-z][^';()]*?)(?:[';)]|$| (?:lists|says|writes|shows|has|finds)\b)"
)


def followed(
    hint: str, by: str, then: str = "", more: str = "", do: Callable[[str], object] | None = None, **names: str
) -> None:
    """Have a command tell a hint, do what it says, and see that it is told no more.

    by: the command. then: the one that no longer tells it, the same one by default; its options that by has not are
    named by the hint. names: what stands for the words in capitals of the command that the hint names; more: what it is
    given besides. do: what is done with the message.
    """
    done = run(*shlex.split(by))
    told = re.search(pattern(hint), f"{done.err}\n{done.out}", re.MULTILINE)
    assert told, (by, done.err)
    before, after = {*shlex.split(by), *shlex.split(more)}, shlex.split(then or by)
    said = f"{done.err}\n{done.out}".replace("-", "_")
    assert all(word[2:].replace("-", "_") in said for word in after if word[:2] == "--" and word not in before), said
    if do:
        do(told[0])
    if "resultproc" in hint or more:
        named = CALLED.search(told[0])
        assert named
        words = [*(names.get(word, word) for word in named[1].split()), *shlex.split(more)]
        assert not [word for word in words if word.isupper()], words
        ended = run(*words)
        assert ended.status in (0, 1 if re.search("says why|finds", told[0]) else 0), (words, ended.err)
    last = run(*after)
    assert last.status not in (2, 70), last.err
    assert not re.search(pattern(hint), f"{last.err}\n{last.out}", re.MULTILINE), last.err


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with games, in which commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    held = {"strata": "A=open, B=100", "stratify_by": "average", **and_a("mp1,mp2", "10,2000", "10,20")}
    for name, text in {
        "g.csv": game(),
        "late.csv": game(PAIRS.replace("Ash", "Oak"), date="2026-11-19"),
        "held.csv": game(**held),
        "unsaid.csv": game(**{**held, "strata": None, "stratify_by": None}),
        "in/g.csv": game(),
        "undated.csv": game(PAIRS.replace("Ash", "Fir"), date=None),
        "copy.csv": game(),
        "bare.csv": game(boards=None),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        saved(tmp_path / name, text)
    (tmp_path / "to").mkdir()
    return tmp_path


USAGES = {
    "add them as mp1, mp2, and write stratify_by='average', or 'highest'": (
        "whatif g.csv --strata A=open,B=*",
        "whatif unsaid.csv --strata A=open,B=* --stratify-by average",
    ),
    "declare limit, such as 200": (
        "chart --rating club-restricted --tables 4",
        "chart --rating club-restricted --tables 4 --limit 200",
    ),
    "declare limit, such as 300, or open if there is none": (
        "lint g.csv --rating club-restricted",
        "lint g.csv --rating club-restricted --limit 300",
    ),
    "declare session=": (
        "award g.csv --name {time_of_day}.html -o to",
        "award g.csv --name {time_of_day}.html -o to --session 'Wednesday Eve'",
    ),
    "--one-event needs two or more files: give it the file of each session": (
        "award g.csv --one-event",
        "award g.csv g.csv --one-event",
    ),
    "--public leaves out the holdings that --seal-holdings would put in": (
        "award held.csv --seal --seal-holdings --public -o g.html",
        "award held.csv --seal --public -o g.html",
    ),
    "--expect counts the files of one run, and --watch goes on": (
        "batch in -o out --expect 1 --watch 2",
        "batch in -o out --expect 1",
    ),
    "--index lists pages: write them with --to html": ("batch in -o out --index", "batch in -o out --index --to html"),
    "{} goes with --index": ("batch in -o out --findable --to html", "batch in -o out --findable --to html --index"),
    "Missing option '--rating': a chart is for one class of game.": (
        "chart --tables 4",
        "chart --tables 4 --rating club-open",
    ),
    "compare needs two or more different rulebooks: name each with --rules": (
        "compare g.csv --rules acbl-club",
        "compare g.csv --rules acbl-club --rules acbl-club-2023",
    ),
    "--write writes beside a file: name one, not standard input": ("infer - --write", "infer g.csv --write"),
    "--club takes no report, and nothing but -o": ("new g.csv --club", "new --club -o club.xlsx"),
    "name a report, or say --club": ("new", "new --club"),
    "--club writes a workbook: name a file that ends in .xlsx": ("new --club -o club.txt", "new --club -o club2.xlsx"),
    "--deals goes with one game; {}": ("award g.csv late.csv --deals g.csv", "award g.csv --deals g.csv"),
    "--since is after --until": (
        "players g.csv --since 2026-12-01 --until 2026-11-01",
        "players g.csv --since 2026-11-01 --until 2026-12-01",
    ),
    "--name has no extension: say with --to which formats to write, such as html,xlsx": (
        "award g.csv --name {date}",
        "award g.csv --name {date} --to html,xlsx",
    ),
    "--name ends in {}, and there are several formats; leave the ending out": (
        "award g.csv --name {date}.html --to html,xlsx",
        "award g.csv --name {date} --to html,xlsx",
    ),
    "--name says what the files are called: name one folder with -o": (
        "award g.csv --name {date}.html -o to -o in",
        "award g.csv --name {date}.html -o to",
    ),
    "leave --to out: the extension of each -o picks its format": (
        "award g.csv --to html -o a.html -o b.xlsx",
        "award g.csv -o a.html -o b.xlsx",
    ),
    "'{}' is a folder: say with --to which formats to write, such as html,xlsx": (
        "award g.csv -o to",
        "award g.csv -o to --to html,xlsx",
    ),
    "--makeable is for pages, JSON and PBN: write a file with -o sheet.html": (
        "award g.csv --makeable",
        "award g.csv --makeable -o sheet.html",
    ),
    "--recap is for {}: write a file with -o sheet.html or -o sheet.xlsx": (
        "award g.csv --recap",
        "award g.csv --recap -o sheet.xlsx",
    ),
    "give either --month, or --since and --until": (
        "players g.csv --month 2026-11 --since 2026-11-01",
        "players g.csv --month 2026-11",
    ),
    "--deals goes with one game": (
        "publish g.csv late.csv --deals x --yes --for folder",
        "publish g.csv --deals g.csv --yes --for folder",
    ),
    "there is nobody to ask: give --yes, or --dry-run to see what would be sent": (
        "publish g.csv --for folder",
        "publish g.csv --for folder --dry-run",
    ),
    "the rulebook is named with --rules": (
        "reprocess none -o out --set rulebook=acbl-club",
        "reprocess none -o out --rules acbl-club",
    ),
    "name one file: a GAME, or a list with --entries": ("whatif", "whatif --entries held.csv"),
    'say what to change, such as --strata "A=open, B=*, C=*" or --rating stac': (
        "whatif held.csv",
        "whatif held.csv --rating stac",
    ),
    "--entries goes with --strata and --stratify-by alone": (
        "whatif --entries held.csv --more 3",
        "whatif --entries held.csv --strata A=open,B=*",
    ),
    "write stratify_by='average', or 'highest'": (
        "whatif --entries unsaid.csv",
        "whatif --entries unsaid.csv --stratify-by average",
    ),
    "say whose statement it is: either --player or --club": (
        "archive audit none none.csv",
        "archive audit none none.csv --player Ann",
    ),
    "'{}' tells no format: end it in {}, or say --to": (
        "archive query none 'SELECT 1' -o a.b",
        "archive query none 'SELECT 1' -o a.b --to csv",
    ),
    "write one SELECT, or name the file that has it with --file": (
        "archive query none",
        "archive query none --file g.csv",
    ),
    "write a path and a value, each path once: section.rate.club-open=0.12": (
        "archive whatif none --set x",
        "archive whatif none --set section.rate.club-open=0.12",
    ),
    "give each game once, or declare its date": ("players g.csv copy.csv", "players g.csv"),
    "declare its date": (
        "players g.csv undated.csv --month 2026-11",
        "players g.csv undated.csv --month 2026-11 --date 2026-11-01",
    ),
}


@pytest.mark.slow
@pytest.mark.usefixtures("club")
def test_options_that_a_hint_names_do_what_it_says() -> None:
    for hint, (by, then) in USAGES.items():
        followed(hint, by, then)


@pytest.mark.slow
def test_commands_about_an_archive_that_a_hint_names_do_what_it_says(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, ask = {"ARCHIVE": "history"}, "archive query history 'SELECT count(*) FROM awards'"
    followed("make one with: resultproc archive add IN --to ARCHIVE", "archive list history", IN="late.csv", **there)
    followed(
        "see what there is with: resultproc archive list ARCHIVE --history",
        "archive remove history x",
        "archive remove history late.csv",
        **there,
    )
    followed(
        "{} left out that you removed before; 'archive restore' puts back what was removed",
        "archive add late.csv --to history",
        more="history late.csv",
    )
    run("archive", "remove", "history", "late.csv")
    followed("add some with: resultproc archive add IN --to ARCHIVE", ask, IN="g.csv", **there)

    saved(club / "g.csv", game(PAIRS.replace("56", "57")))
    again = "archive add g.csv --to history"
    followed("{} of the archive replaced; 'archive list --history' shows them", again, more="history")
    saved(club / "g.csv", game())
    followed("if it is right after all: resultproc archive restore ARCHIVE {}", again, **there)
    saved(club / "other.csv", game(PAIRS.replace("56", "55")))
    followed(
        "; to leave that one out: resultproc archive remove ARCHIVE {}", "archive add other.csv --to history", **there
    )
    saved(club / "in" / "late.csv", game(PAIRS.replace("Ash", "Oak"), date="2026-11-12"))
    run("archive", "restore", "history", "late.csv")
    followed(
        "if this one corrects it, remove that one: resultproc archive remove ARCHIVE {}",
        "archive add in/late.csv --to history",
        **there,
    )

    two = "".join(f"{name},{row.replace('Ash', name)}\n" for name in "xy" for row in PAIRS.splitlines())
    saved(club / "two.csv", FACTS + "# club: East\n# boards: 24\ngame_id," + HEADER + two)
    with monkeypatch.context() as full:
        full.setattr("resultproc.archive.add.compact", raised(OutputError("there is no room")))
        followed(
            "the games are added; when that is mended, put them together with: resultproc archive compact ARCHIVE",
            "archive add two.csv --to history",
            "archive list history",
            do=lambda _: full.undo(),
            **there,
        )
    explained = "archive corrections history {}"
    followed(
        "name one of them; see: resultproc archive list ARCHIVE --history",
        explained.format("two.csv"),
        explained.format("x"),
        **there,
    )
    split = "archive split history 'ann1 x' --as X --club {}"
    followed("name a club that 'archive persons' lists", split.format("North"), split.format("East"), more="history")
    who = "archive player history '{}'"
    followed(
        "'resultproc archive persons' lists who there is", who.format("Zzz"), who.format("Ann1 Ash"), more="history"
    )
    followed(
        "'resultproc archive columns' lists the columns", "archive query history 'SELECT nothing FROM awards'", ask
    )
    followed(
        "'resultproc rules show ID' lists the values of a rulebook",
        "archive whatif history --set no.value=0.20",
        "archive whatif history --set section.rate.club-open=0.20",
        ID="acbl-club-2023",
    )
    (club / "history" / "refused").mkdir()
    refused = saved(club / "history" / "refused" / "x.json", "x")
    followed(
        "remove it: the next 'archive add' makes it anew",
        "archive health history",
        more="g.csv --to history",
        do=lambda _: refused.unlink(),
    )

    old = "archive query history 'SELECT count(*) FROM old.awards' --with old={}"
    followed("make one with: resultproc reprocess ARCHIVE -o RUN", old.format("run"), RUN="run", **there)
    followed(
        "award it as of one time, with 'reprocess --as-of'",
        f"{old.format('run')} --as-of 2030-01-01",
        f"{old.format('then')} --as-of 2030-01-01",
        more="2030-01-01 history -o then",
    )
    settings = saved(club / "run" / "settings.json", "x")
    again = "run 'resultproc reprocess' again"
    followed(f"remove it, and {again}", old.format("run"), more="history -o run", do=lambda _: settings.unlink())
    ask_run = "archive query run 'SELECT count(*) FROM awards'"
    run("archive", "remove", "history", "two.csv")
    followed("run 'resultproc reprocess' again", ask_run, more="history -o run")
    run("archive", "add", "undated.csv", "bare.csv", "--to", "poor")
    run("reprocess", "poor", "-o", "assumed", "--set", "date=2026-11-16", "--set", "boards=24")
    poor = "archive player {} 'Ann1 Fir'"
    followed("'resultproc reprocess' says why", poor.format("poor"), poor.format("assumed"), more="poor -o why")
    followed("declare date=", "reprocess poor -o why", "reprocess poor -o set --set date=2026-11-16 --set boards=24")
    followed(
        "--from, --aliases and what you declare of games are for files, not for an archive",
        "players history --date 2026-11-18",
        "players history",
    )
    make_older(Store("history"), club / "old", 3)
    followed("take it over with: resultproc archive upgrade {} NEW", "archive list old", "archive list new", NEW="new")


def written_below(settings: Path) -> Callable[[str], object]:
    """Return what writes a line of TOML below the table that a message names, in place of what was wrong there."""

    def write(told: str) -> None:
        ((line, table),) = re.findall(r"(?:write ([a-z_]+ = \S+) below |)(\[[a-z.]+\])", told)
        rest = re.sub(r"(?m)^(\[site.*\]|folder = [0-9])$", "", settings.read_text())
        saved(settings, f"{table}\n{line}\n{rest}")

    return write


ACCOUNTS = {
    "write {} = {} below [site.{}] {}": "",
    "did you mean [site.{}]?": "[site.foldr]\nfolder = 'to'\n",
    "write [site.{}]": "[site]\nfolder = 3\n",
    "write {} = {} below [site.{}]": "[site.folder]\nfolder = 3\n",
}
"""What is in the settings where a hint is told."""


@pytest.mark.slow
def test_what_a_hint_says_of_a_results_site_is_done(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, write = club / "club.toml", written_below(club / "club.toml")
    publish = "publish {} --for folder --yes --settings club.toml --receipts receipts.sqlite"
    for hint, text in ACCOUNTS.items():
        saved(settings, text)
        followed(hint, publish.format("g.csv"), do=write)
    saved(settings, "[site.folder]\nfolder = 'to'\n")
    batch = "batch in -o out --to html --publish folder --settings club.toml --receipts {}"
    followed("write publish = true below [site.{}] {}", batch.format("r.sqlite"), do=write)
    followed(
        "the folder gets the page of each game alone, and no list of them: --index --to html sends them, too",
        batch.format("r.sqlite"),
        batch.format("r2.sqlite").replace("-o out", "-o out2 --index"),
    )
    followed(
        "name another file with --receipts",
        batch.format("g.csv/r.sqlite"),
        batch.format("r.sqlite --receipts r.sqlite"),
    )
    named = publish.format("{} --name {}")
    saved(club / "more.csv", game(PAIRS.replace("Ash", "Yew"), date="2026-11-20"))
    run(*shlex.split(named.format("more.csv", "tonight.html")))
    followed(
        "give it another name, with name='{date:%Y%m%d}-2'",
        named.format("late.csv", "tonight.html"),
        named.format("late.csv", "'{date:%Y%m%d}-2'"),
    )
    for name in ("tue", "day"):
        saved(club / f"{name}.csv", game(PAIRS.replace("Ash", "Oak"), event="Tuesday", date="2026-11-10"))

    def declare_sessions(_: str) -> None:
        for name in ("tue", "day"):
            path = club / f"{name}.csv"
            saved(path, f"# session: {name}\n{path.read_text()}")

    followed(
        "leave out those that are wrong; if they are several games, declare the session of each",
        publish.format("tue.csv day.csv"),
        do=declare_sessions,
    )
    saved(club / "printed.csv", game(**{"rating": None, **and_a("printed_award", "0.50")}))
    own = publish.format("printed.csv")
    followed("declare the rating to have it awarded here", own, f"{own} --rating club-open")
    followed(
        "to keep them, declare league='{}'",
        "convert printed.csv a.xml --for mempad",
        "convert printed.csv a.xml --for mempad --league sbu",
    )
    followed(
        'declare {} = "{}", or write it below [site.{}] in your settings',
        "award g.csv --for my-ebu",
        "award g.csv --for my-ebu --club-id 123456 --charge-code 10",
    )


@pytest.mark.slow
def test_what_a_hint_says_of_a_site_that_is_posted_to_is_done(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with posted_site(club) as (site, environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        own = site_file(club / "testsite.toml", site.address)
        saved(own, own.read_text().replace("replaces = true", "replaces = false"))
        saved(club / "club.toml", '[site.testsite]\nclub_id = "myclub"\n')
        site.events = {"1": "Wednesday Aft", "2": "Wednesday Eve"}
        publish = f"publish g.csv --for {own} --yes --settings club.toml --receipts receipts.sqlite"
        followed("declare the event by its name there", publish, f"{publish} --event 'Wednesday Eve'")
        saved(club / "old.csv", (club / "g.csv").read_bytes())
        saved(club / "g.csv", game(PAIRS.replace("56", "57")))
        followed(
            "tell the players what changes: resultproc amend OLD NEW lists it",
            f"{publish} --event 'Wednesday Eve'",
            "amend old.csv g.csv",
            OLD="old.csv",
            NEW="g.csv",
        )


@pytest.mark.slow
def test_what_a_hint_says_is_written_beside_a_game_or_into_it(club: Path) -> None:
    deal = '[Board "1"]\n[Deal "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"]\n'
    saved(club / "hands.pbn", f'% PBN 2.1\n[Event "Tonight"]\n{deal}')

    def beside(*files: str, below: str = "") -> Callable[[str], object]:
        """Return what writes the lines of TOML of a message into files."""

        def write(told: str) -> None:
            line = re.findall(r"\b[a-z]+ = \"[^\"]+\"|$", told)[0].replace("tonight.pbn", "hands.pbn")
            table = re.findall(r"\[games\.[^]]+\]|$", told)[0].replace("ID", '"g"')
            for name in files:
                saved(club / f"{name}.toml", f"{table}\n{line.replace('...', 'hands.pbn')}\n{below}")

        return write

    followed(
        'write deals = "tonight.pbn" into the TOML file beside each',
        "award g.csv late.csv --deals hands.pbn",
        "award g.csv late.csv",
        do=beside("g", "late"),
    )
    followed(
        'to show them with a game, write deals = "{}" into the TOML file beside the game',
        "award hands.pbn",
        "award g.csv",
        do=beside("g"),
    )
    saved(club / "g.toml", "games = 3\n")
    followed("write [games.ID] above its keys", "award g.csv", do=beside("g", below="boards = 24"))
    (club / "g.toml").unlink()
    boards = [line for line in test_deals.DLM.split("\r\n") if line.startswith("Board")]
    saved(club / "hands.dlm", "\n".join(["[Document]", *boards]))

    def begin(told: str) -> None:
        first = told.partition("write ")[2].split(", ")[:3]
        saved(club / "hands.dlm", "\n".join([*first, *boards]).replace("=24", "=1"))

    followed(
        "write [Document], From board=1, To board=24, and below them a line for each board",
        "award g.csv --deals hands.dlm",
        do=begin,
    )
    saved(club / "two.pbn", test_scored_here.PBN + test_scored_here.PBN.replace('"E"', '"F"'))
    followed(
        'say whose they are in {}.toml: [games."{}"], and below it deals = "..."',
        "convert two.pbn two.json --deals hands.pbn",
        "convert two.pbn two.json",
        do=beside("two"),
    )
    seated = test_usebio.pairs(p1=75, p2=25, p3=25, p4=75)
    played = [test_usebio.traveller(1, ("1", ew, "420", 2, 0), ("2", other, "170", 0, 2)) for ew, other in ("34", "43")]
    sessions = [f"<SESSION>{seated}{played[0]}</SESSION>", f"<SESSION>{played[1]}</SESSION>"]
    for name, inside in {"both": "".join(sessions), "one": sessions[0], "other": sessions[0]}.items():
        saved(club / f"{name}.xml", test_usebio.document(f"<WINNER_TYPE>1</WINNER_TYPE>{inside}", "MP_PAIRS"))
        saved(club / f"{name}.toml", 'rating = "regional"\ndate = 2018-06-18\ndeals = "hands.pbn"\n')
    followed(
        "give each session a file of its own, and award them with --one-event",
        "award both.xml",
        "award one.xml other.xml --one-event",
    )
    tops = test_scored_here.PBN.replace("TotalPercentage;", "")
    saved(club / "tops.pbn", re.sub(r"(?m)^(\d \d) \d+ (\")", r"\1 \2", tops))
    rescored = "convert tops.pbn tops.json --rescore"
    followed("declare scoring=", rescored, f"{rescored} --scoring cross-imps")
    names = ("one", "again")
    for name, top in zip(names, ("56", "57"), strict=True):
        saved(club / f"{name}.csv", game(PAIRS.replace("56", top), event="Tuesday", date="2026-11-10"))

    def declare_sessions(_: str) -> None:
        for name in names:
            saved(club / f"{name}.csv", f"# session: {name}\n{(club / f'{name}.csv').read_text()}")

    followed(
        "leave out the one that is wrong; if they are two games, declare the session of each",
        "lint one.csv again.csv",
        do=declare_sessions,
    )


OWN_TABLES = {
    'write extends = "acbl-club"': ("itself.toml", 'extends = "itself.toml"\n'),
    "'resultproc rules show {}' lists them": ("unknown.toml", 'extends = "acbl-club"\n[zz.yy]\nvalue = 1\n'),
    "write [{}] and value = ...": ("empty.toml", 'extends = "acbl-club"\n[section.rate.club-open]\nunit = "x"\n'),
    'correct covers, or write league = "{}"': ("covers.toml", 'extends = "acbl-club"\ncovers = ["scale-a"]\n'),
}
"""What is in a rulebook of one's own where a hint is told."""


@pytest.mark.slow
def test_what_a_hint_says_of_a_report_or_rulebook_is_done(club: Path) -> None:
    followed(
        "'resultproc whatif' shows what declarations would pay",
        "infer g.csv",
        "whatif g.csv --rating club-fund",
        more="g.csv --rating club-fund",
    )
    followed(
        "resultproc award --seal writes {} with one", "verify g.csv", "verify sealed.html", more="g.csv -o sealed.html"
    )
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    saved(club / "secret.pem", secret)
    saved(club / "public.pem", key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    run("award", "g.csv", "--sign", "secret.pem", "-o", "signed.html")
    followed(
        "; signed, but not checked: name the public key with --key",
        "verify signed.html",
        "verify signed.html --key public.pem",
    )
    paid = f"<PARTICIPANTS>{test_usebio.PAID}</PARTICIPANTS>"
    saved(club / "paid.xml", test_usebio.document(paid))
    saved(club / "green.xml", test_usebio.document(test_usebio.GREEN + paid))
    followed(
        "{}; if another league's, declare its rating: 'resultproc rules list' has them",
        "check paid.xml",
        "check paid.xml --rating grade-e",
    )
    site = saved(club / "site.toml", site_file(club / "x.toml", "x").read_text().replace('title = "its page"', ""))
    followed(
        'write title = "..." below [sources.{}]',
        "sites show site.toml",
        do=lambda _: saved(site, site.read_text().replace("[sources.page]", '[sources.page]\ntitle = "its page"')),
    )
    followed("league='{}' if they are those of the {}", "check green.xml", "check green.xml --league abf")
    followed(
        "declare rating, such as {}; 'resultproc infer' finds which fits",
        "check green.xml --league abf",
        "check green.xml --league abf --rating grade-e",
        more="green.xml --league abf --date 2020-01-01",
    )
    shown = run("rules", "show", "acbl-club").printed
    for hint, (name, text) in OWN_TABLES.items():
        own = saved(club / name, text)

        def write(told: str, own: Path = own, text: str = text) -> None:
            if table := re.search(r"write \[(.*)\] and (value = )", told):
                assert table[1] in shown
                saved(own, f"{text}{table[2]}0.12\n")
            elif line := re.search(r"write ((?:extends|league) = \"[a-z-]+\")", told):
                saved(own, line[1] + "\n" + text.replace('extends = "itself.toml"', ""))
            else:
                saved(own, text.replace("zz.yy", "section.rate.club-open"))

        followed(hint, f"rules show {name}", do=write)


def test_where_two_rulebooks_are_for_a_game_it_names_one(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = dataclasses.replace(rulebook("acbl-club-2023"), id="mine", extends="")
    monkeypatch.setattr(choice, "rulebooks", lambda: [*rulebooks(), mine])
    monkeypatch.setattr(choice, "rulebook", lambda name: mine if name == "mine" else rulebook(name))
    path = file(game())
    (problem,) = told(path)
    assert problem.hint == "name one with --rulebook, or give one of them another day: since = 2026-01-01"
    assert gone(path, problem, {"rulebook": "acbl-club-2023"})
    later = dataclasses.replace(mine, since=date(2026, 1, 1))
    monkeypatch.setattr(choice, "rulebooks", lambda: [*rulebooks(), later])
    assert gone(path, problem, {})


def test_the_module_and_class_of_rules_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package := tmp_path / "league_of_ours").mkdir()
    saved(package / "__init__.py", "")
    saved(package / "acbl_club.py", "from resultproc.rulebooks.acbl_club.rules import ClubRules\n")
    monkeypatch.syspath_prepend(tmp_path)
    head = 'id = "ours"\ntitle = "Ours"\n'
    book = saved(package / "ours.toml", f'{head}rules = "nowhere:Rules"\n')
    with pytest.raises(RulebookError) as caught:
        load_from_package(book.name, package.name).rules  # noqa: B018
    (problem,) = caught.value.problems
    assert re.fullmatch(
        pattern('write the module of {} and the class: rules = "acbl_club.rules:ClubRules"'), problem.hint
    )
    saved(book, f'{head}rules = "acbl_club:ClubRules"\n')
    assert load_from_package(book.name, package.name).rules


def raised(error: Exception) -> Callable[..., None]:
    """Return a function that raises an error."""

    def raises(*_: object, **__: object) -> None:
        raise error

    return raises


TO_DO = re.compile(
    rf"""(?<![\w-])--[a-z] | \bresultproc\ [a-z] | '(?:archive|reprocess|publish)\ | \bwith\ rulebook\b
    | \b(?:declare|say)\ (?:[a-z]+\ ){{0,2}}(?:{_KEYS})\b | \b[a-z_]+\ ?=\ ?['"{{0-9t] | (?:^|\ )\[[a-z]+\.""",
    re.VERBOSE,
)
"""What a text has that names a command, an option, a key or a line of TOML."""

TELLS_NOTHING_TO_DO = {
    "# [games.{}]",
    '# date = ""  # {}',
    "# limit = 300  # {}",
    '# concurrent_tables = "{}"  # {}',
    "--errors json",
    "--log ",
    "--log json",
    "--set {}",
    "A list of who is who, CSV: player, member, club and is, as 'archive persons --unsure' has it.",
    "Each name leads into resultproc open, which has to run on this machine: mend the file there, and put it back. "
    "Or mend it in your own program, and save it.",
    "Go by what this results site takes: a name of 'resultproc sites list', or the TOML file of your own.",
    "The seal of this workbook: resultproc verify FILE compares with it. It is no signature.",
    "This is no request that a page of resultproc makes.",
    "This page is open in the browser that resultproc opened, and in no other. Its first address works once, and for "
    "ten minutes. For a new one end resultproc open, and start it again: nothing that you have done is lost.",
    "[asks.keys]: unknown key '{}'",
    "[asks.member_numbers]: this is no pattern: {}",
    "[asks.{}] has value and cite, and may have note and refused",
    "[asks.{}]: note is a text, refused is true or false",
    "[asks.{}]: write value as {}",
    "[dialect.{}] is of a format that is not among its formats",
    '[event."Friday Pairs"]',
    "[site.{}] is not a known site",
    "a hash of the contestants, with which 'archive verify' compares them",
    "another version of resultproc made these results",
    "extends = {}",
    '  [{}] value = "{}": {}',
    "[{}]\nvalue = {}\n",
    "value = {}",
    "person = {}",
    "give every worker the same resultproc and rulebooks, and start it anew",
    "in how many of them somebody should decide who it is: archive persons --unsure",
    "install resultproc there",
    "in {} it is not sure that it is this player; archive persons --unsure lists them",
    "its '{}' is {}, which resultproc does not know",
    "such as black=0.22, red=0.22",
    "this folder is open in another window of resultproc open",
    "where games at the same time count: limit=tables {}",
    "with --understood, what was understood of each file",
    "write a table, such as { first = 100 }",
    "{} more options, and all that goes with them: {} --help",
    "{}?club={} {}",
    "POST {}?club={}",
}
"""What has such a name, and is no hint: what help, pages and the documents of columns say, and parts of other texts."""

ELSEWHERE = {
    "if it is a results file, allow it more with --limit-seconds and --limit-memory",  # test_limits.py, in processes
    *BESIDE,
    *KEY_LINES,  # these in CASES
}
"""What other tests follow, or under another name."""


def test_each_hint_that_names_what_to_write_is_followed(texts: set[tuple[str, str, bool]]) -> None:
    """A hint of another kind than those here needs a case: followed() or GAMES."""
    no_hint = re.compile(r"\b(SELECT|FROM|JOIN|WHERE|SET|BEGIN)\b|</?[a-z]|=\"|^%")
    named = {text for _, text, of_help in texts if " " in text and not of_help and TO_DO.search(text)}
    hints = {text for text in named if not no_hint.search(text)}
    nodes = ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8")))
    here = {each.value for each in nodes if isinstance(each, ast.Constant)}
    assert sorted(hints - here - ELSEWHERE) == []
    assert hints >= TELLS_NOTHING_TO_DO
