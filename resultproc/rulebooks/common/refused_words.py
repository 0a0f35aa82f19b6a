"""What ``special`` may say: a word that a rulebook does not know is refused, never passed over."""

from __future__ import annotations

from collections.abc import Mapping

from resultproc.model.errors import DeclarationError
from resultproc.model.group import Group
from resultproc.rulebooks.core import Edition


def refuse_words(edition: Edition, group: Group, ratings: Mapping[str, str]) -> None:
    """Raise DeclarationError for a special word that an edition, if it lists its words, does not have.

    ratings: by word, the rating that would be right for it.
    """
    known = edition.words("special.known") if "special.known" in edition.entries else group.special
    for word in sorted(group.special.difference(known)):
        rating = ratings.get(word)
        if rating:
            hint = f"declare rating {rating}"
        elif word.startswith("x-"):
            hint = "a rulebook of your own lists its words under special.known"
        else:
            hint = f"leave it out, or choose a rulebook that knows it with rulebook; known: {', '.join(known)}"
        what = f"special: rulebook {edition.book} has no '{word}' games of rating {group.rating}"
        raise DeclarationError(what, hint=hint)


def refuse_elsewhere(edition: Edition, group: Group) -> None:
    """Raise DeclarationError for a special word that has no meaning in games of this rating, or of this event type."""
    for key, path in (("rating", "special.ratings"), ("event_type", "special.event-types")):
        said = getattr(group, key)
        known = edition.named_lists(path) if path in edition.entries else {}
        for word in sorted(group.special.intersection(known)):
            if said not in known[word]:
                right = " or ".join(known[word])
                hint = f"leave it out, or declare {key} {right}" if right else "leave it out: no award depends on it"
                raise DeclarationError(f"special: '{word}' has no meaning in a game of {key} {said}", hint=hint)
