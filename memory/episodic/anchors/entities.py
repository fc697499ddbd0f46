"""Entities in a text: money, dates, times, codes, numbers with the words before them, …

Regular expressions, each text read once. phonenumbers and dateparser do more than is needed here: they take 10 ms and
more for a text, and finding national numbers or months needs a region that a screen does not tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from omnipilot.memory.episodic.anchors import east_asian, normal
from omnipilot.memory.episodic.anchors.spoken import spoken_digits

EntityType: TypeAlias = Literal[
    "code",
    "price",
    "phone",
    "mail",
    "address",
    "url",
    "file",
    "date",
    "time",
    "duration",
    "percent",
    "quantity",
    "number",
    "name",
    "note",
]
ENTITY_TYPES: tuple[EntityType, ...] = get_args(EntityType)
LONGEST_READ = 4_000
"""Characters of one text that are read."""
_REACH = 200
"""Characters before and behind a value in which its label is looked for; without a limit, a long line of numbers would
take time by the square of its length."""


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity in a text.

    Attributes:
        value: as it was written. key: normalised, so that "$1,250.00" and "$1250" are one.
        label: the words that say what it is; "" if there are none.
    """

    type: EntityType
    value: str
    key: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    type: EntityType
    value: str
    key: str
    label: str | None = None


