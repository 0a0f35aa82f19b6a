"""What messages say is to be done: each such hint is followed, and the message is gone."""

import ast
import re
import shlex
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from shutil import copyfile
from typing import NamedTuple

import click
import openpyxl
import pytest
from conftest import ALL, FIXTURES, PROJECT, File, run, saved
from older_archives import make_older
from samples import SAMPLES, real

from resultproc.cli import cli
from resultproc.archive.store import Store
from resultproc.model.errors import InputError, OutputError, Problem
from resultproc.model.keys import KEYS
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
        + "".join(f"{n}     Ann{n} Ash - Bob{n} Elm   {60 - 4 * n}.00\n" for n in range(1, 7))
    },
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
        helps = [each for each in nodes if isinstance(each, ast.keyword) and each.arg in {"help", "epilog"}]
        of_help = {id(part) for each in helps for part in ast.walk(each)}
        for each in nodes:
            text = ""
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                text = each.value
            elif isinstance(each, ast.JoinedStr):
                text = "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in each.values)
            elif isinstance(each, ast.Call) and ast.unparse(each.func) == "how_to_declare":
                text = f"declare {ast.literal_eval(each.args[0]) if isinstance(each.args[0], ast.Constant) else '{}'}="
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


class Told(NamedTuple):
    """A file that brings a hint, and how that is followed.

    keys: what is declared; empty where the hint has the value, too. name: of the file. edit: what is written for what
    in it, where the hint asks for that as well.
    """

    content: str | bytes
    keys: dict[str, str] = {}
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


@pytest.mark.parametrize("hint", GAMES)
def test_what_a_hint_says_of_a_game_can_be_declared(file: File, monkeypatch: pytest.MonkeyPatch, hint: str) -> None:
    content, keys, name, edit = GAMES[hint]
    path = file(content, name, declared="" if name == NAME else 'rating = "club-open"\nboards = 24\n')
    monkeypatch.chdir(path.parent)
    saved(Path("own.toml"), 'extends = "acbl-general-formula-2015"\n[special.known]\nvalue = ["x-own"]\n')
    problem = next((each for each in told(path) if re.search(pattern(hint), each.hint)), None)
    assert problem, told(path)
    done = keys or follow(path, problem.hint)
    assert done
    assert all(key in f"{problem.what} {problem.hint}" for key in done), problem
    if any(edit):
        saved(path, str(content).replace(*edit))
    try:
        left = process(path, **done).remarks
    except InputError as error:  # no other than one that asks for more
        left = error.problems
        assert {each.code for each in left} == {"declaration.missing"}, error
    assert all((each.what, each.where) != (problem.what, problem.where) for each in left), left


def pattern(hint: str) -> str:
    """Return the pattern of a text of the source, in which {} stands for a value, and an argument may be an option."""
    text = re.sub(r"\\\{.*?\\\}", "(.*?)", re.escape(hint))
    text = re.sub(r"\b([a-z_]+)=(?='|$)", lambda at: f"(?:(?:--set )?{at[0]}|--{at[1].replace('_', '-')} )", text)
    return f"{text}$" if text.endswith("(.*?)") else text


CALLED = re.compile(
    r"(?:resultproc |'(?=(?:archive|reprocess) ))([a-z][^';()]*?)(?:[';)]|$| (?:lists|says|writes|shows)\b)"
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
    before, after = set(shlex.split(by)), shlex.split(then or by)
    said = told[0].replace("-", "_")
    assert all(word[2:].replace("-", "_") in said for word in after if word[:2] == "--" and word not in before), said
    if do:
        do(told[0])
    if "resultproc" in hint or more:
        named = CALLED.search(told[0])
        assert named
        words = [*(names.get(word, word) for word in named[1].split()), *shlex.split(more)]
        assert not [word for word in words if word.isupper()], words
        ended = run(*words)
        assert ended.status == (1 if "says why" in told[0] else 0), (words, ended.err)
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

TELLS_NOTHING_TO_DO: set[str] = set()


def test_each_hint_that_names_what_to_write_is_followed(texts: set[tuple[str, str, bool]]) -> None:
    no_hint = re.compile(r"\b(SELECT|FROM|JOIN|WHERE|SET|BEGIN)\b|</?[a-z]|=\"")
    advice = {
        text
        for _, text, helps in texts
        if " " in text and not helps and TO_DO.search(text) and not no_hint.search(text)
    }
    calls = [
        each for each in ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8"))) if isinstance(each, ast.Call)
    ]
    said = {
        each.args[0].value
        for each in calls
        if ast.unparse(each.func) == "followed" and isinstance(each.args[0], ast.Constant)
    }
    print(*sorted(advice - {*GAMES, *USAGES, *said}), sep="\n")
    print("NOT", *sorted({*GAMES, *USAGES, *said} - advice), sep="\n")
    assert 0
