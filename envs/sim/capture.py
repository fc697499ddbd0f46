"""Observing a device: pure functions of states, with caches that only save work."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.envs.sim.audio.sound import mix
from omnipilot.envs.sim.faults import Faults, faulty
from omnipilot.envs.sim.move_memo import MoveMemo
from omnipilot.envs.sim.shared_pictures import SHARED as SHARED
from omnipilot.envs.sim.shell.screen import beyond, context_of, laid_out_ids, make_scene
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.envs.sim.ui.layout_cache import LayoutCache
from omnipilot.envs.sim.ui.scene import Scene
from omnipilot.envs.types.media import Image, VideoClip
from omnipilot.envs.types.observation import Absent, Context, Elements, Modality, Observation

FPS = 10
MOST_FRAMES = 50
NO_FAULTS = Faults()
UNASKED = {modality.value: Absent("unasked") for modality in Modality}


class Capture:
    """Observes one device; the same state always gives the same observation."""

    def __init__(self, device: DeviceName, faults: Faults = NO_FAULTS, memo: MoveMemo | None = None) -> None:
        self._device: DeviceName = device
        self._faults = faults
        self._memo = memo
        self._kept: LayoutCache | None = None
        self._past: LayoutCache | None = None
        self._scene: tuple[WorldState, Scene] | None = None

    def remember(self, memo: MoveMemo) -> None:
        """Take the looks of other worlds from there, where one showed the same state."""
        self._memo = memo

    def forget(self) -> None:
        """Drop all cached screens, because layouts refer to states of their world."""
        self._kept = self._past = self._scene = None

    def drop_layouts(self) -> None:
        """Drop all cached screens, to free their memory."""
        self.forget()

    def scene(self, state: WorldState) -> Scene:
        """The laid-out screen, to act on it; the last one is cached."""
        scene, kept = self._scene, self._kept if self._memo is None else self._memo.layouts(self._device)
        if kept is None:
            kept = self._kept = self._kept or LayoutCache()
        if scene is None or scene[0] is not state or kept.laid_out is not state:
            self._scene = scene = (state, make_scene(state, self._device, kept))
            kept.laid_out = state
            SHARED.note_layout(self)
        return scene[1]

    def look(self, state: WorldState) -> Scene:
        """The laid-out screen, only to look at it: another world's of the same state, where there is one."""
        memo = self._memo
        if memo is None:
            return self.scene(state)
        scene = memo.scene(state, self._device)
        if scene is None:
            scene = self.scene(state)
            memo.keep_scene(state, self._device, scene)
        return scene

    def out_of_sight(self, state: WorldState) -> list[str]:
        """The ids of what the screen holds and does not show; see `beyond`."""
        kept = None if self._memo is None else self._memo.layouts(self._device, clipped=False)
        shown = {id for *_, id, _, _ in self.look(state).raw}
        return [id for id in laid_out_ids(state, self._device, kept) if id not in shown]

    def _picture(self, scene: Scene, time: float) -> Image:
        return SHARED.get(self._device, scene.screen, scene.ops, time)

    def observe(
        self,
        state: WorldState,
        history: Callable[[float], tuple[WorldState, ...]],
        modalities: Collection[Modality],
        since: float,
    ) -> Observation:
        """Observe the device in `state`; clips start at `since`, which is clamped to 0..now."""
        since = min(max(since, 0.0), state.time)
        scene = self.look(state)
        shown: dict[str, Any] = dict(UNASKED)
        for modality in Modality:
            if modality not in modalities:
                continue
            if modality is Modality.SCREENSHOT:
                shown["screenshot"] = self._picture(scene, state.time)
            elif modality is Modality.ELEMENTS:
                shown["elements"] = self._elements(state, scene)
            elif modality is Modality.AUDIO:
                sounds = state.device(self._device).sounds
                heard = [sound for sound in sounds if sound.start < state.time and sound.start + sound.seconds > since]
                shown["audio"] = mix(heard, self._device, since, state.time)
            elif modality is Modality.VIDEO:
                shown["video"] = self._video(state, history(since), since)
            else:
                app, title = context_of(state, self._device, APPS)
                shown["context"] = Context(app, title, clipboard=state.device(self._device).clipboard or None)
        return Observation(self._device, state.time, scene.screen.pixels, **shown)

    def _elements(self, state: WorldState, scene: Scene) -> Elements:
        """The element tree as this device reports it, possibly with faults."""
        if self._faults.none:
            return scene.elements
        out_of_sight = beyond(state, self._device) if self._faults.beyond else ()
        return faulty(scene.elements, out_of_sight, self._faults)

    def _video(self, state: WorldState, history: tuple[WorldState, ...], since: float) -> VideoClip:
        """Frames at 10 per second, but at most 50; the last one shows the present."""
        count = min(max(round((state.time - since) * FPS), 0), MOST_FRAMES - 1)
        times = [round(since + (state.time - since) * i / count, 6) for i in range(count)] if count else []
        frames = []
        at = 0
        scene: Scene | None = None
        past = self._past
        if past is None:
            past = self._past = LayoutCache()
        for time in times:
            while at + 1 < len(history) and history[at + 1].time <= time:
                at += 1
                scene = None
            if scene is None or time >= scene.until:
                scene = make_scene(replace(history[at], time=time), self._device, past)
            frames.append(self._picture(scene, time))
        last = self._picture(self.look(state), state.time)
        # A video has a single size: if the density changed, it starts then.
        frames = [*(frame for frame in frames if frame.size == last.size), last]
        return VideoClip(frames, state.time, self._device)