_SPACE = " \u00a0\u202f"
_AMOUNT = rf"(?:\d{{1,3}}(?:[{_SPACE},.'’]\d{{3}})+(?:[.,]\d{{1,2}})?|\d+(?:[.,]\d{{1,2}})?)(?![\d])"
_SYMBOL = r"(?:US|A|C|NZ|HK|S)?\$|€|£|¥|₹|₩|₺|₽|₴|zł|R\$"
_ISO = r"USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|KRW|SGD|HKD|ZAR|TRY|Fr\.|Rs\.?|kr\.?"
_COIN = r"dollars?|euros?|pounds?|francs?|yen|rupees?|kr"
_PRICE = re.compile(
    rf"(?:(?<![A-Za-z0-9])(?P<before>{_SYMBOL}|\b(?:{_ISO}))[{_SPACE}]?(?P<a>{_AMOUNT})(?P<scale>[{_SPACE}]?(?:[kKmMbB]|bn|million|thousand|billion)\b)?"
    rf"|(?<![\w.,])(?P<b>{_AMOUNT})[{_SPACE}]?(?P<after>(?:{_SYMBOL})(?!\w)|\b(?:{_ISO}|{_COIN})(?!\w)))",
)
_MAIL = re.compile(r"(?<![\w.+%-])[A-Za-z0-9][\w.+%-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_TLD = (
    "com|org|net|edu|gov|info|biz|io|dev|app|ai|me|tv|eu|uk|de|fr|ch|at|it|es|nl|be|se|no|dk|fi|pl|pt|ie|us|ca|au|jp|"
    "cn|in|br|example|test|local"
)
_URL = re.compile(
    rf"(?:https?|ftp|file)://[^\s<>\"“”]+|(?<![\w@.-])(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+(?:{_TLD})"
    r"(?::\d{2,5})?(?:/[^\s<>\"“”]*)?(?![\w@-])"
)
_EXTENSION = (
    "pdf|docx?|xlsx?|pptx?|od[tsp]|csv|tsv|txt|md|rtf|json|ya?ml|toml|xml|html?|css|js|ts|py|sh|ipynb|log|ini|png|jpe?g|gif|"
    "webp|svg|heic|tiff?|bmp|mp3|mp4|m4a|mov|avi|mkv|wav|flac|ogg|webm|zip|tar|gz|7z|rar|exe|dmg|apk|iso|ics|vcf|eml|key|psd"
)
_FILE = re.compile(
    rf"(?<![\w/\\])(?:[A-Za-z]:\\(?:[^\\/:*?\"<>|\r\n]+\\)*[^\\/:*?\"<>|\s]+"
    rf"|(?:~|\.{{1,2}})?(?:/[\w.@+-]+)+(?:/(?=\s|$))?(?!\w)"
    rf"|[\w][\w.+-]{{0,80}}\.(?:{_EXTENSION})(?![\w.-]{{0,80}}\w))",
    re.IGNORECASE,
)
_FILE_IN_SENTENCE = re.compile(rf"\w[\w.+-]{{0,80}}\.(?:{_EXTENSION})(?=[{east_asian.LETTERS}])", re.IGNORECASE)
"""A file's name with a particle right behind it: "보고서.pdf를"."""
_WHOLE_FILE = re.compile(rf"^[\w][\w .,()&+'-]*\.(?:{_EXTENSION})$", re.IGNORECASE)
_WHOLE_PATH = re.compile(r"^(?:[A-ZÀ-Þ][\w.&'-]*(?: [\w.&'-]+)*/)+[A-ZÀ-Þ\d][\w.&'-]*(?: [\w.&'-]+)*$")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\b\.?,?\s+)?"
_DATE = re.compile(
    rf"\b{_WEEKDAY}(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?P<m1>{_MONTH})(?:,?\s+(?P<y1>\d{{4}})\b)?"
    rf"|\b{_WEEKDAY}(?P<m2>{_MONTH})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s+(?P<y2>\d{{4}})\b)?"
    r"|(?<![\w./-])(?P<y3>(?:19|20)\d{2})[-/.](?P<m3>0?[1-9]|1[0-2])[-/.](?P<d3>0?[1-9]|[12]\d|3[01])(?![\w/-]|\.\d)"
    r"|(?<![\w./-])(?P<a4>0?[1-9]|[12]\d|3[01])(?P<s4>[-/.])(?P<b4>0?[1-9]|[12]\d|3[01])(?P=s4)(?P<y4>(?:19|20)?\d{2})(?![\w/-]|\.\d)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?<![\w:.,])(?:(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d))?(?![\d:])(?:\s?(?P<x>[AaPp]\.?[Mm]\b\.?))?"
    r"|(?P<h2>0?[1-9]|1[0-2])(?:\.(?P<m2>[0-5]\d))?\s?(?P<x2>[AaPp]\.?[Mm]\b\.?)"
    r"|(?P<h3>[01]?\d|2[0-3])\s?o['’]clock\b"
    r"|(?:(?<=at )|(?<=by ))(?P<h4>[01]?\d|2[0-3])\.(?P<m4>[0-5]\d)(?![\d.]))"
)
_UNIT_OF_TIME = r"(?:h|hrs?|hours?|mins?|minutes?|s|secs?|seconds?|days?|weeks?|months?|years?)\b"
_DURATION = re.compile(
    rf"(?<![\w.,:])\d+(?:[.,]\d+)?[{_SPACE}]?{_UNIT_OF_TIME}(?:(?:,|\s+and)?\s?\d+[{_SPACE}]?{_UNIT_OF_TIME})*",
    re.IGNORECASE,
)
_PERCENT = re.compile(rf"(?<![\w.,])[-+−]?\d+(?:[.,]\d+)?[{_SPACE}]?(?:%|per\s?cent\b)", re.IGNORECASE)
_MEASURE = (
    r"km/h|mph|kg|mg|g|lbs?|oz|km|cm|mm|m|miles?|mi|ft|feet|inch(?:es)?|ml|cl|l|litres?|liters?|kWh|kW|W|mAh|V|°C|°F|GB|MB|TB|kB|"
    r"KB|px|m²|Hz|kHz|MHz|kcal|cups?|metres?|meters?"
)
_QUANTITY = re.compile(rf"(?<![\w.,])[-+−]?{_AMOUNT}[{_SPACE}]?(?:{_MEASURE})(?![\w/])")
_PHONE = re.compile(
    r"(?<![\w+])(?:(?:\+|00)[1-9](?:[\s().-]{0,2}\d){6,14}|\(\d{2,5}\)[\s-]?\d{3,4}(?:[\s-]?\d{2,4}){1,2}"
    r"|\d{3}[-.\s]\d{3}[-.\s]\d{4}|0\d{1,4}[\s-]\d{3,4}(?:[\s-]\d{2,4}){1,2}|0\d{9,10})(?![\w])"
)
_ROAD = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Square|Sq|Boulevard|Blvd|Way|Court|Ct|Place|Pl|Terrace|Row|Hill|"
    r"Close|Quay|Alley|Parkway|Pkwy|Highway|Hwy|Crescent|Gardens|Walk|Circle|Bridge|Gate|Green|Park|Mews|Wharf|Yard|Grove|Rise|View|Market|Promenade|Embankment)\b"
)
_CAP = r"[A-ZÀ-Þ][\w'’.-]*"
_PLACE = r"[A-ZÀ-Þ][\w'’.]*(?![\w-])"
_TOWN = (
    rf"(?:,\s*(?:(?:[A-Z]{{1,2}}-?)?\d{{4,5}}(?:\s+{_CAP}){{0,3}}"
    rf"|{_PLACE}(?:\s+{_PLACE}){{0,2}}(?:,?\s+[A-Z]{{2}})?(?:,?\s+\d{{4,5}})?))?"
)
_ADDRESS = re.compile(
    rf"\b\d{{1,5}}[a-zA-Z]?,?\s+(?:{_CAP}\s+){{1,4}}{_ROAD}(?!\s+\d)(?:\s+(?:N|S|E|W|NE|NW|SE|SW)\b)?{_TOWN}"
    rf"|\b(?:{_CAP}\s+){{1,3}}{_ROAD}\s+\d{{1,5}}[a-zA-Z]?\b{_TOWN}"
    rf"|\b[A-ZÀ-Þ]\w*(?:stra(?:ss|ß)e|weg|gasse|platz|allee|straat|laan|gatan|vej)\s+\d{{1,4}}[a-zA-Z]?\b{_TOWN}"
    rf"|\b(?:(?:\d{{1,4}},?\s+)?(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace)\s+(?:(?:de|du|des|la|le|l['’])\s*)*{_CAP}(?:\s+{_CAP})?|(?:Via|Calle|Plaza|Piazza)\s+(?:{_CAP}\s+){{1,2}}\d{{1,4}})"
    rf"(?:\s+\d{{1,4}}\b)?{_TOWN}"
)
_CODE_WORD = (
    r"(?:code|pin|otp|tan|pass\s?code|pass\s?word|password|passphrase|token|voucher|coupon|booking|reservation|reference|ref|"
    r"confirmation|order|ticket|invoice|serial|licen[cs]e|tracking|parcel|shipment|locker|gate|flight|key|account|iban|"
    r"customer|member(?:ship)?|policy|case|badge|combination|safe|wi-?fi|ssid|zip|postcode|plate|pnr|id)"
)
_HAS_CODE_WORD = re.compile(rf"\b{_CODE_WORD}\b", re.IGNORECASE)
_LABELLED_CODE = re.compile(
    rf"\b(?P<label>(?:[\w'’-]+\s+){{0,3}}?{_CODE_WORD}(?:\s+(?:code|number|no\.?|id|key|word|reference))?(?:\s+(?:for|to|of)\s+(?:[\w'’-]+\s+){{0,4}}?[\w'’-]+)?)"
    r"(?:\s*[:=#]\s*#?|\s+(?:is|was|reads|will be|now)\s+(?:now\s+)?:?\s*|\s+#?)[\"“'‘]?"
    r"(?P<code>\d{2,4}(?:[ -]\d{2,4}){1,4}(?![\w-])|(?=[\w-]*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"
    r"|(?-i:[A-Z]{3,}(?:-[A-Z0-9]+)*))(?![\w-])",
    re.IGNORECASE,
)
_SECRET_WORD = r"(?:code|pin|otp|tan|pass\s?code|password|token|voucher)"
_SECRET = re.compile(
    rf"\b(?P<label>(?:[\w'’-]+\s+){{0,3}}?{_SECRET_WORD})\s*(?:[:=]|\s(?:is|reads))\s*"
    r"(?P<code>(?=[\w-]*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+)(?![\w-])",
    re.IGNORECASE,
)
_SAID_TO_BE = re.compile(
    r"(?P<label>[A-Za-zÀ-ÿ][\w'’-]*(?:\s+[\w'’-]+){0,3}?)(?:\s+is|\s*[:=])\s+"
    r"(?P<code>[A-Z]{1,3}-?\d{1,5}[A-Za-z]?|[A-Za-z]{2,}[-_]\d+)(?![\w-]|\.\d)"
)
_CODE_FIRST = re.compile(
    rf"(?<![\w.,-])(?P<code>(?=[\w-]*\d)[A-Z0-9]+(?:-[A-Z0-9]+)*)\s+(?:is|as)\s+(?:your|the|my|a)\s+(?P<label>(?:[\w'’-]+\s+){{0,4}}?{_CODE_WORD}(?:\s+code)?)\b"
)
_CODE = re.compile(
    r"(?<![\w.,-])(?=[A-Z0-9_-]{4,})(?=[A-Z0-9_-]*\d)(?=[A-Z0-9_-]*[A-Z])[A-Z0-9]+(?:[_-][A-Z0-9]+)*(?![\w-]|\.\d)"
)
_LONG_CODE = re.compile(
    r"(?<![\w.,-])(?:[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){3,7}(?:[ ]?[A-Z0-9]{1,3})?"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?:\d{4}[ -]){3}\d{4})(?![\w-]|\.\d)"
)
_NUMBER = re.compile(rf"(?<![\w.,:/+#@-])#?(?P<n>[-−]?{_AMOUNT})(?![\w:/@]|[.,]\d|-\w)")
_COUNTED = re.compile(r"\bof\s*$|\bpage\s*$|\bstep\s*$|[(]\s*$", re.IGNORECASE)
_COUNTS = re.compile(
    r"^\s*(?:[–-]\s?\d|of\b|/|[)]|(?:items?|results?|selected|unread|new|more|stars?|pages?|ago)\b)", re.IGNORECASE
)
_LABEL_BEFORE = re.compile(
    r"(?P<label>[A-Za-zÀ-ÿ][\w'’()/-]*(?:\s+[\w'’()/-]+){0,4}?)\s*(?:[:=#]|\s(?:is|was|are|were|now|no\.?|number|at|reads|equals)\s)\s*(?:now\s+|about\s+)?$",
    re.IGNORECASE,
)
_CAPITAL_BEFORE = re.compile(r"(?P<label>[A-ZÀ-Þ][\w'’-]*(?:\s+[\w'’-]+){0,2})\s+$")
_WORD_BEFORE = re.compile(r"(?P<label>[a-z]+)\s+$")
_NOUN_AFTER = re.compile(r"^\s+(?P<label>[a-z][a-z'’-]+(?:\s+[a-z][a-z'’-]+)?)\b")
_LIST_NAME = re.compile(
    r"^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?[A-ZÀ-Þ][\w'’.-]+(?:\s+(?:de|van|von|der|la|da|el|bin|[A-Z]\.|[A-ZÀ-Þ][\w'’-]+)){0,2}\s+[A-ZÀ-Þ][\w'’-]*$"
)
_NAMED = re.compile(
    r"\b(?i:from|to|name|contact|sender|recipient|cc|attendees?|organi[sz]er|author|guest|customer|passenger|owner|"
    rf"assigned to|called)\s*:\s*(?P<name>{_CAP}(?:\s+{_CAP}){{1,3}})"
)
_LISTED = re.compile(rf"^(?P<label>[A-Za-zÀ-ÿ][\w'’ -]{{0,30}}?)\s*[:)]\s+(?P<name>{_CAP}(?:\s+{_CAP}){{1,3}})$")
_TRAILING = " \t.,;:!?)]}»”’'\""
_LINES = re.compile(r"[\r\n]+|\s\|\s|\s·\s|\s{3,}")
_DIGIT = re.compile(r"\d")
_WORTH = re.compile(r"\d|@|://|\.[A-Za-z]{2}|/\w|\w/|[A-Z]{3}|[:]\s*[A-ZÀ-Þ]|percent|per cent")
_FUNCTION_WORDS = frozenset(
    "a an the of in on at to for and or is was are were be been my your his her its our their this that it i you we "
    "they with from by as about only just will now has have had there here please use enter type than then so but not "
    "no".split()
)


