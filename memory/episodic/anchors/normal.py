"""Normal forms of values: two ways of writing the same get the same form."""

from __future__ import annotations

import re

_CURRENCIES = {
    "$": "USD", "us$": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP",
    "pound": "GBP", "pounds": "GBP", "¥": "JPY", "yen": "JPY", "₹": "INR", "rs": "INR", "rs.": "INR", "rupee": "INR",
    "rupees": "INR", "fr.": "CHF", "franc": "CHF", "francs": "CHF", "a$": "AUD", "c$": "CAD", "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD", "r$": "BRL", "₩": "KRW", "₺": "TRY", "zł": "PLN",
}  # fmt: skip
_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SECONDS = {"h": 3600, "m": 60, "s": 1, "d": 86_400, "w": 604_800, "mo": 2_629_800, "y": 31_557_600}


def amount(text: str, decimals: bool = False) -> str:
    """A number without separators of thousands, its decimals after a dot: "1.250,50" is "1250.5".

    A single separator before exactly three digits separates thousands.

    Args:
        decimals: keep all decimals, even zeros.
    """
    bare = re.sub(r"[\s\u00a0\u202f'’+]", "", text).replace("−", "-")
    marks = re.findall(r"[.,]", bare)
    if marks:
        last = max(bare.rfind("."), bare.rfind(","))
        grouped = len(set(marks)) == 1 and (len(marks) > 1 or len(bare) - last - 1 == 3)
        whole, part = (bare, "") if grouped else (bare[:last], bare[last + 1 :])
        bare = re.sub(r"[.,]", "", whole) + (f".{part}" if part else "")
    if "." in bare and not decimals:
        bare = bare.rstrip("0").rstrip(".")
    return bare


def price(match: re.Match[str]) -> str:
    """Currency and amount: "USD 1250"."""
    sign = (match["before"] or match["after"]).casefold()
    value = amount(match["a"] or match["b"])
    if scale := (match["scale"] or "").strip():
        value = f"{float(value) * _SCALES[scale]:.10g}"
    return f"{_CURRENCIES.get(sign, sign.upper())} {value}"


def phone(text: str) -> str:
    """Digits, with + before a country's."""
    digits = re.sub(r"\D", "", text)
    if text.lstrip().startswith("+"):
        return f"+{digits}"
    return f"+{digits[2:]}" if digits.startswith("00") else digits


def date(match: re.Match[str]) -> str:
    """Year-month-day, "----" for an unknown year; as written where day and month could be confused. "" for no date."""
    if match["d1"] or match["d2"]:
        day, month, year = match["d1"] or match["d2"], match["m1"] or match["m2"], match["y1"] or match["y2"]
        number = _MONTHS.index(month[:3].casefold()) + 1
    elif match["y3"]:
        day, number, year = match["d3"], int(match["m3"]), match["y3"]
    else:
        first, second, year = int(match["a4"]), int(match["b4"]), match["y4"]
        year = year if len(year) == 4 else f"20{year}"
        if match["s4"] != "." and first <= 12 and second <= 12 and first != second:
            return f"{year}?{first:02}/{second:02}"
        day, number = (first, second) if second <= 12 else (second, first)
    if not (1 <= int(day) <= 31 and 1 <= number <= 12):
        return ""
    return f"{year or '----'}-{number:02}-{int(day):02}"


def time(match: re.Match[str]) -> str:
    """Hours and minutes of 24, and seconds if they were told."""
    hour = int(next(h for h in (match["h"], match["h2"], match["h3"], match["h4"]) if h))
    minute = int(match["m"] or match["m2"] or match["m4"] or 0)
    half = (match["x"] or match["x2"] or "")[:1].casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{minute:02}" + (f":{match['s']}" if match["s"] else "")


def duration(text: str) -> str:
    """Seconds."""
    total = 0.0
    for number, unit in re.findall(r"(\d+(?:[.,]\d+)?)\s*([a-z]+)", text.casefold()):
        short = "mo" if unit.startswith("mo") else unit[0]
        total += float(number.replace(",", ".")) * _SECONDS[short]
    return f"{total:.10g} s"


def quantity(text: str) -> str:
    """Amount and unit."""
    found = re.match(r"([-+−]?[\d\s\u00a0\u202f.,'’]*\d)\s*(.+)", text)
    assert found is not None
    return f"{amount(found[1])} {found[2].casefold()}"


def code(text: str) -> str:
    """Without spaces and dashes; letters in capitals."""
    return re.sub(r"[\s-]", "", text).upper()


def url(text: str) -> str:
    """Without scheme, `www.` and a closing slash."""
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", text).rstrip("/")


def words(text: str) -> str:
    """Words alone, in small letters."""
    return " ".join(re.findall(r"\w+", text.casefold()))
