"""Whether an environment or a world keeps the contract of `omnipilot.envs.base`: a check to call from any test."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, get_args

from omnipilot.envs.base import Ends, Env, Platform, Recorded, Snapshots, State, UiTree, World
from omnipilot.envs.contract.actions import SAMPLES
from omnipilot.envs.contract.breaches import Breaches, told
from omnipilot.envs.contract.breaches import ContractBroken as ContractBroken
from omnipilot.envs.contract.looks import KINDS, STILL, by_value, differing
from omnipilot.envs.types.actions import CONTROL, VERBS, Action, Custom
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.geometry import Box, Size
from omnipilot.envs.types.media import SAMPLE_RATE, AudioClip, Image, VideoClip
from omnipilot.envs.types.observation import ALL_MODALITIES, Absent, Elements, Modality, Observation

WAIT = 0.25
"""Seconds that a world is let go on, to see that its clock and its clips go on too."""
LIVE_SLACK = 0.5
"""Seconds that a live world may be late at both ends of a clip."""
_SLACK = 2 / SAMPLE_RATE


def check_env(
    make: Callable[[], Env] | Callable[[], World],
    *,
    start: Callable[[Any], object] | None = None,
    actions: Sequence[Action] | None = None,
    repeatable: bool = True,
    live: bool = False,
) -> None:
    """Try an environment, or a world with all of its environments, against the contract.

    Checked: what it declares (name, platform, size, verbs, custom verbs); that a look holds what was asked for and
    nothing else, an absent modality with its reason, the screenshot of the declared size, elements on the screen with
    ids of their own, clips from `since` to now; that looks between actions are equal and change nothing; that verbs
    which it does not declare are rejected with a message and change nothing, and declared ones are carried out or
    rejected, and raise nothing else; that `close` may be called twice. Of a world also: waiting moves the clock, a
    second start gives the same looks, and what it can do beside (`Snapshots`, `State`, `Ends`, `UiTree`) does that.

    In a plug-in's test:

        def test_my_world_keeps_the_contract():
            check_env(MyWorld)

    Args:
        make: makes a new environment or world; it is closed in the end.
        start: brings a world to a start, such as a task's `setup`; `reset(0)` where none is given.
        actions: to try in place of the built-in ones, which are harmless only where nothing real can be harmed; those
            of verbs that an environment does not declare have to be rejected.
        repeatable: whether a second start of the world gives the same looks.
        live: whether its clock is that on the wall: looks are compared without their times and clips. What they
            show has to stand still by itself.

    Raises:
        ContractBroken: with every breach and its cure.
    """
    made: Any = make()
    found = Breaches(type(made).__name__)
    if hasattr(made, "envs"):
        _World(found, made, start or (lambda world: world.reset(0)), actions, repeatable, live).check()
    elif found.check(
        hasattr(made, "observe") and hasattr(made, "act"),
        f"make() returned a {type(made).__name__}: it has to return an Env (observe, act) or a World (envs)",
    ):
        _Env(found, made, None, actions, live).check()
        _close_twice(found, made, "close()")
    found.settle()


def _close_twice(found: Breaches, made: Env | World, name: str) -> None:
    found.carry_out(name, made.close, "it releases what is held and raises nothing")
    found.carry_out(f"a second {name}", made.close, "closing what is closed does nothing")


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
        """All of it."""
        try:
            self.start(self.world)
        except Exception as error:
            self.found.note(f"the start raised {told(error)}: reset() works for every whole number from 0 on")
            return
        if self._declares():
            self._capabilities()
            began, first = self.world.now, self._looks()
            self._time()
            stand = self.world.snapshot() if isinstance(self.world, Snapshots) else None
            at, before = self.world.now, self._looks()
            for name, env in dict(self.world.envs).items():
                self.found.check(
                    env.name == name, f"envs[{name!r}] is called {env.name!r}: the key is the environment's name"
                )
                _Env(self.found, env, self.world, self.actions, self.live).check()
            if isinstance(self.world, Snapshots):
                self.world.restore(stand)
                self._same("restore()", at, before, "it puts back all that a look or the clock shows")
            self.start(self.world)
            if self.repeatable:
                self._same("a second reset() to the same instance", began, first, "equal instances give equal worlds")
        _close_twice(self.found, self.world, "close()")

    def _declares(self) -> bool:
        envs, now = self.world.envs, self.world.now
        return self.found.check(
            isinstance(envs, Mapping) and envs,
            "after its start the world has no environments: `envs` is a mapping of names to at least one",
        ) and self.found.check(
            isinstance(now, int | float) and math.isfinite(now) and now >= 0,
            f"after its start `now` is {now!r}: it is the finite number of seconds since the last reset",
        )

    def _capabilities(self) -> None:
        if isinstance(self.world, Ends):
            why = self.world.ended()
            self.found.check(why == "", f'ended() says {why!r} at the start: it is "" while the episode goes on')
        for env in self.world.envs.values():
            if isinstance(env, UiTree):
                tree = self.found.attempt(f"{env.name}: ui_tree()", env.ui_tree, "judges read all elements by it")
                self.found.check(
                    tree is None or isinstance(tree, Elements), f"{env.name}: ui_tree() has to return Elements"
                )

    def _looks(self) -> dict[str, Observation]:
        """A look at each environment, without clips; those that cannot be had are left out."""
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
                self.found.note(f"{what} shows another {' and '.join(other)} of {name} than before: {cure}")
        if not self.live:
            self.found.check(
                math.isclose(self.world.now, now, abs_tol=1e-6), f"after {what} the clock is not as before: {cure}"
            )

    def _time(self) -> None:
        before = self.world.now
        self.found.carry_out("think(0.0)", lambda: self.world.think(0.0), "a decision may take no time")
        self.found.carry_out(f"wait({WAIT})", lambda: self.world.wait(WAIT), "it lets time pass and raises nothing")
        passed = self.world.now - before
        if isinstance(self.world, Recorded):
            self.found.check(passed >= 0, f"waiting moved the clock back by {-passed:g} s: it never runs back")
        else:
            near = passed >= WAIT * 0.9 if self.live else math.isclose(passed, WAIT, abs_tol=1e-3)
            self.found.check(near, f"wait({WAIT}) moved the clock by {passed:g} s: it lets pass what is asked")


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
        self.recorded = isinstance(world, Recorded)
        self.name = ""

    def check(self) -> None:
        """All of it."""
        if self._declares():
            self._looks()
            self._acts()

    def _says(self, holds: object, sentence: str) -> bool:
        return self.found.check(holds, f"{self.name}: {sentence}")

    def _declares(self) -> bool:
        env = self.env
        self.name = str(env.name)
        fine = self._says(isinstance(env.name, str) and env.name, f"its name is {env.name!r}: give it words")
        known = get_args(Platform)
        self._says(env.platform in known, f"its platform is {env.platform!r}: it is one of {', '.join(known)}")
        self._says(isinstance(env.size, Size), f"its size is {env.size!r}: it is a Size in pixels")
        verbs = env.verbs
        if not self._says(
            isinstance(verbs, Collection) and all(isinstance(kind, str) for kind in verbs),
            f"its verbs are {verbs!r}: they are a frozenset of kinds such as 'click'",
        ):
            return False
        if control := sorted(CONTROL & set(verbs)):
            self._says(False, f"it declares {', '.join(control)}: the loop carries those out, leave them out")
        if strangers := sorted(set(verbs) - set(VERBS)):
            self._says(
                False, f"it declares {', '.join(strangers)}, which are no verbs: add verbs of your own by `custom`"
            )
        self._says(
            bool(env.custom) == ("custom" in verbs), "'custom' is among its verbs exactly where `custom` has verbs"
        )
        for name, verb in env.custom.items():
            self._says(
                isinstance(verb, CustomVerb) and verb.name == name,
                f"custom[{name!r}] is not a CustomVerb of that name: make it with custom_verb(function)",
            )
        return fine

    def _now(self) -> float | None:
        return None if self.world is None else self.world.now

    def _look(self, asked: Collection[Modality], since: float) -> Observation | None:
        look = self.found.attempt(
            f"{self.name}: observe()",
            lambda: self.env.observe(asked, since),
            "a modality that cannot be had is Absent with its reason; only EnvLost is known, for a device gone",
        )
        if look is None or self._says(isinstance(look, Observation), "observe() has to return an Observation"):
            return look
        return None

    def _looks(self) -> None:
        first = self._look(STILL, 0.0)
        if first is None:
            return
        since = first.time
        if self.world is not None and not self.recorded:
            since = max(0.0, first.time - WAIT)
        state = self.world.state() if isinstance(self.world, State) else None
        comparable = by_value(state)
        at = self._now()
        whole = self._look(ALL_MODALITIES, since)
        again = self._look(ALL_MODALITIES, since)
        if whole is None or again is None:
            return
        if other := differing(whole, again, self.live):
            self._says(
                False,
                f"observe() returned another {' and '.join(other)} when asked twice: between actions it has to answer "
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
                        f"the {modality} is another when it is asked for alone: the rest must not matter",
                    )
        self._says(
            self.live or self._now() == at, "observe() moved the clock: looking takes no time, waiting and acting do"
        )
        if comparable and isinstance(self.world, State):
            self._says(state == self.world.state(), "observe() changed the world's state: it may only look")

    def _well_formed(self, look: Observation, asked: Collection[Modality], since: float) -> None:
        self._says(look.env == self.name, f"a look says that it is of {look.env!r}: it has to carry the name")
        now = self._now()
        self._says(
            now is None or self.live or math.isclose(look.time, now, abs_tol=1e-6),
            f"a look's time is {look.time:g} where the world's clock says {now}: they are the same",
        )
        self._says(
            self.recorded or look.size == self.env.size,
            f"a look's size is {look.size} where the environment's is {self.env.size}: they are the same",
        )
        for modality in Modality:
            value: Any = getattr(look, modality.value)
            if modality not in asked:
                self._says(
                    isinstance(value, Absent),
                    f"observe() delivered the {modality} unasked: leave it Absent('unasked'), it may be withheld",
                )
                self._says(
                    not isinstance(value, Absent) or value.reason in ("unasked", "unsupported"),
                    f"an unasked {modality} is absent as {getattr(value, 'reason', '')!r}: the reason is 'unasked'",
                )
            elif isinstance(value, Absent):
                self._says(
                    value.reason in ("unsupported", "failed"),
                    f"the {modality} was asked for and is absent as {value.reason!r}: an environment says "
                    "'unsupported', or 'failed' with the detail",
                )
                self._says(value.reason != "failed" or value.detail, f"the {modality} failed: say why in `detail`")
            elif self._says(
                isinstance(value, KINDS[modality]),
                f"the {modality} is a {type(value).__name__}: it has to be {KINDS[modality].__name__} or Absent",
            ):
                self._captured(look, modality, value, since)

    def _captured(self, look: Observation, modality: Modality, value: Any, since: float) -> None:
        if isinstance(value, Image):
            self._says(
                value.size == look.size,
                f"the screenshot is {value.size} where the screen is {look.size}: scale it, or declare its size",
            )
            self.found.attempt(f"{self.name}: the screenshot's pixels", lambda: value.rgb, "send a whole file")
        elif isinstance(value, Elements):
            self._elements(value)
        elif isinstance(value, AudioClip | VideoClip):
            slack = LIVE_SLACK if self.live else _SLACK
            # What a recording holds is cut already.
            begins = self.recorded or abs(value.start - min(since, look.time)) <= slack
            self._says(
                begins and abs(value.end - look.time) <= slack,
                f"the {modality} covers {value.start:g} to {value.end:g} s where {since:g} to {look.time:g} s were "
                "asked for: cut it to `since` and now (sound is mono, 16 bit, 16,000 samples a second)",
            )

    def _elements(self, elements: Elements) -> None:
        boxes = [element.box for element in elements]
        inside = all(
            isinstance(box, Box) and 0 <= box.left <= box.right <= 1 and 0 <= box.top <= box.bottom <= 1
            for box in boxes
        )
        self._says(inside, "elements lie outside the screen: a Box has shares of the sides in 0..1, cut it")
        ids = [element.id for element in elements if element.id is not None]
        if twice := sorted({str(id) for id in ids if ids.count(id) > 1}):
            self._says(False, f"several elements have the id {', '.join(twice[:3])}: an id means one element, or None")
        self._says(
            all(isinstance(element.role, str) and element.role for element in elements),
            "an element has no role: give the ARIA role, or 'text' or 'image'",
        )
        self._says(not elements.truncated or elements.detail, "the elements are truncated: say by what in `detail`")

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
            self._says(
                False, f"{shown} raised {told(error)}: reject what cannot be done with ActionRejected and a message"
            )
        else:
            self._says(
                declared, f"{shown} was carried out though it is not declared: reject it, or add it to its verbs"
            )
        after, now = self._look(STILL, 0.0), self._now()
        self._says(at is None or now is None or now >= at, f"{shown} moved the clock back: it never runs back")
        if rejected and before is not None and after is not None:
            other = differing(before, after, self.live)
            self._says(not other, f"{shown} was rejected and changed {' and '.join(other)}: reject before you act")
        if not rejected and after is not None:
            self._well_formed(after, STILL, 0.0)
