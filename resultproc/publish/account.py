"""What a club has at a results site: its account, its folder, and the password, which stands in no file of ours.

An account is said below ``[site.NAME]`` in a file that the user names, or in the user's own. What lies beside the games
says nothing of where they go: whoever can put a file there cannot send results elsewhere.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

from resultproc.formats.declared import SENDING, SLIP, parsed
from resultproc.formats.loaded import declared_file
from resultproc.model.errors import DeclarationError, nearest
from resultproc.publish.known import sites
from resultproc.publish.results_site import Site


@dataclass(frozen=True)
class Account:
    """What a club has at a site."""

    club: str = ""  # what the site calls the club
    folder: str = ""  # the folder of a site of one's own: a path, or a location that fsspec knows
    mail: str = ""  # the address that files are mailed to
    page: str = ""  # the address below which the pages of a folder can be seen
    publish: bool = False  # whether a batch may publish there
    settings: str = ""  # the name of the file that says so, empty where the user names none

    @property
    def where(self) -> str:
        """Where something of it is to be written, in words."""
        return f"in {self.settings}" if self.settings else "in a file of settings, and name that"


def account(site: Site, files: Iterable[Path]) -> Account:
    """Return what some files of settings say of a site, a later one before an earlier one.

    A folder is meant from the folder of the file that names it.
    Raises InputError, the file named, for one that cannot be read or says something else than an account has.
    """
    said: dict[str, Any] = {}
    last = ""
    for path in files:
        last = path.name
        content, _ = parsed(declared_file(path))
        tables = content.get("site", {})
        tables = tables if isinstance(tables, dict) else {}
        known = [each.id for each in sites()]
        for name in tables:
            near = nearest(name, known, SLIP)
            if name not in (*known, site.id) and near:
                what = f"[site.{name}] is not a known site"
                raise DeclarationError(what, hint=f"did you mean [site.{near}]?", file=path.name, code="site.unknown")
        found = tables.get(site.id, {})
        if not isinstance(found, dict):
            raise DeclarationError(f"'site.{site.id}' is not a table", hint=f"write [site.{site.id}]", file=path.name)
        for name, value in found.items():
            if name in {*SENDING, "club_id"}:
                said[name] = _checked(name, value, site, path)
                if name == "folder" and "://" not in value:
                    said[name] = str((path.parent / Path(value).expanduser()).resolve())
    return Account(club=said.pop("club_id", ""), settings=last, **said)


def _checked(name: str, value: object, site: Site, path: Path) -> object:
    """Return a value of an account; raise DeclarationError where it cannot be one."""
    right = isinstance(value, bool) if name == "publish" else isinstance(value, str) and value.strip() == value != ""
    if right and name == "mail":
        right = bool(re.fullmatch(r"[^\s@<>,;\"']+@[^\s@<>,;\"']+", str(value)))
    if right and name == "page":
        right = urlsplit(str(value)).scheme == "https" and bool(urlsplit(str(value)).hostname)
    if not right:
        hint = f"write {name} = {_EXAMPLES[name]} below [site.{site.id}]"
        raise DeclarationError(f"{name}: {value!r} is not a valid value", hint=hint, file=path.name)
    return value


_EXAMPLES = {
    "publish": "true",
    "folder": '"/var/www/results"',
    "mail": '"results@example.org"',
    "page": '"https://club.example/results"',
    "club_id": '"myclub"',
}


def required(account: Account, site: Site, name: str) -> str:
    """Return what an account has to say for a site; raise DeclarationError where the user said nothing.

    name: ``club``, ``folder`` or ``mail``.
    """
    value = str(getattr(account, name))
    if not value:
        key = "club_id" if name == "club" else name
        hint = f"write {key} = {_EXAMPLES[key]} below [site.{site.id}] {account.where}"
        raise DeclarationError(f"nothing says the {_CALLED[name]} for {site.title}", hint=hint, code="site.no-account")
    return value


_CALLED = {"club": "club's name there", "folder": "folder", "mail": "mail address"}


@dataclass(frozen=True)
class Password:
    """A password, which no message and no error shows."""

    text: str = field(repr=False)

    def masked(self, text: str) -> str:
        """Return what somebody says without the password, however it is written there."""
        for said in (self.text, html.escape(self.text), quote(self.text), quote_plus(self.text)):
            text = text.replace(said, "(password)")
        return text


def password(site: Site, account: Account) -> Password:
    """Return the password of a club at a site: from the system's keyring, or from an environment variable.

    Both are named by the host that it is for, so that no other site is sent it. Raises DeclarationError where there is
    none, ModuleNotFoundError without keyring.
    """
    import keyring
    from keyring.errors import KeyringError

    assert site.send is not None
    host = urlsplit(site.send.address).netloc
    # A dot is an underscore; what is no letter or figure is two of them and its bytes: A__2DB_EXAMPLE for a-b.example.
    plain = re.sub("[^A-Za-z0-9.]", lambda found: "".join(f"__{byte:02X}" for byte in found[0].encode()), host)
    variable = "RESULTPROC_PASSWORD_" + plain.upper().replace(".", "_")
    service = f"resultproc {host}"
    found = os.environ.get(variable)
    if not found:
        try:
            found = keyring.get_password(service, account.club)
        except KeyringError:  # as where the system has no keyring
            found = None
    if not found:
        hint = f"keep it with: python -m keyring set '{service}' '{account.club}', or in the variable {variable}"
        raise DeclarationError(f"there is no password of {account.club} for {host}", hint=hint, code="site.no-account")
    return Password(found)
