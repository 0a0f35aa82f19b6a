"""Games that several tests read: written out as a director would type them."""

from collections.abc import Iterable

WEDNESDAY = """\
# event: Wednesday Open Pairs
# date: 2012-04-18
# rating: club-open
# tables: 9
# boards: 27
# strata: A=open, B=1000, C=200
section,direction,number,player1,player2,stratum,score
A,N-S,1,Ada Ames,Bob Ames,B,140.50
A,N-S,2,Cleo Cox,Dan Cox,B,64
A,N-S,3,Eve Elm,Finn Elm,B,89.50
A,N-S,4,Gil Gray,Hal Gray,C,86.50
A,N-S,5,Ivy Inn,Jon Inn,C,104.50
A,N-S,6,Kim Kerr,Lee Kerr,B,133
A,N-S,7,Mia Moon,Ned Moon,A,130
A,N-S,8,Ola Orr,Pat Orr,A,122.50
A,N-S,9,Quin Ray,Rob Ray,B,101.50
A,E-W,1,Sam Say,Tom Say,A,117.50
A,E-W,2,Uma Urn,Val Urn,C,119.50
A,E-W,3,Wes Wye,Xia Wye,B,116.50
A,E-W,4,Yan Yew,Zoe Yew,C,63
A,E-W,5,Abe Ash,Bea Ash,A,109.50
A,E-W,6,Cal Cane,Dot Cane,C,107
A,E-W,7,Eli East,Fay East,C,105
A,E-W,8,Gus Gold,Hue Gold,A,107.50
A,E-W,9,Ian Iron,Jan Iron,B,126.50
"""
"""The published club game of 18 April 2012: its scores and strata; the names are made up."""


def csv(scores: Iterable[tuple[str, str, int, float]], extra: str = "", **keys: str) -> str:
    """Return a CSV of contestants (section, direction, number, percentage), with the game's keys above it.

    A regular club game that names neither day nor boards is of 2010, when its boards did not matter.
    extra: further columns of the first contestant, as ``handicap=20``.
    """
    name, _, value = extra.partition("=")
    if keys.get("rating") in ("club-open", "club-restricted") and not {"date", "boards"} & set(keys):
        keys["date"] = "2010-05-01"
    lines = [f"# {key}: {declared}" for key, declared in keys.items()]
    lines.append("section,direction,number,player1,percentage" + ("," + name if name else ""))
    for row, (section, direction, number, percentage) in enumerate(scores):
        line = f"{section},{direction},{number},Player {section}{direction}{number},{percentage}"
        lines.append(line + ("," + (value if row == 0 else "") if name else ""))
    return "\n".join(lines) + "\n"


def field(section: str, direction: str, count: int, best: float) -> list[tuple[str, str, int, float]]:
    """Return contestants 1, 2, ... of a section and direction, each a percentage point below the one before."""
    return [(section, direction, number, best - number + 1) for number in range(1, count + 1)]
