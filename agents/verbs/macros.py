"""Macro-actions as a verb set: offered as verbs of the devices, and carried out step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from omnipilot.agents.verbs.base import Look, Program, Refusal, VerbSet, device_of, program_of
from omnipilot.agents.wrappers.checks.verify import ExpectationCase, verify
from omnipilot.envs import ActionRejected, Custom, Elements
from omnipilot.envs.types import CONTROL_VERBS, describe, matches
from omnipilot.memory import Macro, Move
from omnipilot.memory.macros import digest_of, read_macros
from omnipilot.planners import Brief, Verbs


class MacroVerbs(VerbSet):
    """Offers macro-actions of a TOML file, and carries each out as a program of its verbs.

    A macro is refused where the elements of its page are not on the screen, as far as the planner may see them. Its
    program ends at the first step that fails; after the last one, what it should have brought about is checked on what
    the planner may see, and what did not come about is told as a refusal.

    Args:
        macros: the file; see docs/agents.md.

    Raises:
        ConfigError: it has no macros, or one is wrong.
    """

    main_option = "macros"

    def __init__(self, macros: str) -> None:
        self._macros = {one.name: one for one in read_macros(Path(macros))}
        self._devices: Mapping[str, Verbs] = {}

    def identity(self) -> dict[str, str]:
        """A hash of what the macros do; where their file lies does not matter."""
        return {"macros": digest_of(tuple(self._macros.values()))}

    def begin(self, brief: Brief) -> None:
        """Start an episode: which devices there are."""
        self._devices = brief.envs

    def offer(self, envs: Mapping[str, Verbs]) -> Mapping[str, Verbs]:
        """The devices with the macros that they can carry out."""
        return {name: self._with_macros(name, verbs) for name, verbs in envs.items()}

    def expand(self, move: Move, look: Look) -> Program | None:
        """The steps of a macro; None for any other move."""
        intent = move.intent
        if not isinstance(intent, Custom) or intent.name not in self._macros:
            return None
        macro = self._macros[intent.name]
        try:
            macro.verb().bind(intent.arguments)
        except ActionRejected as error:
            return program_of(Refusal(str(error)))
        return _steps(
            macro, device_of(move, self._devices), {name: str(value) for name, value in intent.arguments.items()}, look
        )

    def _with_macros(self, name: str, verbs: Verbs) -> Verbs:
        own = {one.name: one.verb() for one in self._macros.values() if _fits(one, name, verbs)}
        if not own:
            return verbs
        return replace(verbs, kinds=verbs.kinds | {"custom"}, custom={**verbs.custom, **own})


def _fits(macro: Macro, name: str, verbs: Verbs) -> bool:
    kinds = {str(step["kind"]) for step in macro.steps} - CONTROL_VERBS
    return macro.device in ("", name, verbs.platform) and kinds <= verbs.kinds


def _steps(macro: Macro, env: str, arguments: Mapping[str, str], look: Look) -> Program:
    wanted = macro.page_elements(arguments)
    before = look(env) if wanted or macro.expect else None
    shown = before.elements if before is not None else None
    missing = [one for one in wanted if isinstance(shown, Elements) and not _is_there(one, shown)]
    if missing:
        yield Refusal(f"{macro.name} is for a page with {', '.join(missing)}, which is not in front")
        return
    for intent in macro.fill(arguments):
        yield Move(env, intent)
    if macro.expect:
        after = look(env)
        for one in macro.expectations(arguments):
            finding = verify(ExpectationCase(one, -1, before), after)
            if finding.status == "violated":
                yield Refusal(f"{macro.name} was carried out, but not: {one} ({finding.found})")
                return


def _is_there(wanted: str, elements: Elements) -> bool:
    if wanted.startswith("#"):
        return elements.by_id(wanted[1:]) is not None
    return bool(matches(describe(wanted), tuple(elements)))
