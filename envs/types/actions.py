"""The verbs: everything an agent can do, as frozen dataclasses that validate themselves.

A verb with a place is generic in it. A planner may use `Click("the Save button")`, an environment only gets
`Click(Point(...))`. `Intent` is the union for planners, `Action` the grounded union for environments;
every `Action` is an `Intent`, and `resolve` is the only way from one to the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, cast

from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.fields import LONGEST_NAME as LONGEST_NAME
from omnipilot.envs.types.fields import LONGEST_TEXT as LONGEST_TEXT
from omnipilot.envs.types.fields import LONGEST_WAIT as LONGEST_WAIT
from omnipilot.envs.types.fields import Described as Described
from omnipilot.envs.types.fields import Place as Place
from omnipilot.envs.types.fields import Ref as Ref
from omnipilot.envs.types.fields import Verb as Verb
from omnipilot.envs.types.fields import arguments, box, choice, choices, flag, keys, number, path, place, text
from omnipilot.envs.types.geometry import Box, Point

P = TypeVar("P", covariant=True)

Button: TypeAlias = Literal["left", "middle", "right"]
ClickButton: TypeAlias = Literal[Button, "back", "forward"]
"""The last two are those at a mouse's side. Models are not told of them, unless a run says so (`verbs.buttons`)."""
Modifier: TypeAlias = Literal["ctrl", "alt", "shift", "meta"]
Direction: TypeAlias = Literal["up", "down", "left", "right"]
"""Of `Scroll` the way in which one sees more, of `Swipe` that in which the finger moves."""
Unit: TypeAlias = Literal["notch", "px", "page"]
SystemKey: TypeAlias = Literal["back", "home", "recents", "menu", "power", "volume_up", "volume_down"]
BrowserOp: TypeAlias = Literal["back", "forward", "reload", "new_tab", "close_tab", "focus_tab"]
Status: TypeAlias = Literal["success", "failure", "infeasible"]
"""How an agent says that it ended: solved, not solved, or impossible as it was asked."""


@dataclass(frozen=True, slots=True)
class Click(Verb, Generic[P]):
    """Press and release a button at a place (a tap on a touch screen); without a place, at the cursor.

    Attributes:
        count: 1 click, 2 double click, 3 triple click.
    """

    kind: ClassVar[str] = "click"
    at: P | None = place(None)
    button: ClickButton = choice("left", ClickButton, untold=("back", "forward"))
    count: int = number(1, 1, 3, whole=True)
    modifiers: tuple[Modifier, ...] = choices(Modifier)


@dataclass(frozen=True, slots=True)
class LongPress(Verb, Generic[P]):
    """Press at a place, hold for `seconds`, release."""

    kind: ClassVar[str] = "long_press"
    at: P = place()
    seconds: float = number(1.0, 0.1, 60)


@dataclass(frozen=True, slots=True)
class MouseMove(Verb, Generic[P]):
    """Move the pointer to a place without pressing."""

    kind: ClassVar[str] = "move"
    at: P = place()


@dataclass(frozen=True, slots=True)
class MouseDown(Verb, Generic[P]):
    """Press a button and keep it down; without a place, at the cursor."""

    kind: ClassVar[str] = "mouse_down"
    at: P | None = place(None)
    button: Button = choice("left", Button)


@dataclass(frozen=True, slots=True)
class MouseUp(Verb, Generic[P]):
    """Release a button; without a place, at the cursor."""

    kind: ClassVar[str] = "mouse_up"
    at: P | None = place(None)
    button: Button = choice("left", Button)


@dataclass(frozen=True, slots=True)
class Drag(Verb, Generic[P]):
    """Press at `start` (or the cursor), pass through `path`, release at `end`; what is held comes along."""

    kind: ClassVar[str] = "drag"
    end: P = place()
    start: P | None = place(None)
    path: tuple[P, ...] = path()
    button: Button = choice("left", Button)


@dataclass(frozen=True, slots=True)
class Swipe(Verb, Generic[P]):
    """A flick of the finger: from `start` to `end`, or in a `direction` (from `start`, or the middle of the screen).

    The direction is the finger's: swiping up shows what lies further down.

    Raises:
        ValueError: neither a direction nor both ends are given, or a direction beside an end.
    """

    kind: ClassVar[str] = "swipe"
    direction: Direction | None = choice(None, Direction)
    start: P | None = place(None)
    end: P | None = place(None)

    def __post_init__(self) -> None:
        Verb.__post_init__(self)
        if (self.direction is None) == (self.end is None):
            raise ValueError("swipe takes either a direction or an end (with a start), not both or neither")
        if self.end is not None and self.start is None:
            raise ValueError("swipe with an end needs a start")


@dataclass(frozen=True, slots=True)
class Scroll(Verb, Generic[P]):
    """Scroll the content under a place (or the middle of the screen).

    The direction says where new content appears: down shows what lies further down.
    """

    kind: ClassVar[str] = "scroll"
    direction: Direction = choice(MISSING, Direction)
    at: P | None = place(None)
    amount: float = number(3.0, 0.01, 10_000)
    unit: Unit = choice("notch", Unit)


