"""The seal of a result, and sealed files verified: what each is, compared with what is written of its own data.

A seal has the SHA-256 of the result, which is the same in every format: the keys of the games, names, scores, ranks,
awards and what paid them. It has the SHA-256 of the data that the file holds, from which all is computed again. In JSON
the data are the file itself; pages and workbooks hold them beside what they show.

A seal is no signature: whoever changes a file can seal it again. What it shows has to follow from its data even then.
A signature of a seal is Ed25519, by keys in PEM files, with the library ``cryptography``; a signed seal also has the
SHA-256 of all of the file but the seal, so that whatever version reads it, the signed bytes count.

Nothing but the file is read. Its data are ranked and awarded as any file, under the rulebook that they name and with
the tables of today, and written in its format. If that gives the same bytes, the file is as it was written, and nothing
else is said to be. What differs is named as far as a plain look at the two tells it. A signature covers the bytes of a
file, so that a signed one is as it was written whatever a later version would write.

Outputs that are sealed are verified so before they are given out.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from resultproc.formats.loaded import Readable, errors_of, load_source
from resultproc.formats.read import read
from resultproc.formats.registry import Sealed, Shown, Writer
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.errors import shown as readable
from resultproc.model.frames import Result
from resultproc.model.language import ENGLISH, language, languages, speaking
from resultproc.model.plugins import named, names
from resultproc.model.provenance import PROVENANCE_KEY, Provenance, program
from resultproc.model.source import Source
from resultproc.pages.result import content
from resultproc.people.seated import label
from resultproc.reports.json_types import FindingEntry as Finding
from resultproc.stages.doubts import Doubts
from resultproc.stages.pipeline import award_sheet, with_boards

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


SEAL_VERSION = 2
"""The version of seals; those of version 1 say nothing of what a file shows besides its data."""

SEAL_KEYS = frozenset({"version", "format", "holds", "result", "sha256", "sums", "shows", "signature", "language"})
"""What a seal may have beside the data, ``sums`` in version 1: anything else could be read for a part of the result."""

SealData = Mapping[str, Any]

HIDDEN = {
    "id": "member numbers",
    "played": "the part of the event that each player played",
    "holding": "masterpoints held",
}
"""What is known of players that pages do not show, as the JSON calls it and in words."""

_COMPUTED = ("positions", "masterpoints", "colours", "paid_by", "candidates", "scorecard")
"""What of a contestant follows from the rest of the data."""

_ASIDE = ("candidates", "scorecard", "printed")
"""What of a contestant only JSON holds: the data of other formats need not have what computing gives again."""

_RESULT = (
    *("section", "direction", "number", "stratum", "eligible", "score", "percentage", "sessions"),
    *("positions", "masterpoints", "colours", "paid_by"),
)
"""What belongs to the result of a contestant, besides its players' names and own awards."""

_PLAYER = ("name", "masterpoints", "colours")


def seal_of(data: SealData, writer: Writer, held: Collection[str]) -> dict[str, Any]:
    """Return the seal of the data of a file, without the data and without a signature.

    held: what of :data:`HIDDEN` the data have.
    """
    return {
        "version": SEAL_VERSION,
        "format": writer.name,
        "holds": sorted(held),
        "result": result_sum(data),
        "sha256": digest(data),
    }


def data_of(result: Result, writer: Writer, held: Collection[str]) -> SealData:
    """Return the data that files of a format hold: those of the JSON, of players no more than the file has anyhow.

    held: what of :data:`HIDDEN` the file may have besides.
    """
    entries = content(result)
    if writer.name == "json":
        return entries
    out = {"printed_award", *HIDDEN} - set(held)
    for game in entries["games"]:
        if not writer.boards:
            game.pop("boards", None)
        game["contestants"] = [
            _without(each, _ASIDE) | {"players": [_without(player, out) for player in each["players"]]}
            for each in game["contestants"]
        ]
    return entries


def _without(entry: SealData, left_out: Container[str]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in left_out}


def given(data: SealData) -> SealData:
    """Return the data without what was computed from the rest."""
    games = [
        {**game, "contestants": [_without(each, _COMPUTED) for each in game["contestants"]]} for game in data["games"]
    ]
    return {**data, "games": games}


def result_sum(data: SealData) -> str:
    """Return the SHA-256 of the result: what every format shows, and nothing else."""

    def shown(contestant: SealData) -> SealData:
        players = [{name: each[name] for name in _PLAYER if name in each} for each in contestant["players"]]
        return {name: contestant[name] for name in _RESULT if name in contestant} | {"players": players}

    games = data["games"]
    return digest([[_without(game["game"], ("source", "stored")), *map(shown, game["contestants"])] for game in games])