def entities_in(text: str, spoken: bool = False) -> tuple[Entity, ...]:
    """The entities in a text, in order.

    Args:
        spoken: the text is a transcript: digits may be words ("four seven double one").
    """
    return _entities_in(text[:LONGEST_READ], spoken)


@lru_cache(maxsize=8_192)
def _entities_in(text: str, spoken: bool) -> tuple[Entity, ...]:
    found: list[Entity] = []
    if spoken:
        text = spoken_digits(text)
    for line in _LINES.split(text):
        if _WORTH.search(line):
            found += _in_line(line.strip())
    return tuple(dict.fromkeys(found))


def is_code(text: str) -> bool:
    """Whether a text that stands beside a label may be a code: "B4", "HP-10", "order-1"."""
    return re.fullmatch(r"[A-Z]{1,3}-?\d{1,5}[A-Za-z]?|[A-Za-z]{2,}[-_]\d+", text) is not None


def is_name(text: str) -> bool:
    """Whether a text may be the name of a person or place: two to four capitalised words."""
    return len(text) <= 60 and _LIST_NAME.match(text) is not None


def type_of_label(label: str) -> EntityType | None:
    """The type that a label gives a bare number: "Door code" a code, "Phone" a telephone number; None for none."""
    bare = label.casefold()
    if re.search(r"\b(?:phone|tel|telephone|mobile|cell|fax)\b", bare) or east_asian.means_phone(label):
        return "phone"
    if east_asian.means_code(label):
        return "code"
    return "code" if re.search(rf"\b{_CODE_WORD}\b", bare) else None


