"""The verb sets that `--verbs` names: translations, and primitives taken away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.agents.verbs.base import Look, Program, Refusal, VerbSet, device_of, program_of
from omnipilot.agents.verbs.matrix import all_forms
from omnipilot.agents.verbs.translations import ADDED, COPY, PASTE, TRANSLATIONS, WITH_BUTTONS, translate
from omnipilot.envs import (
    ActionRejected,
    Browser,
    ConfigError,
    Context,
    Custom,
    CustomVerb,
    Elements,
    Intent,
    Press,
    TypeText,
)
from omnipilot.envs.types import CONTROL_VERBS, VERBS
from omnipilot.memory import Move
from omnipilot.planners import Brief, Verbs

GROUPS: Mapping[str, str] = {"tabs": "opening, closing and changing tabs, also by keys"}
"""What may be taken away beside verbs by their kinds."""
TAKEN = "not available in this run"
"""Words of the refusal of a primitive that was taken away; journals are searched for them."""
_TAB_OPS = frozenset({"new_tab", "close_tab", "focus_tab"})
_TAB_KEYS = frozenset({"t", "w", "tab", "pageup", "pagedown", *"123456789"})


class TranslatedVerbs(VerbSet):
    """Offers every verb on every device, with copy and paste, and translates what a device has not got into a program
    of verbs that it has; see `omnipilot list verbs --matrix`.

    Args:
        clipboard: whether text copied on one device can be pasted on another, which types it there. What was copied is
            what the source device tells of its clipboard, or of the field that was copied; both have to be shown to the
            agent.
        buttons: whether the buttons at the side of a mouse are offered, too.
    """

    def __init__(self, clipboard: bool = False, buttons: bool = False) -> None:
        self.clipboard = clipboard
        self.added = WITH_BUTTONS if buttons else ADDED
        self._devices: Mapping[str, Verbs] = {}
        self._copied: dict[str, str] = {}

    def begin(self, brief: Brief) -> None:
        """Start an episode: what the devices have, and nothing copied."""
        self._devices, self._copied = brief.envs, {}

    def offer(self, envs: Mapping[str, Verbs]) -> Mapping[str, Verbs]:
        """Every verb for which each device has some program, and copy and paste."""
        return {name: _with_added(verbs, self.added) for name, verbs in envs.items()}

    def expand(self, move: Move, look: Look) -> Program | None:
        """The program in verbs of the move's device; None for a verb that it has."""
        name = device_of(move, self._devices)
        device = self._devices.get(name)
        if device is None or move.intent.kind in CONTROL_VERBS:
            return None
        intent: Intent = move.intent
        try:
            if isinstance(intent, Custom) and intent.name in self.added and intent.name not in device.custom:
                if across := self._across(intent, name, look):
                    return across
                intent = _without_device(intent)
            program = translate(intent, device)
        except ActionRejected as error:
            return program_of(Refusal(str(error)))
        if isinstance(program, str):
            return program_of(Refusal(program))
        if program == (move.intent,):
            return None
        moves = tuple(Move(name, one) for one in program)
        if isinstance(intent, Custom) and intent.name == COPY.name and self.clipboard:
            return self._copy(moves, intent, name, look)
        return program_of(*moves)

    def _copy(self, moves: tuple[Move, ...], intent: Custom, name: str, look: Look) -> Program:
        """A copy, after which it is noted what the device tells of its clipboard, or of the field."""
        yield from moves
        if text := _copied_text(look, name, str(intent.arguments.get("at", ""))):
            self._copied[name] = text

    def _across(self, intent: Custom, name: str, look: Look) -> Program | None:
        """A paste of what was copied on another device; None for any other."""
        source = str(intent.arguments.get("device", ""))
        if intent.name != PASTE.name or source in ("", name):
            return None
        if not self.clipboard:
            why = "the devices do not share a clipboard; type the text instead"
        elif source not in self._devices:
            why = f"there is no device {source!r}; there are {', '.join(self._devices)}"
        else:
            text = self._copied.get(source) or _copied_text(look, source, "")
            if text:
                at = str(intent.arguments.get("at", "")) or None
                return program_of(Move(name, TypeText(text, at)))
            why = f"nothing is known to have been copied on {source}; copy it there first, with at"
        return program_of(Refusal(f"paste is not possible here: {why}"))