def digest(value: object) -> str:
    """Return the SHA-256 of a value in its canonical form, in hexadecimal digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def canonical(value: object) -> bytes:
    """Return the one way to write a value as JSON: names in order, no blanks, UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


def signed(seal: SealData) -> bytes:
    """Return what is signed: the seal, which has the sum of the data."""
    return canonical(_without(seal, ("data", "signature")))


ALGORITHM = "Ed25519"

_MAKE = "make one with: openssl genpkey -algorithm ed25519 -out key.pem"
_PUBLIC = "make it of the private one with: openssl pkey -in key.pem -pubout -out public.pem"
_LARGEST = 65536
"""No file of a key has more bytes."""


@dataclass(frozen=True)
class SigningKey:
    """A public key that a seal is to be signed with. name: of its file."""

    name: str
    key: Ed25519PublicKey


def signing(path: Path) -> Callable[[bytes], Mapping[str, str]]:
    """Return what signs by a private key; raise InputError for a file that holds none of the kind."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key: Ed25519PrivateKey = _loaded(path, Ed25519PrivateKey, private=True)
    public = b64encode(key.public_key().public_bytes_raw()).decode()

    def sign(data: bytes) -> Mapping[str, str]:
        return {"algorithm": ALGORITHM, "key": public, "value": b64encode(key.sign(data)).decode()}

    return sign


def public_key(path: Path) -> SigningKey:
    """Return a public key; raise InputError for a file that holds none of the kind."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return SigningKey(path.name, _loaded(path, Ed25519PublicKey, private=False))


def _loaded(path: Path, kind: type, *, private: bool) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

    with errors_of(path.name), path.open("rb") as file:
        data = file.read(_LARGEST)
    other = b"PRIVATE KEY-----" in data
    if other != private:
        has, hint = ("a private key", _PUBLIC) if other else ("no private key", _MAKE)
        what = f"this file has {has}, and {'the private' if private else 'a public'} one is needed"
        raise InputError(what, hint=hint, file=path.name)
    try:
        key = load_pem_private_key(data, None) if private else load_pem_public_key(data)
    except TypeError:
        hint = "take the password off with: openssl pkey -in key.pem -out open.pem"
        raise InputError("this key is encrypted with a password", hint=hint, file=path.name) from None
    except (ValueError, UnsupportedAlgorithm):
        what = "this is not a key in PEM form, or it is damaged"
        raise InputError(what, hint=_MAKE if private else _PUBLIC, file=path.name) from None
    if not isinstance(key, kind):
        raise InputError(f"this key is not of the kind {ALGORITHM}", hint=_MAKE, file=path.name)
    return key


def signature_doubts(seal: SealData, key: SigningKey) -> Iterator[str]:
    """Yield what is wrong with the signature of a seal, which is to be of a key."""
    signature = seal.get("signature")
    if not signature:
        yield f"it is not signed, and should be with the key of {key.name}"
        return
    if signature["key"] != b64encode(key.key.public_bytes_raw()).decode():
        yield f"it is signed with another key than that of {key.name}"
        return
    from cryptography.exceptions import InvalidSignature

    try:
        value = b64decode(signature["value"], validate=True)
        key.key.verify(value, signed(seal))
        if (signature["algorithm"], signature["value"]) != (ALGORITHM, b64encode(value).decode()):
            raise ValueError
    except (InvalidSignature, ValueError):
        yield f"its signature is not of this seal: it was changed after it was signed with the key of {key.name}"


class Proof(IntEnum):
    """What is known of what a file shows, the best first."""

    WRITTEN = 0
    """It is as it was written."""
    VALUES = 1
    """Its values follow. Its looks, or what is around it, are not proven."""
    COMPARED = 2
    """Some names and numbers were compared, and follow. It may show others, too."""


@dataclass
class Verified:
    """The outcome of verifying a file."""

    file: str
    contestants: int = 0  # how many it has
    findings: list[Finding] = field(default_factory=list)  # what does not follow
    remarks: list[Problem] = field(default_factory=list)  # what follows in another way than it was sealed
    signed: bool = False  # whether it is signed
    signed_by: str = ""  # the file of the key, where it was checked that it is with that
    data: list[SealData] = field(default_factory=list)  # those of its results, one for each fragment of a page
    result_sums: list[str] = field(default_factory=list)  # the SHA-256 of each
    proof: Proof = Proof.WRITTEN  # what is known of what it shows
    looks: list[Finding] = field(default_factory=list)  # why its looks are not proven, where its values follow

    def passes(self, *, values: bool = False) -> bool:
        """Say whether it follows, and is as it was written. values: whether it is enough that its values follow."""
        return not self.findings and self.proof <= (Proof.VALUES if values else Proof.WRITTEN)

    @property
    def sources(self) -> list[str]:
        """The files that its results are from, with the SHA-256 of each."""
        files = [each for data in self.data for each in data[PROVENANCE_KEY]["sources"]]
        return [f"{each['name']} (SHA-256 {each['sha256']})" for each in files]