def _in_line(line: str) -> Iterator[Entity]:
    if (_WHOLE_FILE.match(line) or _WHOLE_PATH.match(line)) and _FUNCTION_WORDS.isdisjoint(line.casefold().split()):
        yield Entity("file", line, line)
        return
    plain = line if line.isascii() else east_asian.narrow(line)
    eastern = not line.isascii() and east_asian.has_letters(line)
    taken: list[_Found] = []
    for one in _candidates_with_letters(plain) if eastern else _candidates(plain):
        if all(one.end <= other.start or one.start >= other.end for other in taken):
            taken.append(one)
    taken.sort(key=lambda one: one.start)
    for at, one in enumerate(taken):
        label, value = one.label, one.value if plain == line else line[one.start : one.end]
        before = plain[max(taken[at - 1].end if at else 0, one.start - _REACH) : one.start]
        if eastern:
            label = label or east_asian.label_before(before)
        if label is None or (eastern and not label):
            label = _label_before(before) or (_capital_before(before) if one.type == "price" else "")
        yield Entity(one.type, value, one.key, label)


def _candidates(line: str) -> Iterator[_Found]:
    """What may be an entity, the more certain first; some overlap."""
    for read in _READERS if _DIGIT.search(line) else _READERS_OF_WORDS:
        yield from read(line)


