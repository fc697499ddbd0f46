"""Reading tool calls: a name and JSON arguments become a move, or an error message for the model."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from omnipilot.envs import ConfigError, CustomVerb, Elements, Intent, Observation, Ref
from omnipilot.envs.schema.validation_messages import nearest, short
from omnipilot.envs.types import VERBS, MalformedAction, place_fields
from omnipilot.memory import MalformedReply, Move, Recalled
from omnipilot.memory.episodic.anchors.remembered import anchor_name, naming_note
from omnipilot.memory.models.replies.json_calls import tool_calls
from omnipilot.memory.models.replies.json_text import call_arguments, objects_in
from omnipilot.memory.quoting import undouble_braces
from omnipilot.planners.base import Verbs
from omnipilot.planners.chat.toolset import DEVICE, THOUGHT, Naming, Offered, offered_tools, own_arguments
from omnipilot.planners.tools import CONTROLS, REMEMBER, TARGET, Meaning, Places, tool_name


@dataclass(frozen=True, slots=True)
class Ids:
    """Tells element ids from descriptions in one environment.

    Attributes:
        known: ids of the elements the planner was shown. names: their names, which may also start with #.
        numbered: marks are drawn, so numbers are ids.
    """

    known: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    numbered: bool = False

    def place(self, said: str) -> str | Ref:
        """The id meant by "#7" (or by a bare element id), or the description itself.

        If ids are shown, # introduces one even if it is not shown now: the element may appear, or come back.
        """
        word = said.strip()
        id = word.removeprefix("#")
        if not word.startswith("#"):
            return Ref(id) if id in self.known and not id.isdecimal() else said
        if id in self.known or (self.numbered and id.isdecimal()):
            return Ref(id)
        spoken = any(word.casefold() in name.casefold() for name in self.names)
        return Ref(id) if self.known and id and not spoken and not re.search(r"\s", id) else said


def shown_ids(observations: Mapping[str, Observation], recalled: Collection[Recalled] = ()) -> dict[str, Ids]:
    """The `Ids` of a request, by environment."""
    found = {}
    for env, seen in observations.items():
        items = seen.elements.items if isinstance(seen.elements, Elements) else ()
        numbered = any(part.source == "marks" and part.env == env for part in recalled)
        ids = frozenset(item.id for item in items if item.id is not None)
        found[env] = Ids(ids, frozenset(item.name for item in items if item.name), numbered)
    return found


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """A call that was read: what to do, and the thought that was given with it; "" for none."""

    move: Move
    thought: str = ""


def read_call(
    name: str,
    arguments: str | Mapping[str, Any],
    envs: Mapping[str, Verbs],
    naming: Naming = "shared",
    places: Places = "described",
    controls: Collection[str] = CONTROLS,
    ids: Mapping[str, Ids] | None = None,
) -> ParsedCall:
    """Read a call of one of `toolset(envs, naming, places, controls)`.

    The names of the other naming are understood too, so that `click_in_phone` and `click` on the device phone mean the
    same wherever nothing else has that name.

    Args:
        arguments: as JSON text, or already parsed.
        ids: ids that the model was shown, by environment.

    Raises:
        MalformedReply: unknown tool, unknown or missing device, or wrong arguments; the message is for the model.
    """
    offered = offered_tools(envs, naming, controls)
    said = name
    for name in possible_names(said):
        one = offered.get(name) or _of_other_naming(name, envs, naming, controls)
        if one is not None:
            break
    if one is None:
        raise MalformedReply(_no_such_tool(said, offered, envs), unknown=(said,))
    given = dict(call_arguments(name, arguments))
    own = own_arguments(one)
    thought = "" if THOUGHT in own else given.pop(THOUGHT, "")
    env = _device_of(one, given, own, envs)
    try:
        intent = read_intent(Meaning(env, one.verb), given, envs, places, (ids or {}).get(env))
    except MalformedReply as error:
        kind = one.verb.name if isinstance(one.verb, CustomVerb) else one.verb
        raise MalformedReply(_in_words_of_the_tool(str(error), kind, name), unknown=error.unknown) from None
    return ParsedCall(Move(env, intent), thought.strip() if isinstance(thought, str) else "")


def possible_names(said: str) -> list[str]:
    """What a model may have called a tool, the name itself first: servers leave parts of their own format around it.

    Harmony's channels ("open_app<|channel|>json"), namespaces ("functions.open_app", "default_api:open_app") and the
    numbers of calls (":0").
    """
    plain = re.sub(r":\d+$", "", said.partition("<|")[0].strip())
    return list(dict.fromkeys((said, plain, re.sub(r"^(?:functions|default_api|tools)[.:]", "", plain))))


def calls_in_text(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A reply's text without the calls that its server left in it, and these calls: names with JSON arguments.

    A server that does not parse calls, or does not know how its model writes them, passes `<tool_call>` blocks on as
    text. They count where one begins a line and the text ends with one; a call that is spoken of is none.

    Raises:
        MalformedReply: a block cannot be read; the message is for the model.
    """
    begins = _WRITTEN.search(text)
    if begins is None or not text.rstrip().endswith(("</tool_call>", "}", "]")):
        return text, ()
    calls, _ = tool_calls(text[begins.start() :])
    return text[: begins.start()].strip(), tuple((call.name, json.dumps(dict(call.named))) for call in calls)