@dataclass(frozen=True, slots=True)
class TypeText(Verb, Generic[P]):
    """Type text into a place (clicked first) or into what has the focus.

    Attributes:
        clear: empty the field first.
        submit: press Enter afterwards.
    """

    kind: ClassVar[str] = "type"
    text: str = text()
    at: P | None = place(None)
    clear: bool = flag()
    submit: bool = flag()


@dataclass(frozen=True, slots=True)
class Press(Verb):
    """Press keys together and release them, `repeat` times; or hold them for `seconds`."""

    kind: ClassVar[str] = "press"
    keys: tuple[str, ...] = keys("enter")
    repeat: int = number(1, 1, 100, whole=True)
    seconds: float | None = number(None, 0.01, 60)


@dataclass(frozen=True, slots=True)
class KeyDown(Verb):
    """Press keys and keep them down."""

    kind: ClassVar[str] = "key_down"
    keys: tuple[str, ...] = keys("shift")


@dataclass(frozen=True, slots=True)
class KeyUp(Verb):
    """Release keys."""

    kind: ClassVar[str] = "key_up"
    keys: tuple[str, ...] = keys("shift")


@dataclass(frozen=True, slots=True)
class System(Verb):
    """A system key of a device: back, home, recents, menu, power, volume."""

    kind: ClassVar[str] = "system"
    name: SystemKey = choice(MISSING, SystemKey)


@dataclass(frozen=True, slots=True)
class OpenApp(Verb):
    """Bring an application to the front by its name, starting it if need be."""

    kind: ClassVar[str] = "open_app"
    app: str = text(longest=LONGEST_NAME, shortest=1, example="Notes")


@dataclass(frozen=True, slots=True)
class OpenUrl(Verb):
    """Open an address in the browser's current tab."""

    kind: ClassVar[str] = "open_url"
    url: str = text(longest=LONGEST_TEXT, shortest=1, example="https://example.org")


@dataclass(frozen=True, slots=True)
class Browser(Verb):
    """What a browser's own buttons do. `tab` counts from 0, for `focus_tab` and `close_tab` (default: the current)."""

    kind: ClassVar[str] = "browser"
    op: BrowserOp = choice(MISSING, BrowserOp)
    tab: int | None = number(None, 0, 1000, whole=True)

    def __post_init__(self) -> None:
        Verb.__post_init__(self)
        if self.op == "focus_tab" and self.tab is None:
            raise ValueError("browser.focus_tab needs the number of the tab")


@dataclass(frozen=True, slots=True)
class Select(Verb, Generic[P]):
    """Choose an option of a drop-down list by the option's text."""

    kind: ClassVar[str] = "select"
    at: P = place()
    value: str = text(example="x")


@dataclass(frozen=True, slots=True)
class Wait(Verb):
    """Let time pass in the whole world."""

    kind: ClassVar[str] = "wait"
    seconds: float = number(1.0, 0.01, LONGEST_WAIT)


@dataclass(frozen=True, slots=True)
class Screenshot(Verb):
    """Look again, at a region or at the whole screen."""

    kind: ClassVar[str] = "screenshot"
    region: Box | None = box()


@dataclass(frozen=True, slots=True)
class Answer(Verb):
    """Give an answer in words; the judges read it."""

    kind: ClassVar[str] = "answer"
    text: str = text()


@dataclass(frozen=True, slots=True)
class AskUser(Verb):
    """Ask the run's user a question; the reply comes as feedback."""

    kind: ClassVar[str] = "ask_user"
    text: str = text(shortest=1)


@dataclass(frozen=True, slots=True)
class Done(Verb):
    """End the episode: the task is solved (`success`), was not (`failure`), or cannot be (`infeasible`)."""

    kind: ClassVar[str] = "done"
    status: Status = choice("success", Status)
    text: str = text("")


@dataclass(frozen=True, slots=True)
class Noop(Verb):
    """Do nothing in this environment this turn (SKIP): costs a share of the turn and no action."""

    kind: ClassVar[str] = "noop"


@dataclass(frozen=True, slots=True)
class Custom(Verb):
    """A verb that an environment or a user adds; see `omnipilot.envs.types.custom`. Arguments are JSON values."""

    kind: ClassVar[str] = "custom"
    name: str = text(longest=LONGEST_NAME, shortest=1)
    arguments: Mapping[str, Any] = arguments()