def _candidates_with_letters(line: str) -> Iterator[_Found]:
    """As `_candidates`, of a line with letters of scripts that put no space between words and numbers."""
    for one in _URLS(line):
        value = east_asian.without_sentence(one.value)
        yield _Found(one.start, one.start + len(value), "url", value, normal.url(value.rstrip(_TRAILING)))
    yield from (one for read in (_FILES, _FILES_IN_SENTENCES, _names) for one in read(line))
    for found in east_asian.find_entities(line):
        yield _Found(found.start, found.end, found.type, line[found.start : found.end], found.key, found.label)
    yield from _candidates(east_asian.without_letters(line))
    for found in east_asian.find_numbers(line):
        yield _Found(found.start, found.end, found.type, line[found.start : found.end], found.key, found.label)


def _label_before(before: str) -> str:
    """The words that name what follows."""
    found = _LABEL_BEFORE.search(before)
    return "" if found is None else trim(found["label"])


def _capital_before(before: str) -> str:
    """A noun phrase with a capital before a value: "Total" before "€26.80"."""
    found = _CAPITAL_BEFORE.search(before)
    if found is None or found["label"].split()[0].casefold() in _FUNCTION_WORDS:
        return ""
    return trim(found["label"])


def trim(label: str) -> str:
    """A label without function words around it."""
    words = label.split()
    while words and words[0].casefold() in _FUNCTION_WORDS:
        words.pop(0)
    while words and words[-1].casefold() in _FUNCTION_WORDS:
        words.pop()
    return " ".join(words)


def _by(
    pattern: re.Pattern[str], type: EntityType, key: Callable[[re.Match[str]], str]
) -> Callable[[str], Iterator[_Found]]:
    def read(line: str) -> Iterator[_Found]:
        for match in pattern.finditer(line):
            value = match[0].rstrip(_TRAILING) if type in ("url", "file") else match[0].strip().rstrip(",;")
            start = match.start() + (len(match[0]) - len(match[0].lstrip()))
            if value and (known := key(match)):
                yield _Found(start, start + len(value), type, value, known)

    return read