def verify(path: Readable, key: SigningKey | None = None) -> Verified:
    """Verify a sealed file: a page, a workbook or JSON. key: the public key that it is to be signed with.

    Raises InputError, the file named, for one that cannot be read, that has no seal, or whose data cannot be awarded.
    """
    source = load_source(path)
    ending = "" if isinstance(path, Source) else PurePath(source.name).suffix.lower()
    with errors_of(source.name):
        try:
            return _verified(source, key, ending)
        except RecursionError:
            raise FormatError("what is in this file is nested too deeply") from None


def _verified(source: Source, key: SigningKey | None, ending: str) -> Verified:
    writers: list[Writer] = [named("writers", name) for name in names("writers")]
    able = {writer.name: writer for writer in writers if writer.unseal}
    found = next(filter(None, (writer.unseal(source.data) for writer in able.values() if writer.unseal)), [])
    if not found:
        kinds = "a web page, a workbook or JSON"
        raise FormatError("there is no seal in this file", hint=f"resultproc award --seal writes {kinds} with one")
    verified = Verified(readable(source.name))
    for each in found:
        writer = able.get(str(each.seal.get("format")))
        version = each.seal.get("version")
        if writer is None or type(version) is not int or not 1 <= version <= SEAL_VERSION:
            raise FormatError("this seal is of a kind that is not known", hint="it may need a newer resultproc")
        endings = [name for other in able.values() if other.unseal is writer.unseal for name in other.endings]
        if ending and ending not in endings:  # a browser or a server takes it for something else then
            what = f"this file is no {ending} but {writer.title}, and programs that go by its name show something else"
            raise FormatError(what, hint=f"rename it to end in {writer.endings[0]}")
        _refuse_damaged(each)
        _Comparison(source, each, writer, verified).all(key)
    return verified


