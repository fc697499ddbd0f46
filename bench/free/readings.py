"""What checks read of a device, when the last move has been made: by the harness, never by the agent."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from omnipilot.bench.free.checks import Check, CheckKind
from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.layout import find_by_path
from omnipilot.bench.tasks.judges import Case, Verdict
from omnipilot.envs import Capability, ConfigError, Elements, Modality, Thinking, World
from omnipilot.envs.composite import CompositeWorld, open_world
from omnipilot.envs.composite.kinds import load
from omnipilot.envs.web import BrowserEnv, BrowserWorld, PageSilent

T = TypeVar("T")
STATUS = "omnipilot: exit status "
ONLY_PAGES: tuple[CheckKind, ...] = ("url", "storage", "js")
"""Kinds of checks that only a page in a browser can answer."""


_NEEDS: Mapping[CheckKind, tuple[frozenset[Capability], str]] = {
    "shell": (frozenset({Capability.SHELL}), "have no shell"),
    "file": (frozenset({Capability.FILES, Capability.SHELL}), "read no files"),
}
"""What a device or its world has to be able to do for a check, any of these; and what judges lack without it."""


class NoAnswer(Exception):
    """A device that could answer does not now, such as a page below a dialog: a check does not hold then, negated or
    not."""


def refuse_unanswerable(check: Check, kind: str) -> None:
    """Refuse a check that no device of a kind can answer, before any is started.

    Args:
        kind: of the device, as its world file says.

    Raises:
        ConfigError: it cannot; the message says what can.
    """
    is_page = _makes_pages(kind)
    # A device elsewhere may be a browser; what it tells of its page is the address.
    if check.kind in ONLY_PAGES and not is_page and (kind, check.kind) != ("remote", "url"):
        raise ConfigError(
            f"check {check.written!r}: a device of kind {kind!r} has no {check.kind}, which only a page of kind "
            "'browser' has; check its text, element, file or shell"
        )
    if check.kind == "shell" and is_page:
        raise ConfigError(f"check {check.written!r}: a browser has no shell; check its url, text, storage or js")
    if check.kind == "file" and is_page and not check.subject.startswith("downloads/"):
        raise ConfigError(
            f"check {check.written!r}: the files of a browser are those that it has downloaded: file downloads/NAME"
        )
    if kind == "pyautogui":
        raise ConfigError(
            f"check {check.written!r}: a device of kind {kind!r} gives pictures alone; on Linux, take kind 'desktop'"
        )


def open_for_checks(devices: Mapping[str, Any], thinking: Thinking, checks: Iterable[Check]) -> World:
    """The devices of a world's table, started, once it is sure that they give judges what these checks read.

    Raises:
        ConfigError: one cannot be started, or gives judges no files or no shell; the message says what can be checked.
    """
    world = open_world(devices, thinking)
    try:
        for one in checks:
            _refuse_unable(one, world)
    except BaseException:
        world.close()
        raise
    return world


def _refuse_unable(check: Check, world: World) -> None:
    wanted, lacks = _NEEDS.get(check.kind, (frozenset(), ""))
    able = _capabilities(world, _env_of(check, world))
    if wanted and not able & wanted:
        others = "text, element or file" if Capability.FILES in able else "text or element"
        raise ConfigError(
            f"check {check.written!r}: judges {lacks} on the device {check.device!r}; check its {others}. A device "
            "elsewhere gives judges more with `omnipilot env serve --allow-judges`"
        )


def _capabilities(world: World, name: str) -> frozenset[Capability]:
    found = frozenset(world.envs[name].capabilities)
    if isinstance(world, CompositeWorld):
        inner: frozenset[Capability] = world.ask(world.device_of(name), lambda one: frozenset(one.capabilities))
        return found | inner
    return found | world.capabilities


def _makes_pages(kind: str) -> bool:
    made = load(kind)
    return isinstance(made, type) and issubclass(made, BrowserWorld)


def judge_check(check: Check, case: Case) -> Verdict:
    """Whether a check holds now, and what was found.

    Raises:
        ConfigError: its device cannot answer it; the message says why. EnvLost: the device is gone.
    """
    try:
        holds, found = _READERS[check.kind](check, DeviceEvidence(case, _env_of(check, case.world)))
    except NoAnswer as error:
        return Verdict(0.0, f"{check.kind}: {error}"[:300])
    return Verdict(float(holds != check.negated), f"{check.kind}: {found}"[:300])


def _env_of(check: Check, world: World) -> str:
    """The environment of a check's device.

    Raises:
        ConfigError: the device has several, or none of that name.
    """
    if check.device in world.envs:
        return check.device
    raise ConfigError(
        f"check {check.written!r}: there is no screen {check.device!r}; begin it with one of "
        f"{', '.join(f'{name}:' for name in world.envs)}"
    )


def _url(check: Check, evidence: DeviceEvidence) -> tuple[bool, str]:
    address = evidence.context().url
    if not address and not _on_page(evidence):
        raise NoAnswer("the device tells no address of a page")
    return check.compare(address or ""), repr(address or "")


def _text(check: Check, evidence: DeviceEvidence) -> tuple[bool, str]:
    """The text of a page, or the names of the elements on a screen; what somebody typed into a field is none of it."""
    texts = [one.name for one in _elements(check, evidence) if one.name and "offscreen" not in one.states]
    if _on_page(evidence):
        texts.insert(0, str(_ask_page(evidence, "() => document.body ? document.body.innerText : ''")))
    else:
        texts.insert(0, " ".join(texts))
    hit = next((text for text in texts if check.compare(text)), None)
    if hit is not None:
        return True, repr(hit[:200])
    return False, f"{len(texts[0])} letters, such as {texts[0][:120]!r}"


def _element(check: Check, evidence: DeviceEvidence) -> tuple[bool, str]:
    found = find_by_path(_elements(check, evidence), check.subject)
    told = ", ".join(f"{one.role} {one.name!r}{f' = {one.value!r}' * bool(one.value)}" for one in found[:5])
    if check.operator == "exists":
        return bool(found), told or "none"
    # What stands in a field says more than its name; a name is what other elements show.
    shown = [one.value if one.value or one.role in ("textbox", "searchbox") else one.name for one in found]
    return any(check.compare(text) for text in shown), told or "none"


def _elements(check: Check, evidence: DeviceEvidence) -> Elements:
    env = evidence.device
    if Capability.UI_TREE in env.capabilities:
        return env.ui_tree()
    seen = env.observe({Modality.ELEMENTS}, evidence.case.world.now).elements
    if not isinstance(seen, Elements):
        raise ConfigError(
            f"check {check.written!r}: the device {env.name!r} tells no elements ({seen.reason}); check a file or, in "
            "a world file, a shell command"
        )
    return seen


def _storage(check: Check, evidence: DeviceEvidence) -> tuple[bool, str]:
    store, _, name = check.subject.partition(" ")
    if store == "cookie":
        kept: Mapping[str, Any] = _in_world(evidence, lambda browser: browser.cookies())
    else:
        kept = _ask_page(evidence, "store => ({...window[store]})", f"{store}Storage")
    value = kept.get(name)
    if check.operator == "exists":
        return value is not None, repr(value)
    return value is not None and check.compare(str(value)), repr(value)


def _script(check: Check, evidence: DeviceEvidence) -> tuple[bool, str]:
    # A line break, so that a comment at its end does not swallow the bracket.
    holds = _ask_page(evidence, f"async () => Boolean(await ({check.subject}\n))")
    return bool(holds), str(holds).lower()


def _file(check: Check, evidence: DeviceEvidence) -> tuple[bool, str]:
    content = evidence.read_file(check.subject)
    if content is None:
        return False, "there is none"
    if check.operator == "exists":
        return True, f"{len(content)} bytes"
    text = content.decode("utf-8", "replace")
    text = text.removesuffix("\n") if check.operator == "is" else text
    return check.compare(text), repr(text[:200])


def _command(check: Check, evidence: DeviceEvidence) -> tuple[bool, str]:
    # A shell of its own, so that `exit` ends that alone; the shells of phones know no brackets.
    said = evidence.shell(f"sh -c {shlex.quote(check.subject)} 2>&1; status=$?; echo; echo '{STATUS}'$status")
    output, told, status = said.rpartition(STATUS)
    if not told:
        raise ConfigError(
            f"check {check.written!r}: the shell of {check.device!r} does not understand it: {said[:200]}"
        )
    output = output.removesuffix("\n").removesuffix("\n")
    found = f"exit status {status.strip()}, {output[:200]!r}"
    return (status.strip() == "0" if check.operator == "holds" else check.compare(output)), found


_READERS: Mapping[CheckKind, Callable[[Check, DeviceEvidence], tuple[bool, str]]] = {
    "url": _url,
    "text": _text,
    "element": _element,
    "storage": _storage,
    "js": _script,
    "file": _file,
    "shell": _command,
}


def _on_page(evidence: DeviceEvidence) -> bool:
    world, env = evidence.case.world, evidence.device
    return isinstance(world, CompositeWorld) and world.ask(
        world.device_of(env.name), lambda inner: isinstance(inner, BrowserWorld)
    )


def _ask_page(evidence: DeviceEvidence, function: str, argument: object = None) -> Any:
    return _in_world(evidence, lambda browser: browser.query_page(function, argument))


def _in_world(evidence: DeviceEvidence, function: Callable[[BrowserEnv], T]) -> T:
    """Ask the browser of a check's device, on its thread."""
    world, name = evidence.case.world, evidence.device.name
    assert isinstance(world, CompositeWorld)
    try:
        return world.ask(world.device_of(name), lambda inner: function(inner.browser))
    except PageSilent as error:
        raise NoAnswer(str(error)) from error
