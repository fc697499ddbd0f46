"""Tasks as environments in which TRL trains a model: `GRPOTrainer(…, environment_factory=task_environment("duet"))`.

    rows = task_rows("duet", instances=4)  # for datasets.Dataset.from_list

TRL makes one environment for each answer of a batch, resets it with the columns of its row, and offers every public
method as a tool; so the class has one method a verb, with the words that the model reads. Needs no package of its own:
`pip install 'omnipilot[trl]'` brings the trainer.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from omnipilot.bench.doors.choice import check_playable, playable_tasks, shared_suite
from omnipilot.bench.doors.words import describe_elements, introduce_task, outcome_words
from omnipilot.bench.session import Session
from omnipilot.envs import ConfigError, Image, Modality, Observation
from omnipilot.envs.types import Direction, Status

PROMPT = (
    "Operate the devices by the tools, one call at a time; each answers with what the device shows then. Places are "
    "words from the list of elements, an element's id after #, or a point as fractions of the screen, such as "
    "0.5, 0.25. Call done when the task is solved."
)
_POINT = re.compile(r"\s*\(?\s*(\d*\.?\d+(?:e-\d+)?)\s*,\s*(\d*\.?\d+(?:e-\d+)?)\s*\)?\s*")
SystemKey: TypeAlias = Literal["back", "home", "recents", "menu", "power", "volume_up", "volume_down"]
Shown: TypeAlias = Any
"""What a tool answers: a text, or parts of text and pictures. No closer type, for it is written into what the model
reads of each tool."""


def task_environment(
    suite: str,
    *,
    reward: str = "dense",
    images: bool = False,
    deaf: bool = False,
    suite_options: Mapping[str, Any] | None = None,
    policy: str | None = None,
    approver: str | None = None,
) -> Callable[[], VerbTools]:
    """What TRL takes as `environment_factory`.

    Args:
        suite: its name.
        reward: "dense", the share of the sub-goals that are reached at the end; "sparse", 1 at success and 0 otherwise.
        images: show screenshots too, as pictures, to a model that sees.
        deaf: play tasks that hang on sound or film without them; otherwise such tasks are refused.
        suite_options: options of the suite.
        policy, approver: what the model may do, and who is asked, as for `Session`.

    Raises:
        ConfigError: there is no such suite, or an argument cannot be used.
    """
    if reward not in ("dense", "sparse"):
        raise ConfigError(f"reward is 'dense' or 'sparse', not {reward!r}")
    shared_suite(suite, suite_options or {})
    return functools.partial(VerbTools, suite, reward, images, deaf, suite_options or {}, policy, approver)


def task_rows(
    suite: str,
    tasks: Sequence[str] = (),
    instances: int = 1,
    *,
    first: int = 0,
    deaf: bool = False,
    suite_options: Mapping[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """The rows of a data set for training: `prompt`, `task`, `instance`.

    Args:
        tasks: by their names; all that can be played, where none is named. instances: of each, from number `first` on.

    Raises:
        ConfigError: there is no such task, or it hangs on sound or film.
    """
    made = shared_suite(suite, suite_options or {})
    for task in tasks:
        check_playable(made, task, deaf)
    return [
        {"prompt": [{"role": "user", "content": PROMPT}], "task": task, "instance": instance}
        for task in tasks or playable_tasks(made, deaf)
        for instance in range(first, first + instances)
    ]


class VerbTools:
    """A task and its devices, one tool a verb. Made by `task_environment`; not for several threads at once.

    A verb that is none, or that cannot be done, changes nothing and raises `ValueError` with the words that say what
    would be right; TRL tells them to the model.
    """

    def __init__(
        self,
        suite: str,
        reward: str,
        images: bool,
        deaf: bool,
        suite_options: Mapping[str, Any],
        policy: str | None,
        approver: str | None,
    ) -> None:
        self._session = Session(shared_suite(suite, suite_options), policy=policy, approver=approver)
        self._reward, self._deaf = reward, deaf
        self._asked = frozenset({Modality.ELEMENTS, *([Modality.SCREENSHOT] if images else ())})

    def reset(self, task: str = "", instance: int = 0, **row: Any) -> Shown:  # noqa: ARG002
        """Open a task, from its start: TRL calls this with the columns of a row.

        Args:
            task: its name. instance: its number. row: other columns, which are for others.

        Returns:
            What is added to the prompt: the instruction, what each device can do, and what it shows.

        Raises:
            ConfigError: there is no such task, or it hangs on sound or film.
        """
        if not task:
            raise ConfigError("rows of the data set need a column task; task_rows makes them")
        check_playable(self._session.suite, task, self._deaf)
        opening = self._session.open(task, int(instance))
        return self._show("\n\n" + introduce_task(opening), tuple(opening.envs))

    def get_reward(self) -> float:
        """What the episode was worth, 0..1, as it stands."""
        score = self._session.score()
        return score.completion if self._reward == "dense" else float(score.success)

    def click(self, device: str, at: str, count: int = 1, button: Literal["left", "middle", "right"] = "left") -> Shown:
        """Click, or tap on a touch screen.

        Args:
            device: name of the device.
            at: the place: words from the list of elements, #id, or "x, y" as fractions of the screen.
            count: 1 click, 2 double click, 3 triple click.
            button: of the mouse.
        """
        return self._act(device, "click", at=_place(at), count=count, button=button)

    def long_press(self, device: str, at: str, seconds: float = 1.0) -> Shown:
        """Press at a place, hold, release.

        Args:
            device: name of the device.
            at: the place, as for click.
            seconds: how long to hold.
        """
        return self._act(device, "long_press", at=_place(at), seconds=seconds)

    def type(self, device: str, text: str, at: str = "", clear: bool = False, submit: bool = False) -> Shown:
        """Type text.

        Args:
            device: name of the device.
            text: what to type.
            at: the field, as for click, which is clicked first; empty for the one that has the focus.
            clear: empty the field first.
            submit: press Enter afterwards.
        """
        return self._act(device, "type", text=text, at=_place(at), clear=clear, submit=submit)

    def scroll(self, device: str, direction: Direction, at: str = "", amount: float = 3.0) -> Shown:
        """Scroll; down shows what lies further down.

        Args:
            device: name of the device.
            direction: where new content appears.
            at: the place, as for click; empty for the middle of the screen.
            amount: notches of the wheel.
        """
        return self._act(device, "scroll", direction=direction, at=_place(at), amount=amount)

    def swipe(self, device: str, direction: Direction, at: str = "") -> Shown:
        """Flick with the finger; up shows what lies further down.

        Args:
            device: name of the device.
            direction: of the finger.
            at: where it starts, as for click; empty for the middle of the screen.
        """
        return self._act(device, "swipe", direction=direction, start=_place(at))

    def drag(self, device: str, start: str, end: str) -> Shown:
        """Press at a place, move to another, release there.

        Args:
            device: name of the device.
            start: the first place, as for click.
            end: the other place, as for click.
        """
        return self._act(device, "drag", start=_place(start), end=_place(end))

    def select(self, device: str, at: str, value: str) -> Shown:
        """Choose an option of a drop-down list.

        Args:
            device: name of the device.
            at: the list, as for click.
            value: text of the option.
        """
        return self._act(device, "select", at=_place(at), value=value)

    def press(self, device: str, keys: list[str], repeat: int = 1) -> Shown:
        """Press keys together and release them.

        Args:
            device: name of the device.
            keys: such as ["enter"] or ["ctrl", "s"].
            repeat: how many times.
        """
        return self._act(device, "press", keys=keys, repeat=repeat)

    def system(self, device: str, name: SystemKey) -> Shown:
        """Press a key of the device itself.

        Args:
            device: name of the device.
            name: the key.
        """
        return self._act(device, "system", name=name)

    def open_app(self, device: str, app: str) -> Shown:
        """Bring an application to the front, starting it if need be.

        Args:
            device: name of the device.
            app: its name.
        """
        return self._act(device, "open_app", app=app)

    def open_url(self, device: str, url: str) -> Shown:
        """Open an address in the browser.

        Args:
            device: name of the device.
            url: the address.
        """
        return self._act(device, "open_url", url=url)

    def wait(self, seconds: float = 1.0) -> Shown:
        """Let time pass on all devices.

        Args:
            seconds: how long.
        """
        return self._act("", "wait", seconds=seconds)

    def answer(self, text: str) -> Shown:
        """Give an answer to what the task asks for.

        Args:
            text: the answer.
        """
        return self._act("", "answer", text=text)

    def ask_user(self, text: str) -> Shown:
        """Ask the user a question.

        Args:
            text: the question.
        """
        return self._act("", "ask_user", text=text)

    def done(self, status: Status = "success") -> Shown:
        """Say that you are done; the episode is over then.

        Args:
            status: whether the task is solved, is not, or cannot be.
        """
        return self._act("", "done", status=status)

    def _act(self, device: str, kind: str, **fields: Any) -> Shown:
        session = self._session
        if session.ended:
            return f"The episode is over ({session.ended}); call no more tools."
        acted = session.act(
            {"kind": kind} | {name: value for name, value in fields.items() if value is not None}, device
        )
        if acted.result not in ("done", "control"):
            raise ValueError(outcome_words(acted))
        return self._show(outcome_words(acted), (device,) if device else ())

    def _show(self, said: str, devices: tuple[str, ...]) -> Shown:
        """What was said, and what devices show; all, where none is named."""
        looks = self._session.observe(self._asked)
        parts: list[dict[str, Any]] = [{"type": "text", "text": said}]
        for name in devices or looks:
            parts += _parts(looks[name])
        if Modality.SCREENSHOT in self._asked:
            return parts
        return "\n\n".join(part["text"] for part in parts)


def _parts(seen: Observation) -> list[dict[str, Any]]:
    from PIL import Image as Pictures

    parts: list[dict[str, Any]] = [{"type": "text", "text": describe_elements(seen)}]
    if isinstance(seen.screenshot, Image):
        parts.append({"type": "image", "image": Pictures.fromarray(seen.screenshot.array())})
    return parts


def _place(text: Any) -> Any:
    """A point, where a text is two numbers; None, where it is empty; otherwise the text as it is."""
    if text == "":
        return None
    found = _POINT.fullmatch(text) if isinstance(text, str) else None
    return text if found is None else {"x": float(found[1]), "y": float(found[2])}
