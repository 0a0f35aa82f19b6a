"""Dates as people write them: 12 May 2026, May 12th, 2026, 12-May-26, 12.5.2026; what may be two days is refused."""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import UTC, date, datetime, timedelta
from functools import cache

from resultproc.model.errors import InputError
from resultproc.model.text import vocabulary

_NAMES = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November")
_OF_ROMAN = dict(
    zip(("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"), (*_NAMES, "December"), strict=True)
)
_MONTHS = {name[:3].lower(): number for number, name in enumerate((*_NAMES, "December"), 1)}
_MONTH = "(" + "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in (*_NAMES, "December")) + ")"
_MONTH = _MONTH.replace("Sep(?:tember)?", "Sep(?:t(?:ember)?)?")
_DAY = r"([0-9]{1,2})(?:st|nd|rd|th|er)?"
_YEAR = r"([0-9]{4})"

_DAY_FIRST = rf"{_DAY}(?:\.| of)?[\s/-]*{_MONTH}\.?,?[\s/-]*{_YEAR}"
_MARKED_YEAR = "['\u2019][0-9]{2}"
_SHORT_YEAR = rf"(?:{_MARKED_YEAR}|[0-9]{{2}}(?![.:]?[0-9])(?=\s*(?:$|[^\w\s.:'%+])))"
"""The year without its century where nothing else is meant: after a month's name it may be the hour, or a count."""

_DAY_AND_YEAR = rf"{_DAY}(?:\.| of)?[\s-]*{_MONTH}\.?,?[\s-]*({_SHORT_YEAR})"
_MONTH_FIRST = rf"{_MONTH}\.?[\s-]*{_DAY},?[\s-]+([0-9]{{4}}|{_MARKED_YEAR})"
_YEAR_FIRST = r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})"
# ``67.5/96`` is a score and what it is of.
_NUMBERS = (
    r"([0-9]{1,2})(?P<between>[-/.])([0-9]{1,2})"
    rf"(?:([-/.])([0-9]{{4}})|((?P=between))({_MARKED_YEAR}|[0-9]{{2}}))"
)
_WEEKDAY = r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:day)?\.?,?\s+)?"

# Not compiled before a text is searched: that takes a millisecond of every start.
_WITHIN = (
    rf"(?i)(?<![0-9'\u2019]){_WEEKDAY}(?:{_DAY_FIRST}|{_DAY_AND_YEAR}|{_MONTH_FIRST}|{_YEAR_FIRST}|{_NUMBERS})(?![0-9])"
)


def date_in(text: str) -> str:
    """Return the part of a text that is written as a date; '' where none is."""
    found = re.search(_WITHIN, text)
    return found[0] if found else ""


def dated(text: str) -> tuple[str, str]:
    """Return the part of a text that is written as a date, in any language: as in English, and as it stands there."""
    day = date_in(with_english_months(text))
    if not day:
        return "", ""

    def has_it(part: str) -> bool:
        return date_in(with_english_months(part)) == day

    begin = text.find(day)
    end = begin + len(day)
    if begin < 0:
        words = [word.span() for word in re.finditer(r"[\w'\u2019]+", text)]
        last = bisect_left(words, True, key=lambda word: has_it(text[: word[1]]))
        end = words[last][1] if last < len(words) else len(text)
        near = words[max(last - _MOST_WORDS, 0) : last + 1]
        begin = max((start for start, _ in near if has_it(text[start:end])), default=0)
    ended = re.search(_ENDED_YEAR, text[begin:])
    return day, text[begin : max(end, begin + ended.end() if ended and begin + ended.start() < end else 0)]


_MOST_WORDS = 8
"""A date has fewer: ``samedi, le 12 de mai de 2026``."""