@dataclass
class _Comparison:
    """A sealed result compared with what is written of its data; what is found goes to ``verified``."""

    source: Source
    sealed: Sealed
    writer: Writer
    verified: Verified

    def all(self, key: SigningKey | None) -> None:
        """Award the data again, write them again, and say what the file is."""
        data, seal = self.sealed.data, self.sealed.seal
        whole = digest(data) == seal["sha256"]
        try:
            today = recomputed(data)
        except InputError as error:
            if whole:
                raise
            self._find(Finding(f"its data were changed, and cannot be awarded any more: {error.problems[0]}"))
            return
        # With what the data say of where it is from, and of what was doubtful then.
        titles = {each.id: each.title for each in today.provenance.rulebooks}
        again = replace(
            today,
            games=today.games.assign(source=[game["game"]["source"] for game in data["games"]]),
            remarks=tuple(map(_remark, data["remarks"])),
            provenance=Provenance.of_entry(data[PROVENANCE_KEY], titles),
        )
        held = seal["holds"] if self.writer.page else HIDDEN
        follows = data_of(again, self.writer, held)
        # What of a seal does not follow from the data.
        as_it_is = {name: seal[name] for name in ("shows", "signature", "language") if name in seal}
        own = seal_of(follows, self.writer, held) | as_it_is
        self.verified.data.append(data)
        self.verified.contestants += len(again.contestants)
        self.verified.result_sums.append(own["result"])
        self.verified.signed = "signature" in seal
        doubts = list(signature_doubts(seal, key)) if key else []
        self._find(*map(Finding, doubts))
        self.verified.signed_by = key.name if key and not doubts else ""
        self._note_rulebooks(today)
        if self.verified.signed_by and whole and seal.get("shows") == self.sealed.shows:
            self._find(*_differences(*(filter(_is_core, _leaves(each)) for each in (data, follows))))
        else:
            with speaking(seal.get("language", ENGLISH)):
                written = self.writer.write(replace(again, seal={**own, "data": follows}))
            self._compare(written, whole=whole)
        if self.sealed.inside:
            self._remark("the page around the fragment is not compared")
            self.verified.proof = max(self.verified.proof, Proof.VALUES)

    def _compare(self, written: bytes, *, whole: bool) -> None:
        """Compare the file with what is written of its data. whole: whether the data are those that were sealed."""
        if written == self.source.data:
            return
        assert self.writer.unseal
        (other,) = self.writer.unseal(written)
        if other.content == self.sealed.content:
            return
        said, today = (_leaves(each.data) for each in (self.sealed, other))
        proof = Proof.VALUES
        if self.sealed.data[PROVENANCE_KEY]["program"] == program():
            self._find(*_differences(said, today), *_differences(self.sealed.shown(), other.shown()))
            if whole and not self.verified.findings:
                self._find(*_differences(*(_values(each.seal, "its seal") for each in (self.sealed, other))))
            if self.writer.page and whole and not self.verified.findings:
                what = "its bytes are not those that it was written with, though no text that was compared is another"
                self._find(Finding(what))
            self.verified.looks.append(Finding("another program has saved it, and only its values were compared"))
        else:
            self._find(*_differences(filter(_is_core, said), filter(_is_core, today)))
            was = self.sealed.data[PROVENANCE_KEY]["program"]
            self._remark(
                f"{was} has sealed this, and this version writes it otherwise: only names and numbers are compared",
                "that version compares all of it, and so does this one with key, if it was signed with it",
            )
            proof = proof if self.writer.name == "json" else Proof.COMPARED
        if not whole and not self.verified.findings:
            self._find(Finding("its data were changed after it was sealed"))
        self.verified.proof = max(self.verified.proof, proof)

    def _find(self, *found: Finding) -> None:
        self.verified.findings += found

    def _remark(self, what: str, hint: str = "") -> None:
        self.verified.remarks.append(Problem(what, hint=hint, file=self.source.name, code="seal.remark"))

    def _note_rulebooks(self, today: Result) -> None:
        was, now = self.sealed.data[PROVENANCE_KEY]["rulebooks"], today.provenance.entry()["rulebooks"]
        for name in sorted({*was, *now}):
            if name not in was or name not in now:
                self._find(Finding("the rulebooks that paid", shown=", ".join(was), follows=", ".join(now)))
                return
            if was[name] != now[name]:
                what = f"the tables of rulebook {name} are others than when this was sealed"
                self._remark(what, "it was compared with those of today")


def _refuse_damaged(sealed: Sealed) -> None:
    """Raise FormatError for a seal or data that have not the form that they are written in.

    What the data say besides is for the reader of JSON to check, and what was computed of them is compared as it is.
    """
    seal, data = sealed.seal, sealed.data
    games = data.get("games") if isinstance(data, dict) else None
    signature = seal.get("signature", {})
    sound = (
        isinstance(data, dict)
        and _lists_objects(games)
        and all(_lists_objects(game.get("contestants")) and isinstance(game.get("game"), dict) for game in games or ())
        and {PROVENANCE_KEY, "remarks"} <= data.keys()
        and isinstance(seal.get("sha256"), str)
        and isinstance(seal.get("holds"), list)
        and all(isinstance(each, str) and each in HIDDEN for each in seal["holds"])
        and set(seal) <= SEAL_KEYS
        and seal.get("language", ENGLISH) in languages()
        and isinstance(signature, dict)
        and ("signature" not in seal or signature.keys() == {"algorithm", "key", "value"})
        and all(isinstance(each, str) for each in signature.values())
    )
    if sound:
        try:
            digest(data)
            return
        except ValueError:  # a number that JSON has no room for
            pass
    raise FormatError("the seal of this file is damaged", hint="copy the file again")


def _lists_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def recomputed(data: SealData) -> Result:
    """Return the result that follows from the data of a sealed file.

    Raises InputError for data that cannot be read or awarded.
    """
    for game in data["games"]:
        if game["game"].get("rulebook") not in names("rulebooks"):
            what = f"its rulebook is not one of this program, but '{game['game'].get('rulebook')}'"
            where = f"game {game['game'].get('game_id')}"
            raise InputError(what, where, "a seal needs a rulebook that everybody has")
    source = Source("data", canonical(given(data)))
    result = award_sheet(read(source, format="json"), Doubts())
    return with_boards(result, [source], "json")


def _remark(entry: Mapping[str, Any]) -> Problem:
    """Return a remark from its entry in JSON, in a file of its own: none is left out as one too many of a file."""
    more = re.fullmatch("and [0-9]+ more remarks", entry["what"])
    at = {"where" if more else "file": entry["where"]}
    rows = Problem.rows_of(entry)
    return Problem(entry["what"], hint=entry["hint"], code=entry.get("code", ""), rows=rows, **at)