class WithoutVerbs(VerbSet):
    """Takes primitives away from all devices, to see which plans die of it.

    Args:
        what: kinds of verbs, such as `scroll`, or `tabs`, separated by commas.

    Raises:
        ConfigError: there is no such verb, or the loop carries it out itself.
    """

    main_option = "what"

    def __init__(self, what: str) -> None:
        self.taken = tuple(name.strip() for name in what.split(",") if name.strip())
        known = sorted({*VERBS, *ADDED, *GROUPS} - CONTROL_VERBS - {"custom"})
        strangers = [name for name in self.taken if name not in known]
        if strangers or not self.taken:
            named = f"no device has {', '.join(strangers)}" if strangers else "it takes nothing away"
            raise ConfigError(f"--verbs without:{what}: {named}; choose from {', '.join(known)}")

    def offer(self, envs: Mapping[str, Verbs]) -> Mapping[str, Verbs]:
        """The devices without these verbs."""
        return {name: self._left(verbs) for name, verbs in envs.items()}

    def expand(self, move: Move, look: Look) -> Program | None:  # noqa: ARG002
        """A refusal for what was taken away; None for all else."""
        if taken := self._taken(move.intent):
            return program_of(Refusal(f"{taken} is {TAKEN}; find another way"))
        return None

    def _left(self, verbs: Verbs) -> Verbs:
        custom = {name: verb for name, verb in verbs.custom.items() if name not in self.taken}
        return replace(verbs, kinds=verbs.kinds - set(self.taken), custom=custom)

    def _taken(self, intent: Intent) -> str:
        """What of an intent was taken away; "" for nothing."""
        if intent.kind in self.taken or (isinstance(intent, Custom) and intent.name in self.taken):
            return intent.name if isinstance(intent, Custom) else intent.kind
        if "tabs" not in self.taken:
            return ""
        if isinstance(intent, Browser) and intent.op in _TAB_OPS:
            return intent.op
        if isinstance(intent, Press) and {"ctrl", "meta"} & set(intent.keys) and _TAB_KEYS & set(intent.keys):
            return "+".join(intent.keys)
        return ""


def _without_device(intent: Custom) -> Custom:
    return Custom(intent.name, {key: value for key, value in intent.arguments.items() if key != "device"})


def _copied_text(look: Look, name: str, at: str) -> str:
    """The text on a device's clipboard as far as the agent is shown it, or that of the field that it copied."""
    seen = look(name)
    if isinstance(seen.context, Context) and seen.context.clipboard:
        return seen.context.clipboard
    if not at or not isinstance(seen.elements, Elements):
        return ""
    filled = [one for one in seen.elements if one.value]
    named = [one for one in filled if one.name and one.name.casefold() in at.casefold()]
    focused = [one for one in filled if "focused" in one.states]
    return next((one.value for one in (*named, *focused)), "")


def _with_added(verbs: Verbs, added: Mapping[str, CustomVerb]) -> Verbs:
    """A device as a planner sees it whose moves are translated: it has every verb for which there is some program."""
    kinds = frozenset(kind for kind in TRANSLATIONS if kind in verbs.kinds or _some_way(kind, verbs))
    return replace(verbs, kinds=verbs.kinds | kinds | {"custom"}, custom={**added, **verbs.custom})


def _some_way(kind: str, verbs: Verbs) -> bool:
    return any(not isinstance(translate(one, verbs), str) for one in all_forms() if one.kind == kind)
