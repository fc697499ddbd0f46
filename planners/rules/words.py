"""Clauses, and the English words that identify them in an instruction.

Nothing here depends on a task, application or page: only on verbs, places and quotation marks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.envs.types import QUOTED

Doing: TypeAlias = Literal[
    "click",
    "type",
    "select",
    "focus",
    "press",
    "open",
    "search",
    "scroll",
    "expand",
    "act",
    "set",
    "confirm",
    "switch",
    "moment",
    "tune",
    "slide",
]
Noticing: TypeAlias = Literal["find", "read", "copy", "listen", "sample"]
Waiting: TypeAlias = Literal["wait", "hear", "motion", "still", "shown"]
Kind: TypeAlias = Doing | Noticing | Waiting | Literal["unknown"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing to do.

    Attributes:
        kind: `act` is any verb without a rule of its own (its name is the target), which a control of that name may
            do; `moment` is the same at a time that a film watched before tells; `switch` is on or off;
            `sample` listens for some seconds, `tune` chooses an option by ear;
            `set` turns steppers; `confirm` answers the dialog that came up, if any; `find` names what to look for
            on the way; `hear`, `motion`, `still` and `shown` wait for a sound, a movement, its end, or for `target`
            to appear.
        target: phrase for the element.
        text: what to type, an option to choose, keys, a direction, or seconds.
        source: phrase for the element whose text is to be typed, where it is not in the instruction.
        near: phrase for an element that lies beside the target.
        where: words that name an environment; "" for the one at hand.
        app: the application in which it is to be done, by name; "" for the one at hand.
        append: type after what is there already.
        verb: the verb as it was said.
        said: the words of the clause.
    """

    kind: Kind
    target: str = ""
    text: str = ""
    source: str = ""
    near: str = ""
    where: str = ""
    app: str = ""
    append: bool = False
    verb: str = ""
    said: str = ""


_CLICK = "click tap press hit push show".split()
_TYPE = "enter type write input fill put paste replace".split()
_SELECT = "select choose pick check tick mark".split()
VERBS: dict[str, Kind] = {
    **dict.fromkeys(_CLICK, "click"),
    **dict.fromkeys(_TYPE, "type"),
    **dict.fromkeys(_SELECT, "select"),
    **dict.fromkeys("open launch start go visit switch".split(), "open"),
    **dict.fromkeys("find locate navigate use".split(), "find"),
    **dict.fromkeys("focus".split(), "focus"),
    **dict.fromkeys("expand unfold".split(), "expand"),
    **dict.fromkeys("search".split(), "search"),
    **dict.fromkeys("scroll".split(), "scroll"),
    **dict.fromkeys("copy".split(), "copy"),
    **dict.fromkeys("wait".split(), "wait"),
    **dict.fromkeys("read see look note count learn".split(), "read"),
    "watch": "still",
    "listen": "listen",
}
OTHER = (
    "forget move archive block unblock join mute pin confirm decline reject call hide let take name share "
    "download upload make reset restore empty connect disconnect "
    "send reply forward delete remove save close stop dismiss cancel submit star like retweet create add "
    "set turn play pause append answer accept snooze clear rename draw drag sort order book buy move resize log sign "
    "mute change edit schedule"
).split()
OFFERED = frozenset(
    "forget delete remove rename add archive move mute unmute pin unpin star unstar copy duplicate share mark "
    "done read unread block unblock".split()
)
"""What the menu of a thing usually offers."""
ANY_VERB = rf"(?:{'|'.join([*VERBS, *OTHER])})(?:ing)?\b"
PLACES: dict[str, str] = {
    **dict.fromkeys("phone smartphone mobile cellphone handset".split(), "phone"),
    **dict.fromkeys("desktop computer pc laptop workstation".split(), "desktop"),
    **dict.fromkeys("browser web website".split(), "browser"),
}
"""Words for an environment → its platform."""
UNTIL = re.compile(r"^wait\s+(?:until|till|for)\s+", re.IGNORECASE)


def quoted_texts(text: str) -> list[str]:
    """Quoted texts, in order."""
    return [next(group for group in match.groups() if group is not None) for match in QUOTED.finditer(text)]


def split(text: str, at: re.Pattern[str]) -> list[str]:
    """Split a text at the matches of a pattern outside quotations."""
    spans = [match.span() for match in QUOTED.finditer(text)]
    pieces, start = [], 0
    for match in at.finditer(text):
        if not any(first <= match.start() < last for first, last in spans):
            pieces.append(text[start : match.start()])
            start = match.end()
    return [piece.strip(" ,") for piece in [*pieces, text[start:]] if piece.strip(" ,.;!?")]


def verb_of(piece: str) -> tuple[str, str]:
    """The verb of a piece in its base form, in lower case, and the rest."""
    words = re.sub(
        r"^(?:(?:and|then|please|now|finally|first|next|also|try to|you should)\b,?\s+)+", "", piece, flags=re.I
    )
    first, _, rest = words.strip(" ,").partition(" ")
    verb = first.casefold().strip(",")
    for plain in (verb, verb.removesuffix("ing"), verb.removesuffix("ing") + "e"):
        if plain in VERBS or plain in OTHER:
            return plain, rest.strip()
    return verb, rest.strip()


def object_of(rest: str) -> str:
    """The text after a verb, without the preposition between them."""
    return re.sub(r"^(?:on|onto|into|in|at|to|for|between|through|out)\s+", "", rest, flags=re.I).strip(" ,")