def _codes(line: str) -> Iterator[_Found]:
    named = _HAS_CODE_WORD.search(line) is not None
    digit = _DIGIT.search(line) is not None
    for pattern in (*((_CODE_FIRST, _LABELLED_CODE) if named else ()), *((_SAID_TO_BE,) if digit else ())):
        for match in pattern.finditer(line):
            value, start = match["code"], match.start("code")
            label = trim(match["label"])
            if _is_code(value) and not re.search(r"\b(?:at|on|by|in|from)$", line[:start].rstrip(), re.IGNORECASE):
                yield _Found(start, start + len(value), "code", value, normal.code(value), label)
    for match in _CODE.finditer(line) if digit else ():
        if not re.fullmatch(r"\d+(?:ST|ND|RD|TH|H|S|KG|GB|MB|KM|CM|MM)|[A-Z]+-?\d?", match[0]):
            yield _Found(match.start(), match.end(), "code", match[0], normal.code(match[0]))


def _secrets(line: str) -> Iterator[_Found]:
    """Codes right behind a word that means nothing else, before anything takes them for a date or a number."""
    for match in _SECRET.finditer(line) if _HAS_CODE_WORD.search(line) else ():
        value, label = match["code"], trim(match["label"])
        yield _Found(match.start("code"), match.end("code"), "code", value, normal.code(value), label)


def _is_code(value: str) -> bool:
    """Whether what follows a word such as "code" can be one: with a digit, or in capitals."""
    if value.isalpha():
        return value.isupper()
    return not re.fullmatch(r"\d{1,2}(?:st|nd|rd|th|am|pm|h|s|min|x)", value, re.IGNORECASE)


def _numbers(line: str) -> Iterator[_Found]:
    whole = line.strip()
    for match in _NUMBER.finditer(line):
        start, end, value = match.start(), match.end(), match["n"]
        before, after = line[max(0, start - _REACH) : start], line[end : end + _REACH]
        if _COUNTED.search(before) or _COUNTS.match(after):
            continue
        if re.fullmatch(r"\d{4,}", value) and re.search(rf"\b{_SECRET_WORD}\b", before, re.IGNORECASE):
            yield _Found(match.start("n"), match.end("n"), "code", value, value, _label_before(before) or "code")
            continue
        label = _label_before(before)
        label = label or _capital_before(before)
        if not label and (noun := _NOUN_AFTER.match(after) or _WORD_BEFORE.search(before)):
            label = trim(noun["label"])
        digits = re.sub(r"\D", "", value)
        if label or (value == whole and len(digits) >= 3) or len(digits) >= 4:
            yield _Found(match.start("n"), match.end("n"), "number", value, normal.amount(value), label)


def _names(line: str) -> Iterator[_Found]:
    if match := _LISTED.match(line):
        yield _Found(
            match.start("name"), match.end("name"), "name", match["name"], match["name"].casefold(), match["label"]
        )
    for match in _NAMED.finditer(line):
        label = line[match.start() : match.start("name")].rstrip(": ")
        yield _Found(match.start("name"), match.end("name"), "name", match["name"], match["name"].casefold(), label)


_Reader: TypeAlias = Callable[[str], Iterator[_Found]]
_MAILS: _Reader = _by(_MAIL, "mail", lambda match: match[0].casefold())
_URLS: _Reader = _by(_URL, "url", lambda match: normal.url(match[0].rstrip(_TRAILING)))
_FILES: _Reader = _by(_FILE, "file", lambda match: match[0].rstrip(_TRAILING))
_FILES_IN_SENTENCES: _Reader = _by(_FILE_IN_SENTENCE, "file", lambda match: match[0])
_READERS: tuple[_Reader, ...] = (
    _MAILS,
    _URLS,
    _by(_LONG_CODE, "code", lambda match: normal.code(match[0])),
    _secrets,
    _by(_DATE, "date", normal.date),
    _by(_PRICE, "price", normal.price),
    _by(_PERCENT, "percent", lambda match: normal.amount(re.sub(r"[^\d.,+−-]", "", match[0]))),
    _by(_PHONE, "phone", lambda match: normal.phone(match[0])),
    _by(_ADDRESS, "address", lambda match: normal.words(match[0])),
    _FILES,
    _by(_TIME, "time", normal.time),
    _by(_DURATION, "duration", lambda match: normal.duration(match[0])),
    _by(_QUANTITY, "quantity", lambda match: normal.quantity(match[0])),
    _codes,
    _numbers,
    _names,
)
_READERS_OF_WORDS: tuple[_Reader, ...] = (_MAILS, _URLS, _FILES, _codes, _names)
"""Those that find something in a text without a digit."""