Placeless: TypeAlias = (
    Press
    | KeyDown
    | KeyUp
    | System
    | OpenApp
    | OpenUrl
    | Browser
    | Wait
    | Screenshot
    | Answer
    | AskUser
    | Done
    | Noop
    | Custom
)
Action: TypeAlias = (
    Click[Point]
    | LongPress[Point]
    | MouseMove[Point]
    | MouseDown[Point]
    | MouseUp[Point]
    | Drag[Point]
    | Swipe[Point]
    | Scroll[Point]
    | TypeText[Point]
    | Select[Point]
    | Placeless
)
Intent: TypeAlias = (
    Click[Place]
    | LongPress[Place]
    | MouseMove[Place]
    | MouseDown[Place]
    | MouseUp[Place]
    | Drag[Place]
    | Swipe[Place]
    | Scroll[Place]
    | TypeText[Place]
    | Select[Place]
    | Placeless
)

VERBS: dict[str, type[Verb]] = {
    verb.kind: verb
    for verb in (
        Click,
        LongPress,
        MouseMove,
        MouseDown,
        MouseUp,
        Drag,
        Swipe,
        Scroll,
        TypeText,
        Select,
        Press,
        KeyDown,
        KeyUp,
        System,
        OpenApp,
        OpenUrl,
        Browser,
        Wait,
        Screenshot,
        Answer,
        AskUser,
        Done,
        Noop,
        Custom,
    )
}
"""All verbs by kind."""

CONTROL_VERBS = frozenset({"wait", "screenshot", "answer", "ask_user", "done", "noop"})
"""Verbs that the episode loop executes itself; they never reach an environment."""

_NAMED = r"[a-z0-9]{4}:[A-Za-z0-9_.:-]+"
ANCHOR_FORM = re.compile(rf"\{{@{_NAMED}\}}")
"""What names an anchor in a text, such as `{@k7q2:code-1}`: a key that only the planner is told, and a name. Text that
was seen or heard does not know the key, so it names none, whatever it says."""
_ANCHOR = re.compile(rf"\{{(\{{@{_NAMED}\}})\}}|\{{@({_NAMED})\}}")
"""An anchor in a text, or a text in doubled braces that is none."""


def place_fields(verb: type[Verb] | Verb) -> tuple[str, ...]:
    """Names of a verb's fields that contain a place, in order."""
    return _place_fields(cast(Hashable, verb if isinstance(verb, type) else type(verb)))


@cache
def _place_fields(verb: Any) -> tuple[str, ...]:
    return tuple(spec.name for spec in fields(verb) if spec.metadata.get("place"))


def described_places(intent: Intent) -> tuple[Described, ...]:
    """The described places of an intent, in the order in which `resolve` locates them."""
    found: list[Described] = []
    for name in place_fields(intent):
        value = getattr(intent, name)
        found += [p for p in (value if isinstance(value, tuple) else (value,)) if isinstance(p, str | Ref)]
    return tuple(found)


def resolve(intent: Intent, locate: Callable[[Described], Point], anchor: Callable[[str], str] | None = None) -> Action:
    """Ground an intent: every described place becomes a `Point`.

    Args:
        intent: the planner's proposal.
        locate: finds one described place; raises `NotFound` if it is not on the screen.
        anchor: returns the text for an anchor's key and name, such as "k7q2:code-1", which replaces `{@k7q2:code-1}` in
            every text that the verb takes (to type, to answer, to select, arguments of a custom verb);
            `{{@k7q2:code-1}}` is the text `{@k7q2:code-1}` itself. Without it, such text stays as it is.

    Returns:
        An action whose places are points. A grounded intent is returned unchanged.

    Raises:
        NotFound: from `locate` or `anchor`, unchanged.
        ActionRejected: with its anchors replaced, a text is too long for the verb.
    """
    changes: dict[str, Any] = {}
    for name in place_fields(intent):
        value = getattr(intent, name)
        if isinstance(value, tuple):
            if any(isinstance(place, str | Ref) for place in value):
                changes[name] = tuple(p if isinstance(p, Point) else locate(p) for p in value)
        elif isinstance(value, str | Ref):
            changes[name] = locate(value)
    if anchor is not None:
        for name in _text_fields(intent):
            value = getattr(intent, name)
            if (filled := _fill(value, anchor)) != value:
                changes[name] = filled
    if not changes:
        return cast(Action, intent)
    try:
        return cast(Action, replace(intent, **changes))
    except ValueError as error:
        raise ActionRejected(f"with its anchors filled in: {error}") from None


def _text_fields(verb: Verb) -> tuple[str, ...]:
    """Names of the fields that hold free text, or JSON values; not the name of a custom verb."""
    free = ("longest", "json")
    return tuple(
        spec.name
        for spec in fields(verb)
        if any(bound in spec.metadata for bound in free) and not (isinstance(verb, Custom) and spec.name == "name")
    )


def _fill(value: Any, anchor: Callable[[str], str]) -> Any:
    """A text, or JSON values, with every anchor replaced."""
    if isinstance(value, str):
        return _ANCHOR.sub(lambda match: match[1] or anchor(match[2]), value) if "{@" in value else value
    if isinstance(value, Mapping):
        return {name: _fill(one, anchor) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_fill(one, anchor) for one in value]
    return value