def written_date(text: str, order: str = "") -> date:
    """Return the date that a person wrote, with the month's name in any language; raise ValueError for any other text.

    order: which of two numbers goes first where either may be the day, ``day`` or ``month``, as a format has it; such a
    date is refused without it, in words that say what would be right.
    """
    plain = with_english_months(f" {text} ").strip()
    if _is_foreign(text.split(" ")[0].strip("., ")):
        order = order or "day"
    wrong = ValueError(f"invalid date: '{text}'; write it as 2012-04-18")
    try:
        return datetime.fromisoformat(plain).date()
    except ValueError:
        pass
    found = re.fullmatch(_WITHIN, plain)
    if found is None:
        raise wrong
    a, b, c, *others = (group for group in found.groups() if group is not None)
    if found[13]:
        if b != others[0]:
            raise wrong
        return _of_numbers(plain[found.start(13) :], int(a), b, int(c), others[1], plain[:3].lower(), order)
    try:
        if found[1]:
            return date(int(c), _MONTHS[b[:3].lower()], int(a))
        if found[4]:
            return date(_whole_year(c), _MONTHS[b[:3].lower()], int(a))
        if found[7]:
            return date(_whole_year(c), _MONTHS[a[:3].lower()], int(b))
        return date(int(a), int(b), int(c))
    except ValueError:
        raise wrong from None


def _whole_year(text: str) -> int:
    """Return a year; one without its century is from 1930, as bridge was not played before, to 2029."""
    year = int(text.lstrip("'\u2019"))
    return year if year > 99 else year + (1900 if year >= 30 else 2000)


def day_written(text: str, order: str = "") -> datetime | None:
    """Return the day that :func:`written_date` reads, as games have it; None for a text that is none."""
    try:
        return datetime.combine(written_date(text, order), datetime.min.time())
    except ValueError:
        return None


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _of_numbers(text: str, first: int, between: str, second: int, year: str, weekday: str, order: str) -> date:
    """Return the date of a day, a month and a year; with dots the day goes before the month, else it may be either.

    weekday: the first letters of what is before it, which may tell.
    """
    orders = [(second, first)] if between == "." else [(second, first), (first, second)]
    if len(year) == len("26") and between != ".":
        raise ValueError(f"'{text}' leaves out the century; write it as 2012-04-18")
    days = []
    for month, day in dict.fromkeys(orders):
        try:
            days.append(date(_whole_year(year), month, day))
        except ValueError:
            continue
    if not days:
        raise ValueError(f"invalid date: '{text}'; write it as 2012-04-18")
    if len(days) > 1 and weekday in _WEEKDAYS:
        days = [day for day in days if day.weekday() == _WEEKDAYS.index(weekday)] or days
    if len(days) > 1 and not order:
        raise ValueError(f"'{text}' may be {days[0]} or {days[1]}; write one of these")
    return days[-1 if order == "month" else 0]


_IN_NAME = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})[-_.]?([01][0-9])[-_.]?([0-3][0-9])(?![0-9])")


def date_in_name(name: str) -> str:
    """Return the day that the name of a file says, such as ``results-2012-04-18``; empty for none."""
    found = _IN_NAME.search(name)
    return "-".join(found.groups()) if found else ""


