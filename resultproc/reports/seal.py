"""The seal of a result: what its files can be verified with.

A seal has the SHA-256 of the result, which is the same in every format: the keys of the games, names, scores, ranks,
awards and what paid them. It has the SHA-256 of the data that the file holds, from which all is computed again. In JSON
the data are the file itself; pages and workbooks hold them beside what they show.

A seal is no signature: whoever changes a file can seal it again. What it shows has to follow from its data even then.
A signature of a seal is Ed25519, by keys in PEM files, with the library ``cryptography``; a signed seal also has the
SHA-256 of all of the file but the seal, so that whatever version reads it, the signed bytes count.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from resultproc.formats.registry import Writer
from resultproc.model.codes import code_of
from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.pages.entries import content

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


SEAL_VERSION = 2
"""The version of seals; those of version 1 say nothing of what a file shows besides its data."""

SEAL_KEYS = frozenset({"version", "format", "holds", "result", "sha256", "sums", "shows", "signature"})
"""What a seal may have beside the data, ``sums`` in version 1: anything else could be read for a part of the result."""

SIGNATURE = frozenset({"algorithm", "key", "value"})
"""What a signature has."""

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

    writer: that of the file's format.
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

    writer: that of the file's format.
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

    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST)
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=path.name, code=code_of(error)) from None
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
