"""The forms in which a hostile server may repeat a key, computed without our own code for them."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote


def _base64(before: str) -> Callable[[str], str]:
    return lambda key: base64.b64encode((before + key).encode()).decode()


FORMS: Mapping[str, Callable[[str], str]] = {
    "plain": lambda key: key,
    "JSON": lambda key: json.dumps(key)[1:-1].replace("/", "\\/"),
    "JSON in JSON": lambda key: json.dumps(json.dumps(key)[1:-1].replace("/", "\\/"))[1:-1],
    "unicode": lambda key: "".join(f"\\u{ord(char):04x}" for char in key),
    "unicode in JSON": lambda key: "".join(f"\\\\u{ord(char):04X}" for char in key),
    "hexadecimal escapes": lambda key: "".join(f"\\x{ord(char):02x}" for char in key),
    "percent": lambda key: quote(key, safe=""),
    "every percent": lambda key: "".join(f"%{ord(char):02X}" for char in key),
    "double percent": lambda key: quote(quote(key, safe=""), safe=""),
    "HTML": html.escape,
    "HTML numbers": lambda key: "".join(f"&#{ord(char)};" for char in key),
    "HTML hexadecimal": lambda key: "".join(f"&#x{ord(char):x};" for char in key),
    "base64": _base64(""),
    "base64 of me:": _base64("me:"),
    "base64 of user:": _base64("user:"),
    "base64 of x": _base64("x"),
    "base64 for URLs": lambda key: base64.urlsafe_b64encode(f"ab:{key}".encode()).decode().rstrip("="),
    "base64 in JSON": lambda key: _base64(":")(key).replace("/", "\\/"),
    "hex": lambda key: key.encode().hex(),
    "HEX": lambda key: key.encode().hex().upper(),
    "lines": lambda key: "\n".join(key[i : i + 5] for i in range(0, len(key), 5)),
    "escaped lines": lambda key: "\\n".join(key[i : i + 5] for i in range(0, len(key), 5)),
    "letters": " ".join,
    "zero width": "\u200b".join,
    "hyphens": lambda key: "-".join(key[i : i + 3] for i in range(0, len(key), 3)),
    "a sum": lambda key: f'{key[:9]}" + "{key[9:]}',
    "base64 lines": lambda key: "\n".join(re.findall(".{1,16}", _base64("me:")(key))),
}


def shows(text: str, key: str, least: int = 12) -> str:
    """Which form of the key a text shows, "" for none: read as many ways as there are, all but letters left out.

    Args:
        least: letters and digits of the shortest piece of the key that is looked for.
    """
    bare = letters(key)
    wanted = {"plain": bare, "hex": key.encode().hex(), "HEX": key.encode().hex().upper()}
    for before in ("", "x", "xx"):
        inner = base64.b64encode((before + key).encode()).decode().rstrip("=")
        wanted[f"base64 after {before!r}"] = letters(inner[4 * bool(before) : len(inner) // 4 * 4])
    for way in ways(text):
        seen = letters(way)
        for name, form in wanted.items():
            size = least if name == "plain" else 2 * least
            for at in range(max(1, len(form) - size + 1)):
                if form[at : at + size] in seen:
                    return f"{name}: {form[at : at + size]}"
    return ""


def letters(text: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "", text)


def ways(text: str) -> set[str]:
    """The text as it is, and as decoders of JSON, percent and HTML read it, in every order, up to three of them."""
    found = {text}
    for _ in range(3):
        found |= {read(one) for one in found for read in (_unescaped, unquote, html.unescape)}
    return found


def _unescaped(text: str) -> str:
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    text = re.sub(r"\\x([0-9a-fA-F]{2})", lambda match: chr(int(match[1], 16)), text)
    return re.sub(r"\\([nrtbf])", "\n", text).replace("\\\\", "\\").replace("\\/", "/").replace('\\"', '"')