def written_calls(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """What stands before the calls that a model wrote into its text, and these: `{"name": …, "arguments": {…}}`.

    Each may stand in a code block of its own. Other objects are none.

    Raises:
        MalformedReply: there is no JSON object, or the last one is broken; the message is for the model.
    """
    calls = [
        (one["name"], json.dumps(one.get("arguments") or {}))
        for one in objects_in(text)
        if isinstance(one, Mapping) and isinstance(one.get("name"), str)
    ]
    before = re.split(r"```|^[ \t]{0,8}\{", text, maxsplit=1, flags=re.MULTILINE)[0]
    return before.strip(), tuple(calls)


_WRITTEN = re.compile(r"^[ \t]{0,8}<tool_call>", re.MULTILINE)


def is_plain(name: str) -> bool:
    """Whether a name is one that APIs accept for a tool."""
    return re.fullmatch(r"[A-Za-z0-9_-]+", name) is not None


def _of_other_naming(name: str, envs: Mapping[str, Verbs], naming: Naming, controls: Collection[str]) -> Offered | None:
    other: Naming = "per-device" if naming == "shared" else "shared"
    try:
        return offered_tools(envs, other, controls).get(name)
    except ConfigError:
        # Names that are clear in the naming that was chosen need not be so in the other one.
        return None


def _device_of(one: Offered, given: dict[str, Any], own: Collection[str], envs: Mapping[str, Verbs]) -> str:
    """The device that a call is for; the argument that names it is taken out.

    Raises:
        MalformedReply: it is missing, unknown, or cannot do that.
    """
    said = None if DEVICE in own else given.pop(DEVICE, None)
    if not one.envs:
        return ""
    if said is None:
        if len(one.envs) == 1:
            return one.envs[0]
        raise MalformedReply(f"{one.name}: 'device' is missing; write one of {', '.join(one.envs)}")
    if not isinstance(said, str) or said not in envs:
        named = said if isinstance(said, str) else ""
        raise MalformedReply(f"{one.name}: there is no device {short(said)}; {nearest(named, one.envs)}")
    if said not in one.envs:
        raise MalformedReply(f"{one.name} is for {' or '.join(one.envs)} only, not for {said}")
    return said


def read_note(arguments: str | Mapping[str, Any]) -> str:
    """The note that a call of `remember` asks for.

    Raises:
        MalformedReply: wrong arguments; the message is for the model.
    """
    given = call_arguments(REMEMBER.name, arguments)
    name, value = given.get("name"), given.get("value")
    value = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if not isinstance(name, str) or not (slug := anchor_name(name)):
        raise MalformedReply(f"remember: 'name' is text with letters or digits, not {short(name)}")
    if not isinstance(value, str) or not value.strip():
        raise MalformedReply(f"remember: 'value' is the text to keep, not {short(value)}")
    return naming_note(slug, undouble_braces(value.strip()))


def read_intent(
    meaning: Meaning,
    given: Mapping[str, Any],
    envs: Mapping[str, Verbs],
    places: Places,
    ids: Ids | None = None,
) -> Intent:
    """The intent of a verb with arguments; the place of a verb with a single one may be called `target` or `at`.

    Raises:
        MalformedReply: the arguments are wrong.
    """
    from omnipilot.envs.schema import from_call

    verb = meaning.verb
    kind = verb.name if isinstance(verb, CustomVerb) else verb
    custom = envs[meaning.env].custom if meaning.env else {}
    try:
        if isinstance(verb, CustomVerb):
            return from_call(kind, dict(given), custom, places)
        return from_call(kind, _without_targets(kind, given, ids or Ids(), places), None, places)
    except MalformedAction as error:
        raise MalformedReply(str(error)) from None


def _without_targets(kind: str, given: Mapping[str, Any], ids: Ids, places: Places) -> dict[str, Any]:
    """The arguments in the vocabulary's form: ids as ids, the place as `at`, and no nulls."""
    spots = place_fields(VERBS[kind])
    out = {}
    for said, value in given.items():
        if value is None:
            continue
        name = "at" if said == TARGET and "at" in spots and given.get("at") is None else said
        if name in spots:
            several = isinstance(value, list) and name == "path"
            value = [_place(item, ids, said, places) for item in value] if several else _place(value, ids, said, places)
        out[name] = value
    return out


def _place(value: Any, ids: Ids, name: str, places: Places) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and ids.numbered:
        return {"id": str(value)}
    if isinstance(value, str) and places != "grounded":
        meant = ids.place(value)
        return {"id": meant.id} if isinstance(meant, Ref) else meant
    if places == "described" and not (isinstance(value, Mapping) and "id" in value):
        raise MalformedAction(f"{name} is text that says what is there, or # and an id, not {short(value)}")
    id = value.get("id") if isinstance(value, Mapping) else None
    if isinstance(id, str) and id.startswith("#") and id not in ids.known and isinstance(ids.place(id), Ref):
        # Element lists show ids after a #.
        return {**value, "id": id.removeprefix("#")}
    return value


def _no_such_tool(name: str, known: Mapping[str, Offered], envs: Mapping[str, Verbs]) -> str:
    """Explain an unknown tool name, looking at the last `_in_` that an environment follows."""
    for env in sorted(envs, key=len, reverse=True):
        verb = name.removesuffix(tool_name("", env))
        if verb != name:
            able = [other for other, one in known.items() if env in one.envs]
            if verb in known and not known[verb].envs:
                return f"there is no tool {short(name)}; {verb} is for all devices at once, call it {verb!r}"
            return f"there is no tool {short(name)}: {env} cannot do {short(verb)}; {nearest(name, able)}"
    return f"there is no tool {short(name)}; {nearest(name, known)}"


def _in_words_of_the_tool(message: str, kind: str, name: str) -> str:
    """The codec's message about a verb, using the tool's names."""
    message = re.sub(rf"\b{re.escape(kind)}\.at\b", f"{kind}.{TARGET}", message)
    message = _ADVICE.sub(lambda advice: re.sub(r"\bat\b", TARGET, advice[0]), message)
    return message if name == kind else f"{name}: {message}"


_ADVICE = re.compile(r"did you mean [^?]*\?|use one of [^;]*")
