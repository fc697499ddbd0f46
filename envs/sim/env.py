"""A simulated device as an `Env`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from types import MappingProxyType
from typing import Protocol

from omnipilot.envs.base import Capability, Env, Heard, Platform
from omnipilot.envs.sim.audio.transcript import transcribe
from omnipilot.envs.sim.capture import NO_FAULTS, Capture
from omnipilot.envs.sim.durations import duration
from omnipilot.envs.sim.faults import Faults
from omnipilot.envs.sim.move_memo import MoveMemo
from omnipilot.envs.sim.render.written_texts import drawn_icons, written_texts
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.envs.sim.step import DESKTOP_VERBS, PHONE_VERBS, perform
from omnipilot.envs.sim.ui.scene import Scene
from omnipilot.envs.types.actions import Action, Custom
from omnipilot.envs.types.custom import CustomVerb, custom_verb
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Elements, Modality, Observation


class Host(Protocol):
    """The interface of the world that a device belongs to."""

    def alive(self) -> WorldState: ...

    def state(self) -> WorldState: ...

    def change(self, step: Callable[[WorldState], WorldState], seconds: float, name: Hashable = None) -> None: ...

    def history(self, since: float) -> tuple[WorldState, ...]: ...


class SimEnv(Env):
    """The phone or the desktop of a `SimWorld`.

    Judges may ask it for everything.
    """

    capabilities = frozenset({Capability.UI_TREE, Capability.WRITTEN_TEXTS, Capability.TRANSCRIPT, Capability.FILES})

    def __init__(self, name: DeviceName, host: Host, faults: Faults = NO_FAULTS, memo: MoveMemo | None = None) -> None:
        self._name: DeviceName = name
        self._host = host
        self._capture = Capture(name, faults, memo)
        verbs = [custom_verb(self._clipboard_verb())] if name == "phone" else []
        self._custom = MappingProxyType({verb.name: verb for verb in verbs})

    @property
    def name(self) -> DeviceName:
        """ "phone" or "desktop"."""
        return self._name

    @property
    def platform(self) -> Platform:
        """The platform, which is also its name."""
        return self._name

    @property
    def size(self) -> Size:
        """Size of the screenshot: 412x916 and 1280x800, or 1080x2400 and 2560x1440 if the device's look is "large"."""
        return self._host.state().device(self._name).screen.pixels

    @property
    def verbs(self) -> frozenset[str]:
        """Kinds of the supported verbs."""
        base = PHONE_VERBS if self._name == "phone" else DESKTOP_VERBS
        return base | {"custom"} if self._custom else base

    @property
    def custom(self) -> Mapping[str, CustomVerb]:
        """The phone adds `set_clipboard`."""
        return self._custom

    @property
    def installed(self) -> tuple[str, ...]:
        """The titles of its apps."""
        from omnipilot.envs.sim.apps.registry import apps_of

        return tuple(app.title for app in apps_of(self._name))

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """See `Env.observe`; it changes nothing.

        Raises:
            EnvLost: the world was closed.
        """
        state = self._host.alive()
        return self._capture.observe(state, self._host.history, modalities, since)

    def act(self, action: Action) -> None:
        """See `Env.act`; the world's clock advances by the verb's duration.

        Raises:
            ActionRejected: the device cannot do that; nothing has changed, including the clock.
            EnvLost: the world was closed.
        """
        self._host.alive()
        if action.kind not in self.verbs:
            raise ActionRejected(f"the {self._name} cannot {action.kind}; it can {', '.join(sorted(self.verbs))}")
        if isinstance(action, Custom):
            verb = self._custom.get(action.name)
            if verb is None:
                raise ActionRejected(f"the {self._name} has no verb {action.name!r}; it adds {', '.join(self._custom)}")
            bound = verb.bind(action.arguments)
            verb.call(*bound.args, **bound.kwargs)
            return
        self._host.change(
            lambda state: perform(state, self._name, action, self._capture.scene),
            duration(action),
            (self._name, action),
        )

    def _clipboard_verb(self) -> Callable[[str], None]:
        def set_clipboard(text: str) -> None:
            """Put text on the phone's clipboard; a long press in a text field then offers to paste it.

            Args:
                text: what to keep, up to 10000 characters.
            """
            if not isinstance(text, str) or len(text) > 10_000:
                raise ActionRejected("set_clipboard(text): text must be a string of up to 10000 characters")
            self._host.change(
                lambda state: state.on("phone", clipboard=text),
                duration(Custom("set_clipboard")),
                ("clipboard", text),
            )

        return set_clipboard

    def scene(self, state: WorldState | None = None) -> Scene:
        """The laid-out screen, now or in another state of this world."""
        return self._capture.scene(self._host.alive() if state is None else state)

    def out_of_sight(self) -> list[str]:
        """The ids of what is scrolled out of view or covered."""
        return self._capture.out_of_sight(self._host.alive())

    def ui_tree(self) -> Elements:
        """Every element on the screen, without faults."""
        return self._capture.look(self._host.alive()).elements

    def written_texts(self) -> Elements:
        """Every text that is drawn on the screen, and that nothing cuts off or covers, a line each."""
        scene = self._capture.look(self._host.alive())
        return written_texts(scene.ops, scene.size)

    def drawn_icons(self) -> Elements:
        """Every icon that is drawn on the screen, and that nothing cuts off or covers."""
        scene = self._capture.look(self._host.alive())
        return drawn_icons(scene.ops, scene.size)

    def transcript(self, start: float, end: float) -> tuple[Heard, ...]:
        """What the device sounds from `start` to `end`, at most until now; see `transcribe`."""
        state = self._host.alive()
        start, end = max(start, 0.0), min(end, state.time)
        return transcribe(state.device(self._name).sounds, start, max(start, end))

    def read_file(self, path: str) -> bytes:
        """The text of a document by its path ("Notes/Shopping"), in UTF-8.

        Raises:
            FileNotFoundError: there is no such document.
        """
        document = self._host.alive().account.document(path)
        if document is None or document.path != path:
            raise FileNotFoundError(path)
        return document.text.encode()

    def remember(self, memo: MoveMemo) -> None:
        """Look at the screens that other worlds have laid out, too."""
        self._capture.remember(memo)

    def forget(self) -> None:
        """Drop everything cached from the old world."""
        self._capture.forget()

    def close(self) -> None:
        """Do nothing: the device is released with its world. May be called twice."""
