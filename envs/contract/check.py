"""A conformance check for environments and worlds (`omnipilot.envs.base`), to be called from any test."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, get_args

from omnipilot.envs.base import Capability, Env, Heard, Platform, World
from omnipilot.envs.contract.actions import SAMPLES
from omnipilot.envs.contract.breaches import Breaches, describe_error
from omnipilot.envs.contract.breaches import ContractBroken as ContractBroken
from omnipilot.envs.contract.looks import KINDS, STILL, by_value, differing
from omnipilot.envs.types.actions import CONTROL_VERBS, VERBS, Action, Custom
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.media import SAMPLE_RATE, AudioClip, Image, VideoClip
from omnipilot.envs.types.observation import ALL_MODALITIES, Absent, Elements, Modality, Observation

WAIT = 0.25
"""Seconds to wait in a world, to check that its clock and clips advance."""
LIVE_SLACK = 0.5
"""Seconds by which a live world may be late at both ends of a clip."""
_SLACK = 2 / SAMPLE_RATE
METHODS = {
    Capability.STATE: "state",
    Capability.SNAPSHOTS: "snapshot",
    Capability.FORKS: "fork",
    Capability.ENDS: "ended",
    Capability.HEARS: "hear",
    Capability.RECORDED: "take",
    Capability.TOGETHER: "observe_together",
    Capability.UI_TREE: "ui_tree",
    Capability.TRANSCRIPT: "transcript",
    Capability.WRITTEN_TEXTS: "written_texts",
    Capability.FILES: "read_file",
    Capability.SHELL: "shell",
}
"""The method that works in whatever has a capability."""


def check_env(
    make: Callable[[], Env] | Callable[[], World],
    *,
    start: Callable[[Any], object] | None = None,
    actions: Sequence[Action] | None = None,
    repeatable: bool = True,
    live: bool = False,
) -> None:
    """Check an environment, or a world with all of its environments, against the contract.

    Checked: its declarations (name, platform, size, verbs, custom verbs); an observation has exactly the requested
    modalities, absent ones with a reason, the screenshot in the declared size, elements on the screen with unique ids,
    and clips from `since` to now; observations between actions are equal and change nothing; undeclared verbs are
    rejected with a message and change nothing, and declared ones are executed or rejected, and raise nothing else;
    `close` may be called twice. For worlds also: waiting moves the clock, a second start gives the same observations,
    and what it declares in `capabilities` works (see `Capability`).

    Optional, and so not asked for here: every capability, what an environment tells a planner of itself (`description`,
    `applications`, `installed`), and what a class of worlds tells of its options and of this machine
    (`option_mistakes`, `conditions`). Each has a body in `Env` or `World`.

    In a plug-in's test:

        def test_my_world_keeps_the_contract():
            check_env(MyWorld)

    Args:
        make: creates a new environment or world; it is closed at the end.
        start: starts a world, such as a task's `setup`; default: `reset(0)`.
        actions: actions to try instead of the built-in ones, which are only safe where nothing real can be harmed;
            those of undeclared verbs must be rejected.
        repeatable: whether a second start of the world gives the same observations.
        live: whether it runs on wall time: observations are then compared without times and clips, and the screens
            must not change by themselves.

    Raises:
        ContractBroken: lists every breach and its fix.
    """
    made: Any = make()
    found = Breaches(type(made).__name__)
    if hasattr(made, "envs"):
        found.require_base(made, World)
        _World(found, made, start or (lambda world: world.reset(0)), actions, repeatable, live).check()
    elif found.check(
        hasattr(made, "observe") and hasattr(made, "act"),
        f"make() returned a {type(made).__name__}: it must return an Env (observe, act) or a World (envs)",
    ):
        found.require_base(made, Env)
        _Env(found, made, None, actions, live).check()
        _close_twice(found, made, "close()")
    found.settle()


def _has(found: Breaches, made: Env | World, *attributes: str) -> bool:
    """Check that the attributes are there which every environment, or every world, has."""
    missing = [name for name in attributes if not hasattr(made, name)]
    return found.check(not missing, f"{type(made).__name__} has no {', '.join(missing)}: give it these attributes")


def _known(found: Breaches, made: Env | World, name: str) -> None:
    """Check that only what there is is declared, and that each has a method of its own."""
    strange = [one for one in made.capabilities if not isinstance(one, Capability)]
    found.check(not strange, f"{name}: its capabilities {strange} are none: take them from omnipilot.envs.Capability")
    for capability, method in METHODS.items():
        base = Env if hasattr(Env, method) else World
        own = hasattr(type(made), method) and getattr(type(made), method) is not getattr(base, method)
        found.check(
            own or capability not in made.capabilities,
            f"{name}: it has the capability {capability.value!r}, but no {method}() of its own: write it, or leave the "
            "capability out",
        )
        found.check(
            not own or capability in made.capabilities or not _static(made),
            f"{name}: it has a method {method}(), but not the capability {capability.value!r}, so nobody calls it: add "
            "it to `capabilities`",
        )


def _static(made: Env | World) -> bool:
    """Whether an object has the capabilities of its class, so that a method without one is a mistake."""
    return made.capabilities is type(made).capabilities


def _close_twice(found: Breaches, made: Env | World, name: str) -> None:
    found.carry_out(name, made.close, "it must release everything and raise nothing")
    found.carry_out(f"a second {name}", made.close, "closing twice must do nothing")


class _World:
    """The check of one world."""

    def __init__(
        self,
        found: Breaches,
        world: World,
        start: Callable[[Any], object],
        actions: Sequence[Action] | None,
        repeatable: bool,
        live: bool,
    ) -> None:
        self.found = found
        self.world = world
        self.start = start
        self.actions = actions
        self.repeatable = repeatable
        self.live = live

    def check(self) -> None:
        """Run all checks."""
        try:
            self.start(self.world)
        except Exception as error:
            self.found.note(f"the start raised {describe_error(error)}: reset() must work for every integer from 0")
            return
        if self._declares():
            self._capabilities()
            began, first = self.world.now, self._looks()
            self._time()
            stand = self.world.snapshot() if Capability.SNAPSHOTS in self.world.capabilities else None
            at, before = self.world.now, self._looks()
            for name, env in dict(self.world.envs).items():
                self.found.check(
                    env.name == name, f"envs[{name!r}] is named {env.name!r}: the key must be the environment's name"
                )
                _Env(self.found, env, self.world, self.actions, self.live).check()
            if Capability.SNAPSHOTS in self.world.capabilities:
                self.world.restore(stand)
                self._same("restore()", at, before, "it must restore everything that observations and the clock show")
            if Capability.FORKS in self.world.capabilities:
                self._fork()
            self.start(self.world)
            if self.repeatable:
                self._same("a second reset() to the same instance", began, first, "equal instances need equal worlds")
        _close_twice(self.found, self.world, "close()")

    def _declares(self) -> bool:
        if not _has(self.found, self.world, "envs", "now"):
            return False
        envs, now = self.world.envs, self.world.now
        return self.found.check(
            isinstance(envs, Mapping) and envs,
            "after its start the world has no environments: `envs` must map names to at least one",
        ) and self.found.check(
            isinstance(now, int | float) and math.isfinite(now) and now >= 0,
            f"after its start `now` is {now!r}: it must be the finite number of seconds since the last reset",
        )

    def _capabilities(self) -> None:
        why = self.world.ended()
        self.found.check(why == "", f'ended() returned {why!r} at the start: return "" while the episode goes on')
        _known(self.found, self.world, "the world")
        for env in self.world.envs.values():
            _known(self.found, env, env.name)
            if Capability.UI_TREE in env.capabilities:
                tree = self.found.attempt(f"{env.name}: ui_tree()", env.ui_tree, "judges use it to read all elements")
                self.found.check(
                    tree is None or isinstance(tree, Elements), f"{env.name}: ui_tree() must return Elements"
                )
            if Capability.WRITTEN_TEXTS in env.capabilities:
                texts = self.found.attempt(
                    f"{env.name}: written_texts()", env.written_texts, "return what is written on the screen"
                )
                self.found.check(
                    texts is None or (isinstance(texts, Elements) and all(one.role == "text" for one in texts)),
                    f"{env.name}: written_texts() must return Elements of role text",
                )
            if Capability.TRANSCRIPT in env.capabilities:
                self._heard(env.name, env)

    def _heard(self, name: str, env: Env) -> None:
        now = self.world.now
        heard = self.found.attempt(
            f"{name}: transcript()", partial(env.transcript, 0.0, now), "return what was heard, in words"
        )
        if heard is None:
            return
        told = isinstance(heard, tuple) and all(isinstance(one, Heard) for one in heard)
        if self.found.check(told, f"{name}: transcript() must return a tuple of Heard"):
            self.found.check(
                all(one.end <= now + _SLACK for one in heard),
                f"{name}: transcript() tells what is heard only later",
            )
            starts = [one.start for one in heard]
            self.found.check(starts == sorted(starts), f"{name}: transcript() must be in order of the starts")
        again = self.found.attempt(
            f"{name}: transcript() of no time", partial(env.transcript, now, now), "an interval may be empty"
        )
        self.found.check(not again, f"{name}: transcript({now}, {now}) must be empty: nothing is heard in no time")

    def _looks(self) -> dict[str, Observation]:
        """An observation of each environment, without clips; failed ones are left out."""
        looks = {}
        for name, env in self.world.envs.items():
            look = self.found.attempt(
                f"{name}: observe()",
                partial(env.observe, STILL, self.world.now),
                "return an Observation; see `Absent`",
            )
            if isinstance(look, Observation):
                looks[name] = look
        return looks

    def _same(self, what: str, now: float, before: Mapping[str, Observation], cure: str) -> None:
        for name, look in self._looks().items():
            if name in before and (other := differing(before[name], look, self.live)):
                self.found.note(f"{what} changed the {' and '.join(other)} of {name}: {cure}")
        if not self.live:
            self.found.check(math.isclose(self.world.now, now, abs_tol=1e-6), f"after {what} the clock differs: {cure}")

    def _fork(self) -> None:
        at, before = self.world.now, self._looks()
        other = self.found.attempt("fork()", self.world.fork, "return another world in the same state")
        if not isinstance(other, World) or other is self.world:
            self.found.note(f"fork() returned {type(other).__name__}, not another world: return one in the same state")
            return
        begun = other.now
        self.found.check(begun == at, f"the clock of a fork() is at {begun:g} s, and the world's at {at:g} s")
        other.wait(WAIT)
        self._same("what was done in a fork()", at, before, "a world and its fork must share nothing that changes")
        other.close()
        self._same("close() of a fork()", at, before, "a fork must hold what it closes by itself")

    def _time(self) -> None:
        before = self.world.now
        self.found.carry_out("think(0.0)", lambda: self.world.think(0.0), "decisions that take no time must work")
        self.found.carry_out(f"wait({WAIT})", lambda: self.world.wait(WAIT), "it must let time pass and raise nothing")
        passed = self.world.now - before
        if Capability.RECORDED in self.world.capabilities:
            self.found.check(passed >= 0, f"waiting moved the clock back by {-passed:g} s: it must never run backwards")
        else:
            near = passed >= WAIT * 0.9 if self.live else math.isclose(passed, WAIT, abs_tol=1e-3)
            self.found.check(near, f"wait({WAIT}) moved the clock by {passed:g} s: it must move by the requested time")


class _Env:
    """The check of one environment."""

    def __init__(
        self, found: Breaches, env: Env, world: World | None, actions: Sequence[Action] | None, live: bool
    ) -> None:
        self.found = found
        self.env = env
        self.world = world
        self.actions = actions
        self.live = live
        self.recorded = world is not None and Capability.RECORDED in world.capabilities
        self.name = ""

    def check(self) -> None:
        """Run all checks."""
        if self._declares():
            self._looks()
            self._acts()

    def _says(self, holds: object, sentence: str) -> bool:
        return self.found.check(holds, f"{self.name}: {sentence}")

    def _declares(self) -> bool:
        env = self.env
        if not _has(self.found, env, "name", "platform", "size", "verbs", "custom"):
            return False
        self.name = str(env.name)
        fine = self._says(isinstance(env.name, str) and env.name, f"its name is {env.name!r}: it must be a word")
        known = get_args(Platform)
        self._says(env.platform in known, f"its platform is {env.platform!r}: it must be one of {', '.join(known)}")
        self._says(isinstance(env.size, Size), f"its size is {env.size!r}: it must be a Size in pixels")
        verbs = env.verbs
        if not self._says(
            isinstance(verbs, Collection) and all(isinstance(kind, str) for kind in verbs),
            f"its verbs are {verbs!r}: they must be a frozenset of kinds such as 'click'",
        ):
            return False
        if control := sorted(CONTROL_VERBS & set(verbs)):
            self._says(False, f"it declares {', '.join(control)}: leave these out, the loop executes them")
        if strangers := sorted(set(verbs) - set(VERBS)):
            self._says(False, f"it declares the unknown verbs {', '.join(strangers)}: add your own through `custom`")
        self._says(
            bool(env.custom) == ("custom" in verbs), "'custom' must be in its verbs if and only if `custom` has any"
        )
        for name, verb in env.custom.items():
            self._says(
                isinstance(verb, CustomVerb) and verb.name == name,
                f"custom[{name!r}] is not a CustomVerb of that name: create it with custom_verb(function)",
            )
        return fine

    def _state(self) -> Any:
        if self.world is None or Capability.STATE not in self.world.capabilities:
            return None
        return self.world.state()

    def _now(self) -> float | None:
        return None if self.world is None else self.world.now

    def _look(self, asked: Collection[Modality], since: float) -> Observation | None:
        look = self.found.attempt(
            f"{self.name}: observe()",
            lambda: self.env.observe(asked, since),
            "use Absent with a reason for a missing modality, and EnvLost only if the device is gone",
        )
        if look is None or self._says(isinstance(look, Observation), "observe() must return an Observation"):
            return look
        return None

    def _looks(self) -> None:
        first = self._look(STILL, 0.0)
        if first is None:
            return
        since = first.time
        if self.world is not None and not self.recorded:
            since = max(0.0, first.time - WAIT)
        state = self._state()
        comparable = by_value(state)
        at = self._now()
        whole = self._look(ALL_MODALITIES, since)
        again = self._look(ALL_MODALITIES, since)
        if whole is None or again is None:
            return
        if other := differing(whole, again, self.live):
            self._says(
                False,
                f"observe() returned another {' and '.join(other)} when called twice: between actions it must return "
                "the same",
            )
        self._well_formed(whole, ALL_MODALITIES, since)
        later = (since + whole.time) / 2
        for asked in (*(frozenset({modality}) for modality in Modality), frozenset[Modality]()):
            look = self._look(asked, later if asked & {Modality.AUDIO, Modality.VIDEO} else since)
            if look is not None:
                self._well_formed(look, asked, later if asked & {Modality.AUDIO, Modality.VIDEO} else since)
                for modality in asked & STILL:
                    self._says(
                        self.live or getattr(look, modality) == getattr(whole, modality),
                        f"the {modality} differs when requested alone: it must not depend on other modalities",
                    )
        self._says(self.live or self._now() == at, "observe() moved the clock: only waiting and acting may take time")
        if comparable:
            self._says(state == self._state(), "observe() changed the world's state: it must not")

    def _well_formed(self, look: Observation, asked: Collection[Modality], since: float) -> None:
        self._says(look.env == self.name, f"an observation has env {look.env!r}: it must be the environment's name")
        now = self._now()
        self._says(
            now is None or self.live or math.isclose(look.time, now, abs_tol=1e-6),
            f"an observation has time {look.time:g}, but the world's clock says {now}: they must be equal",
        )
        self._says(
            self.recorded or look.size == self.env.size,
            f"an observation has size {look.size}, but the environment {self.env.size}: they must be equal",
        )
        for modality in Modality:
            value: Any = getattr(look, modality.value)
            if modality not in asked:
                self._says(
                    isinstance(value, Absent),
                    f"observe() returned the {modality} unasked: return Absent('unasked'), it may be withheld",
                )
                self._says(
                    not isinstance(value, Absent) or value.reason in ("unasked", "unsupported"),
                    f"an unasked {modality} is absent as {getattr(value, 'reason', '')!r}: use 'unasked'",
                )
            elif isinstance(value, Absent):
                self._says(
                    value.reason in ("unsupported", "failed"),
                    f"the {modality} was requested and is absent as {value.reason!r}: use 'unsupported', or 'failed' "
                    "with a detail",
                )
                self._says(value.reason != "failed" or value.detail, f"the {modality} failed: say why in `detail`")
            elif self._says(
                isinstance(value, KINDS[modality]),
                f"the {modality} is a {type(value).__name__}: it must be {KINDS[modality].__name__} or Absent",
            ):
                self._captured(look, modality, value, since)

    def _captured(self, look: Observation, modality: Modality, value: Any, since: float) -> None:
        if isinstance(value, Image):
            self._says(
                value.size == look.size,
                f"the screenshot is {value.size}, but the screen {look.size}: scale it, or declare its size",
            )
            self.found.attempt(f"{self.name}: the screenshot's pixels", lambda: value.rgb, "return a whole file")
        elif isinstance(value, Elements):
            self._elements(value)
        elif isinstance(value, AudioClip | VideoClip):
            slack = LIVE_SLACK if self.live else _SLACK
            # Clips of a recording are already cut.
            begins = self.recorded or abs(value.start - min(since, look.time)) <= slack
            self._says(
                begins and abs(value.end - look.time) <= slack,
                f"the {modality} covers {value.start:g} to {value.end:g} s, but {since:g} to {look.time:g} s were "
                "requested: cut it to `since` and now (audio is mono, 16 bit, 16,000 samples per second)",
            )

    def _elements(self, elements: Elements) -> None:
        boxes = [element.box for element in elements]
        inside = all(
            isinstance(box, Box) and 0 <= box.left <= box.right <= 1 and 0 <= box.top <= box.bottom <= 1
            for box in boxes
        )
        self._says(inside, "elements are outside the screen: clip their boxes to 0..1")
        ids = [element.id for element in elements if element.id is not None]
        if twice := sorted({str(id) for id in ids if ids.count(id) > 1}):
            self._says(False, f"several elements have the id {', '.join(twice[:3])}: an id must be unique, or None")
        self._says(
            all(isinstance(element.role, str) and element.role for element in elements),
            "an element has no role: give the ARIA role, or 'text' or 'image'",
        )
        self._says(not elements.truncated or elements.detail, "the elements are truncated: say why in `detail`")

    def _acts(self) -> None:
        declared = set(self.env.verbs)
        if self.actions is not None:
            tried = list(self.actions)
        else:
            tried = [action for samples in SAMPLES.values() for action in samples]
        for name in self.env.custom if self.actions is None else ():
            tried += [Custom(name), Custom(name, {"no_such_argument": 1})]
        for action in tried:
            unknown = isinstance(action, Custom) and (
                action.name not in self.env.custom or "no_such_argument" in action.arguments
            )
            self._act(action, action.kind in declared and not unknown)

    def _act(self, action: Action, declared: bool) -> None:
        shown = f"act({action!r:.80})"
        at, before = self._now(), self._look(STILL, 0.0)
        rejected = False
        try:
            self.env.act(action)
        except ActionRejected as error:
            rejected = True
            self._says(str(error).strip(), f"{shown} was rejected without a message: say what can be done instead")
        except Exception as error:
            self._says(False, f"{shown} raised {describe_error(error)}: raise ActionRejected with a message instead")
        else:
            self._says(declared, f"{shown} was executed but is not declared: reject it, or add it to its verbs")
        after, now = self._look(STILL, 0.0), self._now()
        self._says(at is None or now is None or now >= at, f"{shown} moved the clock back: it must never run backwards")
        if rejected and before is not None and after is not None:
            other = differing(before, after, self.live)
            self._says(not other, f"{shown} was rejected but changed {' and '.join(other)}: reject before acting")
        if not rejected and after is not None:
            self._well_formed(after, STILL, 0.0)