_WORDING = re.compile(r"its data, ((provenance|remarks)\b|.*(\.(rule|factors)$|\.values\b))")
"""What of the data may be worded otherwise by another version of the program."""


def _is_core(leaf: Shown) -> bool:
    """Say whether a value of the data is a name or number; one that says nothing may be lacking in another version."""
    return leaf.text not in ("", "null") and not _WORDING.match(leaf.what)


def _leaves(data: SealData) -> Iterator[Shown]:
    """Yield every value of some data, with its path, and in those of a contestant with who it is."""
    for name, value in sorted(data.items()):
        if name != "games":
            yield from _values(value, f"its data, {name}")
    for number, game in enumerate(data["games"]):
        for name, value in sorted(game.items()):
            if name != "contestants":
                yield from _values(value, f"its data, {name} {number + 1}")
        for contestant in game["contestants"]:
            for name, value in sorted(contestant.items()):
                yield from _values(value, f"its data, {name}", who(contestant))


def _values(value: object, path: str, who: str = "") -> Iterator[Shown]:
    if isinstance(value, dict) and value:
        for name, each in sorted(value.items()):
            yield from _values(each, f"{path}.{name}", who)
    elif isinstance(value, list) and value:
        for number, each in enumerate(value):
            yield from _values(each, f"{path}[{number}]", who)
    else:
        yield Shown(path, value if isinstance(value, str) else canonical(value).decode(), who)


def _differences(shown: Iterable[Shown], follows: Iterable[Shown]) -> Iterator[Finding]:
    """Yield what differs: each text with the one in its place, or what only one of them has if they are not as many."""
    here, there = list(shown), list(follows)
    if len(here) == len(there):
        for one, other in zip(here, there, strict=True):
            if one[:2] != other[:2]:
                yield Finding(one.what, other.who or one.who, one.text, other.text)
        return
    for each in (Counter(here) - Counter(there)).elements():
        yield Finding(each.what, each.who, shown=each.text)
    for each in (Counter(there) - Counter(here)).elements():
        yield Finding(each.what, each.who, follows=each.text)


def who(contestant: SealData) -> str:
    """Return ``A-NS-5 Ruta Allen – Betty Camp``."""
    named = " – ".join(str(player["name"]) for player in contestant["players"] if player.get("name"))
    return " ".join(filter(None, [label(contestant), named]))


Sign = Callable[[bytes], Mapping[str, str]]
"""What signs: it takes what to sign, and gives the signature as the seal has it."""


def sealed(result: Result, writer: Writer, *, holdings: bool = False, sign: Sign | None = None) -> bytes:
    """Return what a writer writes of a result, with its seal; it verifies, or is not made.

    holdings: whether a page may hold what its awards depend on and it does not show; none holds more than it takes.
    Raises InputError where a page would need it, and where awards do not follow from what a file holds at all.
    """
    if not writer.page:
        return _sealed(result, writer, HIDDEN, sign)
    try:
        return _sealed(result, writer, (), sign)
    except InputError:
        page = _sealed(result, writer, HIDDEN, sign)
    needed = list(HIDDEN)
    for name in HIDDEN:
        fewer = [each for each in needed if each != name]
        try:
            page, needed = _sealed(result, writer, fewer, sign), fewer
        except InputError:
            continue
    if not holdings:
        words = " and ".join(HIDDEN[name] for name in needed)
        what = f"these awards depend on what a page does not show: {words}"
        raise InputError(what, hint="holdings=True puts that into the page, for everybody to read")
    return page


def _sealed(result: Result, writer: Writer, held: Collection[str], sign: Sign | None) -> bytes:
    contents = data_of(result, writer, held)
    # What is for programs is the same in each language.
    spoken = {} if language() == ENGLISH or writer.name == "json" else {"language": language()}
    seal = {**seal_of(contents, writer, held), **spoken}

    def written() -> bytes:
        return writer.write(replace(result, seal={**seal, "data": contents}))

    if sign and writer.unseal:
        # What is written around a seal depends on whether it is signed, and on nothing of the signature.
        seal |= {"shows": "0" * 64, "signature": sign(b"")}
        seal["shows"] = writer.unseal(written())[0].shows
        seal["signature"] = sign(signed(seal))
    data = written()
    name = result.provenance.sources[0].name if result.provenance.sources else "the result"
    verified = verify(Source(name, data))
    if not verified.passes():
        found = next(iter(verified.findings), "it cannot be written again as it is")
        raise InputError(f"this cannot be sealed, since it does not follow from its own data: {found}", file=name)
    return data