def time_text(time: datetime) -> str:
    """Return a time as manifests have it."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


TIMES_OF_DAY = {
    **dict.fromkeys(("morning", "morn", "am"), "morning"),
    **dict.fromkeys(("afternoon", "aft"), "afternoon"),
    **dict.fromkeys(("evening", "eve", "night"), "evening"),
    "late": "late",
}
"""The times of day at which sessions begin, by the words for them."""

_WHOLE_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def moment(text: str) -> str:
    """Return a time that somebody names, as manifests have it: a day is its end, and UTC where no zone is named.

    Raises InputError for any other text.
    """
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(
            f"'{text}' is not a date or time", hint="write, for example, 2026-05-31 or 2026-05-31T18:30"
        ) from None
    if _WHOLE_DAY.fullmatch(text):
        time += timedelta(days=1, microseconds=-1)
    return time_text(time if time.tzinfo else time.replace(tzinfo=UTC))


@cache
def _english(part: str) -> dict[str, str]:
    """Return the English word of each one of all languages: ``part`` is months, weekdays or short-weekdays."""
    return {word: english for english, words in vocabulary()[part].items() for word in words}


def _is_foreign(word: str) -> bool:
    """Say whether a word is a weekday of a language that never writes the month first."""
    own = word[:3].casefold() in _WEEKDAYS
    return word.casefold() in _english("weekdays") or (not own and is_weekday(word))


def is_weekday(text: str) -> bool:
    """Say whether a text is a day of the week and nothing else, in any of the languages, in short or whole."""
    plain, weekdays = text.casefold(), vocabulary()["weekdays"]
    return plain in _english("weekdays") or plain.title() in weekdays or plain.rstrip(".") in _english("short-weekdays")


_ROMAN_MONTH = rf"(?<=[0-9])[. ] ?({'|'.join(_OF_ROMAN)})[. ] ?(?=(?:19|20)[0-9]{{2}})"
_DAY_AND_MONTH = r"(?<![0-9/.,])([0-9]{1,2}/[0-9]{1,2}) (?=(?:19|20)[0-9]{2}(?![0-9]))"
_ENDED_YEAR = r"(?<=[ .-])((?:19|20)[0-9]{2}) ?r(?:oku\b|\.|(?= *$))"
"""A year in Polish."""

_DATE_BEHIND = (
    r"\.?,?\s+(?=[0-9]{1,2}(?:er|\.)?[\s./-]*(?:[0-9]{1,2}|[^\W\d_]{3,12}\.?)[\s./-]+"
    rf"(?:(?:19|20)[0-9]{{2}}|{_MARKED_YEAR})(?![0-9]))"
)


def with_english_months(text: str) -> str:
    """Return a text with English months, and weekdays before dates: ``20 septembrie 2004`` is ``20 September 2004``.

    So are ``12.V.2026``, ``di 12 mei 2026`` and ``12/5 2026``.
    """
    if re.search(rf"(?:19|20)[0-9]{{2}}|{_MARKED_YEAR}", text):
        text = re.sub(_DAY_AND_MONTH, r"\1/", text)
        if not any(map(str.isalpha, text)):
            return text
        text = re.sub(_ROMAN_MONTH, lambda found: f" {_OF_ROMAN[found[1]]} ", re.sub(_ENDED_YEAR, r"\1", text))
        named = _english("short-months")
        between = rf"(?i)(?<=[0-9])\.?[ -]?({'|'.join(named)})\.?(?=[ -](?:(?:19|20)[0-9]{{2}}|{_MARKED_YEAR}))"
        text = re.sub(between, lambda found: f" {named[found[1].casefold()]}", text)
        short = _english("short-weekdays")
        before = rf"(?i)(?<![^\W_])({'|'.join(short)}){_DATE_BEHIND}"
        text = re.sub(before, lambda found: f"{short[found[1].casefold()]} ", text)
    months, plain = _english("months"), text.casefold()
    if any(month in plain for month in months):  # to make the pattern takes longer than to read most lists
        abroad = rf"(?i)(?<=[0-9. -])(?:de )?({'|'.join(months)})(?: del?)?(?=[ ,.0-9-]|$)"
        text = re.sub(abroad, lambda found: months[found[1].casefold()], text)
    weekdays = _english("weekdays")
    if any(day in plain for day in weekdays):
        days = "|".join(weekdays)
        # ``Torneo del martes, 3 de mayo`` is an event of Tuesdays.
        day = rf"(?:(?<! du )(?<! del )\b({days}),?|\b({days}))"
        abroad = rf"(?i){day}(?:\s+(?:den|le|el|the|d\.))?(?=\s+[0-9])"
        text = re.sub(abroad, lambda found: weekdays[(found[1] or found[2]).casefold()], text)
    return text
