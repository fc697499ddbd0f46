"""Tasks as Gymnasium environments; `omnipilot.gym` registers one for each suite."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from omnipilot.bench.doors.choice import check_playable, playable_tasks, shared_suite
from omnipilot.bench.session import Session
from omnipilot.envs import Absent, ConfigError, Image, Modality, Observation
from omnipilot.envs.schema import element_to_json
from omnipilot.memory import drop_plain_origin

ALPHABET = frozenset(map(chr, (*range(0x9, 0xE), *range(0x20, 0xD800), *range(0xE000, 0x10000))))
"""Characters of the texts that are observed: all of the basic plane; others are shown as U+FFFD."""
LONGEST = 16_384
"""Of an observed text, in characters; a longer list of elements is cut at the end of a line."""
_TERMINAL = ("done", "success", "world", "unjudged")
_REPLACED = "\ufffd"
_STRANGE = re.compile(r"[^\t-\r -\ud7ff\ue000-\uffff]")
"""What is outside of `ALPHABET`."""


class VerbSpace(spaces.Space[str]):
    """Texts that hold one verb as JSON, such as `{"env": "phone", "kind": "click", "at": {"x": 0.5, "y": 0.5}}`.

    Any text is contained: what is no verb is told in the step's `info`. A sample is a click at a random point.

    Args:
        envs: names of the environments.
    """

    def __init__(self, envs: Collection[str], seed: int | np.random.Generator | None = None) -> None:
        super().__init__((), None, seed)
        self.envs = tuple(envs)

    @property
    def is_np_flattenable(self) -> bool:
        """A text is no array."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:  # noqa: ARG002
        """A click at a random point of a random screen."""
        env = self.envs[int(self.np_random.integers(len(self.envs)))]
        x, y = self.np_random.random(2).round(4).tolist()
        return json.dumps({"env": env, "kind": "click", "at": {"x": x, "y": y}})

    def contains(self, x: Any) -> bool:
        """Whether it is a text."""
        return isinstance(x, str)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VerbSpace) and other.envs == self.envs

    def __hash__(self) -> int:
        return hash(self.envs)

    def __repr__(self) -> str:
        return f"VerbSpace({', '.join(self.envs)})"


class ObservedText(spaces.Text):
    """Texts of up to `LONGEST` characters, none of which is outside of `ALPHABET`.

    Gymnasium makes tables of all characters for each such space, and copies them with each environment of a vector.
    Here all spaces share one.
    """

    _tables: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        if not self._tables:
            made = spaces.Text(LONGEST, min_length=0, charset=ALPHABET)
            type(self)._tables = {name: value for name, value in vars(made).items() if name.startswith("_char")}
        self.min_length, self.max_length = 0, LONGEST
        vars(self).update(self._tables)
        spaces.Space.__init__(self, None, str, seed)

    def __deepcopy__(self, memo: dict[int, Any]) -> ObservedText:
        other = ObservedText()
        other._np_random = copy.deepcopy(self._np_random, memo)
        return other

    def __reduce__(self) -> tuple[type[ObservedText], tuple[np.random.Generator | None]]:
        return ObservedText, (self._np_random,)

    def __repr__(self) -> str:
        return "ObservedText()"


