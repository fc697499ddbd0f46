"""Entities in Chinese, Japanese and Korean, whose words stand beside numbers without a space.

Dates, times, prices, durations, codes and labelled numbers have patterns here. For everything else, such as addresses
of mail and telephone numbers, the patterns of `entities` read the line with the letters of these scripts taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from omnipilot.memory.episodic.anchors import normal

LETTERS = (
    "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Japanese, Chinese
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"  # Korean
)
"""The letters of these scripts, for a class of a pattern."""
_LETTER = re.compile(f"[{LETTERS}]")
_WIDE = re.compile(r"[\uff01-\uff5e\uffe5\uffe6]")
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0xFFE5: ord("¥"), 0xFFE6: ord("₩")}
_AMOUNT = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)"
_START = r"(?<![\d.,:/-])"
_DATE = re.compile(
    rf"{_START}(?:(?P<year>\d{{4}})\s?[年년]\s?)?(?P<month>1[0-2]|0?[1-9])\s?[月월]\s?"
    r"(?P<day>3[01]|[12]\d|0?[1-9])\s?(?:日|일|号|號)"
)
_MORNING = "오전|아침|새벽|上午|早上|凌晨|清晨|午前|朝"
_AFTERNOON = "오후|下午|午後|傍晚"
_NIGHT = "저녁|밤|晚上|夜"
_HALF = f"{_MORNING}|{_AFTERNOON}|{_NIGHT}|中午|正午"
_TIME = re.compile(
    rf"(?:(?P<half>{_HALF})\s?)?{_START}(?P<hour>2[0-4]|[01]?\d)"
    r"(?:\s?(?:시(?!간)|時(?!間)|时|[点點])(?:\s?(?P<minute>[0-5]?\d)\s?[분分]|\s?(?P<thirty>반|半))?|:(?P<colon>[0-5]\d)(?![\d:]))"
)
_MONEY = {
    "원": "KRW", "韩元": "KRW", "韓元": "KRW", "ウォン": "KRW", "円": "JPY", "日元": "JPY", "日圆": "JPY", "엔": "JPY",
    "元": "CNY", "块": "CNY", "人民币": "CNY", "위안": "CNY", "美元": "USD", "ドル": "USD", "달러": "USD",
    "欧元": "EUR",
    "ユーロ": "EUR", "유로": "EUR", "港元": "HKD", "港币": "HKD", "台币": "TWD", "新台幣": "TWD", "英镑": "GBP",
}  # fmt: skip
_TENS = {"만": 10_000, "万": 10_000, "萬": 10_000, "억": 100_000_000, "亿": 100_000_000, "億": 100_000_000, "천": 1_000}
_PRICE = re.compile(
    rf"{_START}(?P<amount>{_AMOUNT})\s?(?P<scale>[{''.join(_TENS)}])?\s?"
    rf"(?P<money>{'|'.join(sorted(_MONEY, key=len, reverse=True))})"
)
_UNITS = {
    "시간": 3600, "小时": 3600, "小時": 3600, "時間": 3600, "분": 60, "分钟": 60,
    "分鐘": 60, "分間": 60, "초": 1, "秒": 1,
}  # fmt: skip
_DURATION = re.compile(rf"{_START}\d+(?:\.\d+)?\s?(?:{'|'.join(_UNITS)})(?:\s?\d+\s?(?:{'|'.join(_UNITS)}))*")
_PART_OF_DURATION = re.compile(rf"(\d+(?:\.\d+)?)\s?({'|'.join(_UNITS)})")
_WORDS = rf"[A-Za-z{LETTERS}][A-Za-z\d{LETTERS}]{{1,15}}(?: [A-Za-z{LETTERS}][A-Za-z\d{LETTERS}]{{0,15}}){{0,2}}?"
_OPENING = r"[\"'“‘「『【\[(]?"
_LABELLED = re.compile(rf"(?P<label>{_WORDS})(?:\s?[:=]|은|는|이|가|是|为|為|は|が)\s*{_OPENING}$")
_WORDS_BEFORE = re.compile(rf"(?P<label>{_WORDS})\s*{_OPENING}$")
_OWNERS = re.compile(r"^(?:.*的|お客様の|あなたの|귀하의 |고객님의 |회원님의 )(?=.)")
_MEANS_CODE = re.compile(
    r"(?:码|碼|口令|[单單卡账帳賬]号|[單卡帳賬]號|编号|編號|번호|코드|암호|番号|コード|パスワード|PIN|OTP|pin|otp|code)$"
)
_MEANS_PHONE = re.compile(
    r"(?:(?:电话|電話|手机|手機|携帯|전화|휴대폰|핸드폰)\s?(?:号码|號碼|号|號|번호|番号)?|연락처|号码|號碼)$"
)
_VALUE = re.compile(
    r"(?<![A-Za-z0-9.,/+@#-])(?<!\d:)(?:\d{2,4}(?: \d{2,4}){1,4}|(?=[A-Za-z-]*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)"
    r"(?![A-Za-z0-9@%/-]|[.,:]\d)"
    r"(?!\s?(?:자리|位|桁|글자|文字|字|次|回|번|개|个|個|[시분초일월년時时点點分秒日月年号%]))"
)
_NUMBER = re.compile(rf"(?<![A-Za-z0-9_.,/+#@-])(?<!\d:)-?{_AMOUNT}(?![\d:/@A-Za-z]|[.,]\d|-\w)")
_REACH = 60
"""Characters before a value in which its label is looked for."""
_LEAST_CODE, _LEAST_PHONE = 3, 7
"""Characters of a code, and digits of a telephone number."""


@dataclass(frozen=True, slots=True)
class LocatedEntity:
    """An entity in a line.

    Attributes:
        start, end: where it stands. key: its normal form, as `Entity.key`.
        label: the words that say what it is; None if they were not looked for.
    """

    start: int
    end: int
    type: Literal["code", "price", "phone", "date", "time", "duration", "number"]
    key: str
    label: str | None = None


def narrow(line: str) -> str:
    """The line with full-width digits, letters and marks as ASCII has them, of the same length."""
    return line.translate(_NARROW) if _WIDE.search(line) else line


def has_letters(line: str) -> bool:
    """Whether a line has a letter of these scripts."""
    return _LETTER.search(line) is not None


def has_scale(value: str) -> bool:
    """Whether an amount is in thousands, ten thousands or more, as "3만원" is."""
    return not _TENS.keys().isdisjoint(value)


def without_letters(line: str) -> str:
    """The line with a mark in the place of each letter of these scripts, so that they end a word or number."""
    return _LETTER.sub("、", line)


def without_sentence(url: str) -> str:
    """A web address without the sentence that goes on right behind it."""
    return re.split(rf"(?<=[A-Za-z0-9])(?=[{LETTERS}])", url, maxsplit=1)[0]


def label_before(before: str, joined: bool = True) -> str:
    """The words that say what follows: "비밀번호" before "는 7394", "取件码" before "：5821"; "" for none.

    Args:
        before: what stands before the value.
        joined: a colon, a particle or 是 has to stand between them.
    """
    before = before[-_REACH:]
    found = _LABELLED.search(before) or (None if joined else _WORDS_BEFORE.search(before))
    return "" if found is None else _OWNERS.sub("", found["label"])


def means_code(label: str) -> bool:
    """Whether a label says that a code follows."""
    return _MEANS_CODE.search(label) is not None and not means_phone(label)


def means_phone(label: str) -> bool:
    """Whether a label says that a telephone number follows."""
    return _MEANS_PHONE.search(label) is not None


def find_entities(line: str) -> Iterator[LocatedEntity]:
    """Dates, times, prices, durations, codes and telephone numbers that these scripts write in their own way."""
    for match in _DATE.finditer(line):
        key = f"{match['year'] or '----'}-{int(match['month']):02}-{int(match['day']):02}"
        yield LocatedEntity(match.start(), match.end(), "date", key)
    for match in _TIME.finditer(line):
        bare = not (match["half"] or match["minute"] or match["thirty"])
        if bare and (match["colon"] or match[0][-1] in "点點"):  # "15:30" is in every script, "5点" may be five points
            continue
        yield LocatedEntity(match.start(), match.end(), "time", _time(match))
    for match in _PRICE.finditer(line):
        amount = normal.amount(match["amount"])
        if match["scale"]:
            amount = f"{float(amount) * _TENS[match['scale']]:.10g}"
        label = label_before(line[max(0, match.start() - _REACH) : match.start()], joined=False)
        yield LocatedEntity(match.start(), match.end(), "price", f"{_MONEY[match['money']]} {amount}", label)
    for match in _DURATION.finditer(line):
        seconds = sum(float(number) * _UNITS[unit] for number, unit in _PART_OF_DURATION.findall(match[0]))
        yield LocatedEntity(match.start(), match.end(), "duration", f"{seconds:.10g} s")
    for match in _VALUE.finditer(line):
        label = label_before(line[max(0, match.start() - _REACH) : match.start()], joined=False)
        if means_code(label) and len(match[0]) >= _LEAST_CODE:
            yield LocatedEntity(match.start(), match.end(), "code", normal.code(match[0]), label)
        elif means_phone(label) and len(re.sub(r"\D", "", match[0])) >= _LEAST_PHONE:
            yield LocatedEntity(match.start(), match.end(), "phone", normal.phone(match[0]), label)


def find_numbers(line: str) -> Iterator[LocatedEntity]:
    """Numbers with a label: "잔액은 350입니다"."""
    for match in _NUMBER.finditer(line):
        if label := label_before(line[max(0, match.start() - _REACH) : match.start()]):
            yield LocatedEntity(match.start(), match.end(), "number", normal.amount(match[0]), label)


def _time(match: re.Match[str]) -> str:
    """Hours and minutes of 24."""
    hour, half = int(match["hour"]), match["half"] or ""
    minute = int(match["minute"] or match["colon"] or (30 if match["thirty"] else 0))
    if hour <= 12 and half:
        if re.fullmatch(_NIGHT, half):
            hour = 0 if hour == 12 else hour + 12
        elif re.fullmatch(_AFTERNOON, half):
            hour = hour % 12 + 12
        elif re.fullmatch(_MORNING, half):
            hour %= 12
        elif hour < 11:  # noon: 中午1点 is one o'clock
            hour += 12
    return f"{hour % 24:02}:{minute:02}"
