"""What a rule may say of where words come from, and whether an origin is as it says.

An origin is written as the labels that a rule may name, the kind first:
`mail:ann@example.org; app:Mail; device:phone; turn:3; memory; elsewhere`.
"""

from __future__ import annotations

import difflib

from omnipilot.agents.guard.words import is_whole, is_within
from omnipilot.envs.types import ORIGIN_KINDS, SHOWN_KINDS

ELSEWHERE, MEMORY, DEVICE = "elsewhere", "memory", "device"
"""Another device than the one where the words are entered; shown and heard nowhere any more; a device by its name."""
TURN = "turn:"
"""Begins the label that says in which turn the words last came up; no rule names it."""
KINDS = (*ORIGIN_KINDS, MEMORY, DEVICE, ELSEWHERE)
"""What a pattern begins with."""
JOINT = "; "
"""Between the labels of an origin."""
_NAMED = frozenset({"app", "web", "mail", "file", "notification", "film", DEVICE})
"""Kinds that may go on with a colon and a name."""
_MEANT = {
    **dict.fromkeys(("email", "e-mail", "mails", "sender", "inbox"), "mail"),
    **dict.fromkeys(("page", "site", "website", "host", "url", "browser", "html"), "web"),
    **dict.fromkeys(("banner", "toast", "alert", "push"), "notification"),
    **dict.fromkeys(("subtitle", "video", "movie", "caption"), "film"),
    **dict.fromkeys(("document", "filename", "folder", "path"), "file"),
    **dict.fromkeys(("voice", "audio", "spoken", "sound", "heard", "call"), "speech"),
    **dict.fromkeys(("paste", "copied"), "clipboard"),
    **dict.fromkeys(("recall", "remembered", "past"), MEMORY),
    **dict.fromkeys(("instruction", "task", "human", "owner"), "user"),
    **dict.fromkeys(("application", "program", "window"), "app"),
    **dict.fromkeys(("other", "foreign", "another"), ELSEWHERE),
    **dict.fromkeys(("env", "environment"), DEVICE),
}
"""Other words for kinds."""


def check_origin(pattern: str) -> str:
    """A pattern as it is compared.

    Raises:
        ValueError: there is no such kind, or the name is none; the message says what is meant perhaps.
    """
    if pattern == "*":
        return pattern
    kind, colon, who = pattern.partition(":")
    if kind not in KINDS:
        raise ValueError(f"there is no origin {pattern!r}; {_nearest(pattern)}there are {', '.join(KINDS)}")
    if colon and kind not in _NAMED:
        raise ValueError(f"an origin {kind!r} has no name; write {kind!r} alone, not {pattern!r}")
    if (colon and not who) or (kind == DEVICE and not colon):
        raise ValueError(f"the origin {pattern!r} lacks a name; write {_example(kind)!r}")
    return f"web:{check_host(who)}" if kind == "web" and who else pattern


def check_host(host: str) -> str:
    """A pattern of hosts as it is compared.

    Raises:
        ValueError: it is none.
    """
    if host != "*" and ("*" in host.removeprefix("*.") or "/" in host or ":" in host or not host.isascii()):
        raise ValueError(f"{host!r} is no host; write example.org, *.example.org or *")
    return host.lower().rstrip(".")


def fits_host(pattern: str, host: str) -> bool:
    """Whether a host is one of a pattern, or of its subdomains."""
    bare = pattern.removeprefix("*.")
    return pattern == "*" or host.endswith(f".{bare}") or (host == bare and not pattern.startswith("*."))


def fits_origin(pattern: str, origin: str, certain: bool) -> bool:
    """Whether an origin is as a pattern says.

    Args:
        certain: whether it has to be for certain, or may be as far as is known.
    """
    if pattern == "*":
        return True
    labels = origin.split(JOINT)
    kind, _, name = labels[0].partition(":")
    wanted, _, who = pattern.partition(":")
    if wanted in (ELSEWHERE, MEMORY, "speech"):
        return wanted in labels
    if wanted == "screen":
        return kind in SHOWN_KINDS and "speech" not in labels
    if wanted == DEVICE:
        return f"{DEVICE}:{who}" in labels or (who.endswith("*") and any(_begins(pattern, label) for label in labels))
    if wanted == "app" and who:
        apps = [label.partition(":")[2] for label in labels if label.startswith("app:")]
        unknown = not apps and not certain and kind not in ("note", "user")
        return unknown or any(_fits_name(who, app, certain) for app in apps)
    if kind == wanted:
        return not who or (_fits(kind, who, name, certain) if name else not certain)
    # What nobody told apart may be any of what screens show; what was heard may be of a film.
    return not certain and ((kind == "screen" and wanted in SHOWN_KINDS) or (kind == "speech" and wanted == "film"))


def without_moment(origin: str) -> str:
    """An origin without its turn, and without whether the words are still there."""
    return JOINT.join(one for one in origin.split(JOINT) if one != MEMORY and not one.startswith(TURN))


def _fits(kind: str, pattern: str, name: str, certain: bool) -> bool:
    return fits_host(pattern, name) if kind == "web" else _fits_name(pattern, name, certain)


def _fits_name(pattern: str, name: str, certain: bool) -> bool:
    return is_whole(pattern, name) if certain else is_whole(pattern, name) or is_within(pattern, name)


def _begins(pattern: str, label: str) -> bool:
    return label.startswith(pattern.removesuffix("*"))


def _nearest(pattern: str) -> str:
    word = pattern.partition(":")[0].casefold()
    if (meant := _MEANT.get(word) or next(iter(difflib.get_close_matches(word, KINDS, 1, 0.6)), "")) != "":
        return f"did you mean {meant!r}? "
    if "@" in pattern:
        return f"did you mean {'mail:' + pattern!r}? "
    return f"did you mean {'web:' + pattern!r}? " if "." in pattern else ""


def _example(kind: str) -> str:
    names = {"web": "*.example.org", "mail": "*@example.org", DEVICE: "phone", "app": "Messages"}
    return f"{kind}:{names.get(kind, 'NAME')}"
