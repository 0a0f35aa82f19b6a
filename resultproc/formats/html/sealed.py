"""The seal of a page, as the page holds it and back, and what a plain look at the page shows.

On bad input: FormatError for a page that is no HTML, or whose seal is no JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from itertools import groupby
from typing import Any

from lxml import etree, html
from markupsafe import Markup

from resultproc.formats.registry import Sealed, Shown, sum_around
from resultproc.model.errors import FormatError
from resultproc.model.json import loaded

KIND = "application/vnd.resultproc.seal+json"
"""The type of the script element that holds the seal: nothing that a browser runs."""

_HOLDER = re.compile(rb'<script type="' + re.escape(KIND.encode()) + rb'">(.*?)</script>', re.DOTALL)

_MOST = 100
"""No page has more seals."""


def script(seal: Mapping[str, Any]) -> Markup:
    """Return the element that holds a seal: nothing in it ends the element, or begins another."""
    text = json.dumps(seal, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(f'<script type="{KIND}">{text}</script>')  # noqa: S704 - it has no sign of markup


def unseal(data: bytes) -> list[Sealed]:
    """Return the sealed results of a page, one for each fragment; none of what is no sealed page."""
    holders = list(_HOLDER.finditer(data))
    if len(holders) > _MOST:
        raise FormatError(f"there are {len(holders)} seals in this page", hint="a page has a few fragments at most")
    return [_sealed(data, each) for each in holders]


def _sealed(data: bytes, holder: re.Match[bytes]) -> Sealed:
    seal = loaded(holder[1], once=True)
    if not isinstance(seal, dict):
        raise FormatError("the seal of this page is damaged")
    content = data
    if seal.get("format") != "html":  # a fragment, from its style to its script
        start, end = data.rfind(b"<style>\n", 0, holder.start()), data.find(b"</script>", holder.end())
        content = data[max(start, 0) : end + len(b"</script>") if end >= 0 else None]
    try:  # written in another way, programs may not agree where it ends
        shows = sum_around(content, script(seal).encode())
    except ValueError:  # a number that JSON has no room for
        raise FormatError("the seal of this page is damaged") from None
    own = {name: seal[name] for name in seal if name != "data"}
    inside = content.strip() != data.strip()
    return Sealed(own, seal.get("data", {}), content, shows, partial(_shown, content), inside)


def _shown(page: bytes) -> list[Shown]:
    """Return the texts of a page in their order, a cell or paragraph each, with the name in the heading of its row."""
    try:
        document = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    except (etree.LxmlError, ValueError) as error:
        raise FormatError(f"this page cannot be read: {error}") from None
    texts: Any = document.xpath("//text()[normalize-space() and not(ancestor::style or ancestor::script)]")
    shown = []
    for holder, each in groupby(texts, _holder):
        heads = holder.xpath("ancestor-or-self::tr[1]/th[@scope='row']")
        who = " ".join(" ".join(heads[0].itertext()).split()) if heads else ""
        shown.append(Shown("", " ".join(" ".join(each).split()), who))
    return shown


def _holder(text: Any) -> Any:
    """Return the cell that a text is in, or else the element that it is shown in."""
    element = text.getparent() if text.is_text else text.getparent().getparent()
    return next((each for each in (element, *element.iterancestors()) if each.tag in ("td", "th")), element)
