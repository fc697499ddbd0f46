"""The check of environments: our worlds keep the contract, and worlds that break it are told where."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection
from dataclasses import replace
from urllib.parse import quote

import pytest
from scripted import Clock as ScriptedClock
from scripted import ScriptedEnv
from toy_suite import ToyWorld

from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    AudioClip,
    Box,
    Capability,
    Click,
    ConfigError,
    Element,
    Elements,
    Heard,
    Image,
    Modality,
    Observation,
    Point,
    Press,
    Size,
    Thinking,
    check_env,
)
from omnipilot.envs.contract.check import ContractBroken
from omnipilot.envs.recorded import Noise, RecordedStep, Recording, ReplayWorld
from omnipilot.envs.recorded.substitute_world import stood_in
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.faults import Faults
from omnipilot.envs.web import BrowserEnv, BrowserWorld, Chromium

SIZE = Size(16, 12)


class Toy(ToyWorld):
    """The toy of the test suite, without arguments."""

    def __init__(self) -> None:
        super().__init__(0.0, Thinking())


def recording() -> ReplayWorld:
    """Two recorded moments, with the sound before each."""

    def look(env: str, time: float, modalities: Collection[Modality]) -> Observation:
        return Observation(env, time, SIZE, picture(SIZE), audio=AudioClip(bytes(32_000), env, time - 1))

    world = ReplayWorld()
    steps = tuple(RecordedStep(look, (Click(Point(0.5, 0.5)),)) for _ in range(2))
    world.load(Recording("phone", SIZE, frozenset({"click"}), steps))
    return world


def picture(size: Size) -> Image:
    return Image.raw(size, bytes(size.pixels * 3))


OURS: dict[str, Callable[[], object]] = {
    "simulated": SimWorld,
    "simulated, with faults": lambda: SimWorld(faults=Faults(0.3, 0.3, 0.5, 0.3, seed=3)),
    "with noise": lambda: stood_in(SimWorld(), Noise(1), {Modality.AUDIO, Modality.VIDEO}),
    "recorded": recording,
    "toy": Toy,
    "scripted environment": lambda: ScriptedEnv("pc", ScriptedClock(3.0)),
}


@pytest.mark.parametrize("name", OURS)
def test_our_worlds_keep_the_contract(name: str) -> None:
    check_env(OURS[name])  # type: ignore[arg-type]


def test_it_is_brought_to_its_start_as_a_test_says() -> None:
    started = []

    def start(world: Toy) -> None:
        world.reset(2)
        started.append(world.instance)

    check_env(Toy, start=start, actions=[Press(("enter",)), Press(("a",))])
    assert started == [2, 2]


@pytest.mark.slow
@pytest.mark.web
def test_a_browser_keeps_the_contract(chromium: Chromium) -> None:
    html = "<title>Page</title><button>Save</button><input aria-label=Name><select><option>One<option>Two</select>"
    page = f"data:text/html,{quote(html)}"

    def env() -> BrowserEnv:
        made = BrowserEnv(chromium, size=Size(400, 300))
        made.load(page)
        return made

    check_env(env, live=True)
    check_env(lambda: BrowserWorld(url=page, size=Size(400, 300), chromium=chromium), live=True, actions=[Click()])


class Restless(Toy):
    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        self.count += 1
        return super().observe(modalities, since)


class Watched(Toy):
    """Counts its looks where none of them shows it."""

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        self.looks = getattr(self, "looks", 0) + 1
        return super().observe(modalities, since)

    def state(self) -> tuple[object, int]:  # type: ignore[override]
        return super().state(), getattr(self, "looks", 0)


class Generous(Toy):
    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        return super().observe(frozenset(Modality), since)


class Blind(Toy):
    def observe(self, modalities: Collection[Modality], since: float) -> None:  # type: ignore[override]
        """Nothing."""


class Altered(Toy):
    """Changes what is observed."""

    def altered(self, look: Observation, since: float) -> Observation:
        return look

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        look = self.altered(super().observe(frozenset(Modality), since), since)
        return look.only(modalities, "unasked")


class Gated(Altered):
    def altered(self, look: Observation, since: float) -> Observation:
        return replace(look, video=Absent("gated"))


class Silent(Altered):
    def altered(self, look: Observation, since: float) -> Observation:
        return replace(look, screenshot=Absent("failed"))


class Small(Altered):
    def altered(self, look: Observation, since: float) -> Observation:
        return replace(look, screenshot=picture(Size(8, 6)))


class Large(Altered):
    def altered(self, look: Observation, since: float) -> Observation:
        return replace(look, size=Size(32, 24), screenshot=picture(Size(32, 24)))


class Late(Altered):
    def altered(self, look: Observation, since: float) -> Observation:
        return replace(look, time=look.time + 1)


class Raw(Altered):
    def altered(self, look: Observation, since: float) -> Observation:
        return replace(look, screenshot=b"PNG")  # type: ignore[arg-type]


class FastSampled(Altered):
    """Sound of 44,100 samples a second, as a microphone gave it."""

    def altered(self, look: Observation, since: float) -> Observation:
        return replace(look, audio=AudioClip(bytes(2 * round((self.now - since) * 44_100)), self.name, since))


class WholeSound(Altered):
    def altered(self, look: Observation, since: float) -> Observation:
        return replace(look, audio=AudioClip(bytes(2 * round(self.now * 16_000)), self.name, 0.0))


class Twins(Altered):
    def altered(self, look: Observation, since: float) -> Observation:
        return replace(look, elements=Elements((*look.elements, *look.elements)))  # type: ignore[misc]


class Beyond(Altered):
    def altered(self, look: Observation, since: float) -> Observation:
        box = Box(0, 0, 1, 1)
        object.__setattr__(box, "right", 640.0)
        return replace(look, elements=Elements((Element("button", "far", box),)))


class Obedient(Toy):
    verbs = frozenset({"press"})

    def act(self, action: Action) -> None:
        self.count += 1


class Mute(Toy):
    def act(self, action: Action) -> None:
        raise ActionRejected("")


class Brittle(Toy):
    def act(self, action: Action) -> None:
        if isinstance(action, Click) and action.at is None:
            raise AttributeError("'NoneType' object has no attribute 'x'")
        super().act(action)


class Hasty(Toy):
    def act(self, action: Action) -> None:
        self.count += 1
        super().act(action)


class Backward(Toy):
    def act(self, action: Action) -> None:
        super().act(action)
        self._now -= 1


class Stopped(Toy):
    def wait(self, seconds: float) -> None:
        """Nothing."""


class Forgetful(Toy):
    def reset(self, instance: int) -> None:
        if not hasattr(self, "count"):
            super().reset(instance)


class Unrestored(Toy):
    capabilities = frozenset({Capability.SNAPSHOTS})

    def snapshot(self) -> None:
        """Nothing."""

    def restore(self, snapshot: object) -> None:
        """Nothing."""


class Shared(Toy):
    capabilities = frozenset({Capability.FORKS})

    def fork(self) -> Toy:
        """A world whose time is that of the first."""
        other = Toy()
        other.wait = self.wait  # type: ignore[method-assign]
        return other


class Selfsame(Toy):
    capabilities = frozenset({Capability.FORKS})

    def fork(self) -> Toy:
        """The world itself."""
        return self


class Over(Toy):
    capabilities = frozenset({Capability.STATE, Capability.ENDS})

    def ended(self) -> str:
        return "the page is over"


class Foretelling(Toy):
    capabilities = frozenset({Capability.STATE, Capability.TRANSCRIPT})

    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:
        return Heard("alarm", "alarm", end + 2, end + 3), Heard("speech", "yes", 0.0, end + 1)


class Wordy(Toy):
    capabilities = frozenset({Capability.TRANSCRIPT, Capability.WRITTEN_TEXTS, Capability.STATE})

    def transcript(self, start: float, end: float) -> list[str]:
        return ["the code is 4711"]

    def written_texts(self) -> Elements:
        return Elements((Element("button", "Save", Box(0, 0, 1, 1)),))


class Boastful(Toy):
    capabilities = frozenset({Capability.STATE, Capability.FILES})


class Modest(Toy):
    """Has a transcript, and does not say so."""

    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:
        return ()


class ClosedOnce(Toy):
    def close(self) -> None:
        if self.closed:
            raise ConnectionError("not connected")
        super().close()


class Declared(Toy):
    name = ""
    platform = "toaster"  # type: ignore[assignment]
    verbs = frozenset({"press", "click", "wait", "fly", "custom"})


class Unseeded(Toy):
    def reset(self, instance: int) -> None:
        raise ConfigError("only instance 1 is there")


class Renamed(Toy):
    @property
    def envs(self) -> dict[str, ToyWorld]:
        return {"pc": self}


class Empty(Toy):
    @property
    def envs(self) -> dict[str, ToyWorld]:
        return {}


BREACHES: list[tuple[Callable[[], object], tuple[str, ...]]] = [
    (Restless, ("observe() returned another", "when called twice: between actions it must return the same")),
    (Watched, ("observe() changed the world's state: it must not",)),
    (Blind, ("toy: observe() returned None",)),
    (Generous, ("returned the screenshot unasked", "returned the audio unasked")),
    (Gated, ("the video was requested and is absent as 'gated'",)),
    (Silent, ("the screenshot failed: say why",)),
    (Small, ("the screenshot is 8x6, but the screen 16x12",)),
    (Large, ("an observation has size 32x24, but the environment 16x12",)),
    (Late, ("an observation has time",)),
    (Raw, ("the screenshot is a bytes: it must be Image or Absent",)),
    (FastSampled, ("the audio covers", "16,000 samples per second")),
    (WholeSound, ("cut it to `since` and now",)),
    (Twins, ("several elements have the id b",)),
    (Beyond, ("elements are outside the screen",)),
    (Obedient, ("act(Click(", "was executed but is not declared")),
    (Mute, ("was rejected without a message",)),
    (Brittle, ("raised AttributeError ('NoneType' object has no attribute 'x'): raise ActionRejected with a message",)),
    (Hasty, ("was rejected but changed", "reject before acting")),
    (Backward, ("moved the clock back",)),
    (Stopped, ("wait(0.25) moved the clock by 0 s",)),
    (Forgetful, ("a second reset() to the same instance changed the", "equal instances need equal worlds")),
    (Unrestored, ("restore() changed the", "after restore() the clock differs")),
    (Shared, ("the clock of a fork() is at", "what was done in a fork() changed", "share nothing that changes")),
    (Selfsame, ("fork() returned Selfsame, not another world",)),
    (Over, ("ended() returned 'the page is over' at the start",)),
    (
        Foretelling,
        ("tells what is heard only later", "in order of the starts", "must be empty: nothing is heard in no time"),
    ),
    (Wordy, ("transcript() must return a tuple of Heard", "written_texts() must return Elements of role text")),
    (Boastful, ("toy: it has the capability 'files', but no read_file() of its own",)),
    (Modest, ("toy: it has a method transcript(), but not the capability 'transcript'",)),
    (ClosedOnce, ("a second close() raised ConnectionError (not connected): closing twice must do nothing",)),
    (
        Declared,
        ("its name is ''", "'toaster'", "it declares wait", "unknown verbs fly", "'custom' must be in its verbs"),
    ),
    (Renamed, ("envs['pc'] is named 'toy'",)),
    (Empty, ("the world has no environments",)),
    (object, ("make() returned a object: it must return an Env",)),
]


@pytest.mark.parametrize(("make", "told"), BREACHES, ids=lambda part: getattr(part, "__name__", None))
def test_a_broken_world_is_told(make: Callable[[], object], told: tuple[str, ...]) -> None:
    with pytest.raises(ContractBroken) as error:
        check_env(make)  # type: ignore[arg-type]
    assert error.value.part == make.__name__
    for words in told:
        assert words in str(error.value)


def test_a_start_that_cannot_be_made_is_told() -> None:
    made = Toy()
    made.reset = Unseeded.reset.__get__(made)  # type: ignore[method-assign]
    with pytest.raises(ContractBroken, match="the start raised ConfigError"):
        check_env(lambda: made)


def test_a_world_that_does_not_repeat_may_say_so() -> None:
    with pytest.raises(ContractBroken):
        check_env(Forgetful)
    check_env(Forgetful, repeatable=False)


def test_all_breaches_are_told_at_once_and_each_once() -> None:
    class Both(Small, Mute):
        """Two faults."""

    with pytest.raises(AssertionError) as error:
        check_env(Both)
    assert isinstance(error.value, ContractBroken)
    assert len(error.value.breaches) == len(set(error.value.breaches)) > 2
    assert str(error.value).splitlines()[0] == f"Both breaks its contract in {len(error.value.breaches)} places:"
    # Between processes it goes like a copy.
    assert copy.copy(error.value).breaches == error.value.breaches


def test_what_inherits_nothing_is_told_what_to_inherit() -> None:
    class Device:
        name, platform, size, verbs, custom = "pc", "desktop", SIZE, frozenset({"click"}), {}

        def observe(self, modalities: Collection[Modality], since: float) -> Observation:
            return Observation(self.name, 0.0, SIZE)

        def act(self, action: Action) -> None: ...

        def close(self) -> None: ...

    with pytest.raises(ContractBroken, match=r"no Env: let its class inherit omnipilot\.envs\.base\.Env"):
        check_env(Device)  # type: ignore[arg-type]

    class Machine(Device):
        now = 0.0

        @property
        def envs(self) -> dict[str, Device]:
            return {"pc": self}

    with pytest.raises(ContractBroken, match=r"no World: let its class inherit omnipilot\.envs\.base\.World"):
        check_env(Machine)  # type: ignore[arg-type]


def test_what_has_no_capability_says_where_to_look() -> None:
    with pytest.raises(NotImplementedError, match="ToyWorld has not the capability 'shell': look for it in `capab"):
        ToyWorld(0.0, Thinking()).shell("ls", 1.0)
