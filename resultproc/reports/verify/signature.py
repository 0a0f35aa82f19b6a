"""Signatures of seals: Ed25519, by keys in PEM files, with the library ``cryptography``."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from resultproc.model.codes import code_of
from resultproc.model.errors import InputError
from resultproc.reports.verify.seal import Entries, signed

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM = "Ed25519"

_MAKE = "make one with: openssl genpkey -algorithm ed25519 -out key.pem"
_PUBLIC = "make it of the private one with: openssl pkey -in key.pem -pubout -out public.pem"
_LARGEST = 65536
"""No file of a key has more bytes."""


@dataclass(frozen=True)
class Key:
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


def public_key(path: Path) -> Key:
    """Return a public key; raise InputError for a file that holds none of the kind."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Key(path.name, _loaded(path, Ed25519PublicKey, private=False))


def _loaded(path: Path, kind: type, *, private: bool) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

    data = _content(path)
    other = b"PRIVATE KEY-----" in data
    if other != private:
        what, hint = ("a private key", _PUBLIC) if other else ("no private key", _MAKE)
        raise InputError(
            f"this file has {what}, and {'the private' if private else 'a public'} one is needed",
            hint=hint,
            file=path.name,
        )
    try:
        key = load_pem_private_key(data, None) if private else load_pem_public_key(data)
    except TypeError:
        hint = "take the password off with: openssl pkey -in key.pem -out open.pem"
        raise InputError("this key is encrypted with a password", hint=hint, file=path.name) from None
    except (ValueError, UnsupportedAlgorithm):
        what = "this is no key in PEM form, or it is damaged"
        raise InputError(what, hint=_MAKE if private else _PUBLIC, file=path.name) from None
    if not isinstance(key, kind):
        raise InputError(f"this key is not of the kind {ALGORITHM}", hint=_MAKE, file=path.name)
    return key


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST)
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=path.name, code=code_of(error)) from None


def doubts_of(seal: Entries, key: Key) -> Iterator[str]:
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