class TaskEnv(gymnasium.Env[dict[str, Any], str]):
    """A suite as a Gymnasium environment: an episode is one task at one instance, judged after every step.

    An observation is a dictionary: `goal`, the instruction; `<env>_elements`, the elements of each environment's screen
    as JSON; `<env>_screenshot`, (height, width, 3) of uint8, for those of `pixels`.

    `info` has `task` and `instance` after a reset; after a step `result` ("done", "control", "rejected", "not_found",
    "malformed", "denied"), `message` (what to do instead), `changes` (sub-goals that were reached, by name),
    `completion` (0..1), `success`, and `ended` (why the episode is over, or "").

    Args:
        suite: its name.
        task: the task of every episode; None to take `options["task"]` of each reset, or to draw one.
        pixels: environments whose screenshots are observed.
        elements: whether elements are observed.
        reward: "dense", the increase of the share of sub-goals reached, which adds up to 1 where the task is solved; or
            "sparse", 1 at success and 0 otherwise.
        deaf: play tasks that hang on sound or film without them; otherwise such tasks are refused, and not drawn.
        render_mode: "rgb_array" for `render`, which shows all screens side by side; None.
        suite_options: options of the suite.
        policy, approver: what the agent may do, and who is asked, as for `Session`.

    Raises:
        ConfigError: there is no such suite or task, or an argument cannot be used.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        suite: str,
        task: str | None = None,
        pixels: Collection[str] = (),
        elements: bool = True,
        reward: str = "dense",
        deaf: bool = False,
        render_mode: str | None = None,
        suite_options: Mapping[str, Any] | None = None,
        policy: str | None = None,
        approver: str | None = None,
    ) -> None:
        if reward not in ("dense", "sparse"):
            raise ConfigError(f"reward is 'dense' or 'sparse', not {reward!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ConfigError(f"render_mode is 'rgb_array' or None, not {render_mode!r}")
        if isinstance(pixels, str):
            raise ConfigError(f"pixels is a tuple of names, such as ({pixels!r},)")
        self.render_mode = render_mode
        self.task = task
        self._reward, self._deaf = reward, deaf
        self._session = Session(shared_suite(suite, suite_options or {}), policy=policy, approver=approver)
        tasks = playable_tasks(self._session.suite, deaf)
        if task is None and not tasks:
            raise ConfigError(f"every task of suite {suite!r} hangs on sound or film; give deaf=True")
        if task is not None:
            check_playable(self._session.suite, task, deaf)
        self._tasks = tasks
        opening = self._session.open(task or tasks[0], 0)
        if unknown := set(pixels) - set(opening.envs):
            raise ConfigError(f"pixels: there is no {sorted(unknown)[0]!r}; there are {', '.join(opening.envs)}")
        self._envs = tuple(opening.envs)
        self._pixels, self._elements = tuple(pixels), elements
        self._goal, self._instance, self._completion = opening.instruction, -1, 0.0
        self.action_space = VerbSpace(self._envs)
        self.observation_space = self._space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Open a task.

        Args:
            seed: fixes the instance, and the sequence of all that are drawn later. Without one, the next instance is
                drawn from the environment's own generator.
            options: `task` and `instance`, where they shall not be drawn.

        Raises:
            ConfigError: there is no such task or option, or the task has other environments than the first.
        """
        super().reset(seed=seed)
        asked = dict(options or {})
        task = asked.pop("task", self.task)
        instance = asked.pop("instance", None)
        if asked:
            raise ConfigError(f"reset knows the options task and instance, not {sorted(asked)[0]!r}")
        if task is None:
            task = self._tasks[int(self.np_random.integers(len(self._tasks)))]
        check_playable(self._session.suite, task, self._deaf)
        if instance is None:
            instance = seed if seed is not None else int(self.np_random.integers(2**31))
        opening = self._session.open(task, instance)
        if tuple(opening.envs) != self._envs:
            raise ConfigError(
                f"task {task!r} has {', '.join(opening.envs)}, where the spaces were made for {', '.join(self._envs)}; "
                "make an environment of its own for it"
            )
        self._goal, self._instance, self._completion = opening.instruction, instance, 0.0
        return self._observe(), {"task": task, "instance": instance}

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carry out one verb, and judge. Whatever is no verb changes nothing and is told in `info`."""
        acted = self._session.act(str(action))
        gained, self._completion = acted.completion - self._completion, acted.completion
        success = acted.ended == "success"
        info = {
            "result": acted.result,
            "message": acted.message,
            "changes": [change.node for change in acted.changes],
            "completion": acted.completion,
            "success": success,
            "ended": acted.ended,
        }
        over = bool(acted.ended)
        terminated = over and acted.ended in _TERMINAL
        reward = gained if self._reward == "dense" else float(success)
        return self._observe(), reward, terminated, over and not terminated, info

    def render(self) -> NDArray[np.uint8] | None:
        """All screens side by side, on black, (height, width, 3); None without a render mode."""
        if self.render_mode is None:
            return None
        shots = [_pixels(seen) for seen in self._session.observe({Modality.SCREENSHOT}).values()]
        height = max(shot.shape[0] for shot in shots)
        return np.concatenate([np.pad(shot, ((0, height - shot.shape[0]), (0, 0), (0, 0))) for shot in shots], axis=1)

    def close(self) -> None:
        """Release the world."""
        self._session.close()

    def _space(self) -> spaces.Dict:
        text = ObservedText()
        found: dict[str, spaces.Space[Any]] = {"goal": text}
        if self._elements:
            found |= {f"{env}_elements": ObservedText() for env in self._envs}
        if self._pixels:
            for env, seen in self._session.observe({Modality.SCREENSHOT}).items():
                if env in self._pixels:
                    found[f"{env}_screenshot"] = spaces.Box(0, 255, _pixels(seen).shape, np.uint8)
        return spaces.Dict(found)

    def _observe(self) -> dict[str, Any]:
        observed: dict[str, Any] = {"goal": _text(self._goal)}
        modalities = {
            *([Modality.ELEMENTS] if self._elements else ()),
            *([Modality.SCREENSHOT] if self._pixels else ()),
        }
        for env, seen in self._session.observe(modalities).items() if modalities else ():
            if self._elements:
                observed[f"{env}_elements"] = _listed(seen)
            if env in self._pixels:
                # A copy, because pictures are shared and cannot be written to.
                pixels = _pixels(seen).copy()
                if pixels.shape != self.observation_space[f"{env}_screenshot"].shape:  # type: ignore[index]
                    raise ConfigError(f"the screen of {env} changed its size, which Gymnasium's spaces cannot follow")
                observed[f"{env}_screenshot"] = pixels
        return observed


def _pixels(seen: Observation) -> NDArray[np.uint8]:
    shot = seen.screenshot
    if not isinstance(shot, Image):
        raise ConfigError(f"{seen.env} shows no screenshot: {shot.reason}; leave it out of pixels")
    return shot.array()


def _listed(seen: Observation) -> str:
    """The elements as a JSON list, whole elements only."""
    if isinstance(seen.elements, Absent):
        return "[]"
    lines, length = [], 2
    for element in seen.elements.items:
        line = _text(json.dumps(element_to_json(drop_plain_origin(element)), ensure_ascii=False, separators=(",", ":")))
        length += len(line) + 1
        if length > LONGEST:
            break
        lines.append(line)
    return f"[{','.join(lines)}]"


def _text(text: str) -> str:
    return _STRANGE.sub(_REPLACED, text[:LONGEST])
