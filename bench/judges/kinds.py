"""Kinds of judges: named functions with typed parameters, so that an evaluator can say in data what is judged.

A kind is a function from what there is to look at, and from parameters, to whether it is so and what was found:

    @judge(platform="phone")
    def check_battery(evidence: DeviceEvidence, least: int) -> tuple[bool, str]:
        "The battery of the phone is charged to `least` percent."
        level = int(evidence.shell("cat /sys/class/power_supply/battery/capacity"))
        return level >= least, f"the battery is at {level} %"

In a file `my_judges.py` it is `my_judges.check_battery`, and `read_evaluator(data, own=[my_judges.check_battery])`
knows it; a plug-in gives it to everybody in its table `judges`.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from omnipilot.agents import Registry
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.judges.state_path import StatePath
from omnipilot.bench.tasks.judges import Verdict
from omnipilot.envs import ConfigError, Platform

JudgeResult: TypeAlias = "Verdict | bool | tuple[bool | float, str]"
"""What a kind answers: whether it is so, or its progress in 0..1; better with what was found, in words."""
_ABSENT = inspect.Parameter.empty
_PLAIN = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", StatePath: "a path"}


@dataclass(frozen=True, slots=True)
class JudgeKind:
    """A kind of judge.

    Attributes:
        name: by which evaluators name it.
        examine: from the evidence and the parameters to what was found.
        platform: of the devices that it is for; "" for any.
        about: a line about it.
        reads_controls: as in `Judge`.
        parameters: its parameters with their types and defaults, besides the evidence.
    """

    name: str
    examine: Callable[..., JudgeResult]
    platform: Platform | Literal[""] = ""
    about: str = ""
    reads_controls: bool = False
    parameters: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    def __call__(self, *args: Any, **given: Any) -> JudgeResult:
        """Call the function that it was made of."""
        return self.examine(*args, **given)

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments of the right types.

        Args:
            given: as they stand in an evaluator, holes filled in.

        Raises:
            ConfigError: one is unknown, missing or of another type; the message says what it takes.
        """
        for name in given:
            if name not in self.parameters:
                raise ConfigError(f"{self.name}: {describe_unknown('argument', name, self.parameters)}")
        read = {}
        for name, (hint, default) in self.parameters.items():
            if name in given:
                read[name] = self._read_one(name, hint, given[name])
            elif default is _ABSENT:
                raise ConfigError(f"{self.name} needs the argument {name!r}, {describe_type(hint)}")
        return read

    def _read_one(self, name: str, hint: Any, value: Any) -> Any:
        if hint is StatePath and isinstance(value, str):
            return StatePath.parse(value)
        if not has_type(value, hint):
            raise ConfigError(f"{self.name}: {name} must be {describe_type(hint)}, not {value!r:.60}")
        return float(value) if hint is float else value


def judge(
    name: str = "", *, platform: Platform | Literal[""] = "", about: str = "", reads_controls: bool = False
) -> Callable[[Callable[..., JudgeResult]], JudgeKind]:
    """Make a kind of judge of a function from evidence and parameters; see `JudgeKind`.

    Args:
        name: by default the function's. about: by default, the first line of its docstring.
    """

    def make(examine: Callable[..., JudgeResult]) -> JudgeKind:
        called = name or getattr(examine, "__name__", "judge")
        hints = get_type_hints(examine)
        _, *rest = inspect.signature(examine).parameters.values()
        parameters = {one.name: (hints.get(one.name, Any), one.default) for one in rest}
        line = about or (inspect.getdoc(examine) or "").partition("\n")[0]
        return JudgeKind(called, examine, platform, line, reads_controls, parameters)

    return make


def has_type(value: Any, hint: Any) -> bool:
    """Whether a value that JSON can hold has a type, as far as types of parameters go."""
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return any(has_type(value, one) for one in get_args(hint))
    if origin is Literal:
        return value in get_args(hint)
    if origin in (list, tuple, Sequence):
        inner = get_args(hint)[0]
        return isinstance(value, (list, tuple)) and all(has_type(one, inner) for one in value)
    if origin in (dict, Mapping):
        inner = get_args(hint)[1]
        return isinstance(value, Mapping) and all(has_type(one, inner) for one in value.values())
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def describe_type(hint: Any) -> str:
    """A type in words, for messages."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(describe_type(one) for one in get_args(hint))
    if origin is Literal:
        return f"one of {', '.join(map(str, get_args(hint)))}"
    if origin in (list, tuple, Sequence):
        return f"a list, each {describe_type(get_args(hint)[0])}"
    if origin in (dict, Mapping):
        return f"a table, each entry {describe_type(get_args(hint)[1])}"
    if hint in (None, type(None)):
        return "null"
    return "anything" if hint is Any else _PLAIN.get(hint, getattr(hint, "__name__", str(hint)))


_HERE = "omnipilot.bench.judges"
JUDGES = Registry(
    "judge",
    {
        "check_mouse_clicks": f"{_HERE}.actions:check_mouse_clicks",
        "check_keyboard_types": f"{_HERE}.actions:check_keyboard_types",
        "check_answer": f"{_HERE}.actions:check_answer",
        "check_text_exists": f"{_HERE}.screen:check_text_exists",
        "check_text_exists_via_control": f"{_HERE}.screen:check_text_exists_via_control",
        "check_text_exists_via_ocr": f"{_HERE}.screen:check_text_exists_via_ocr",
        "check_text_under_cursor": f"{_HERE}.screen:check_text_under_cursor",
        "check_app_in_front": f"{_HERE}.screen:check_app_in_front",
        "check_clipboard": f"{_HERE}.screen:check_clipboard",
        "check_layout": f"{_HERE}.layout:check_layout",
        "check_sound": f"{_HERE}.sounds:check_sound",
        "check_file_exists": f"{_HERE}.files:check_file_exists",
        "check_folder_exists": f"{_HERE}.files:check_folder_exists",
        "check_file_contains": f"{_HERE}.files:check_file_contains",
        "check_file_equals": f"{_HERE}.files:check_file_equals",
        "check_same_content": f"{_HERE}.files:check_same_content",
        "check_downloaded": f"{_HERE}.files:check_downloaded",
        "check_image_size": f"{_HERE}.files:check_image_size",
        "check_picture_in": f"{_HERE}.files:check_picture_in",
        "check_picture_on_screen": f"{_HERE}.files:check_picture_on_screen",
        "check_pictures_beside": f"{_HERE}.files:check_pictures_beside",
        "check_document_text": f"{_HERE}.files:check_document_text",
        "check_table_cell": f"{_HERE}.files:check_table_cell",
        "check_slide": f"{_HERE}.files:check_slide",
        "check_process_runs": f"{_HERE}.device:check_process_runs",
        "check_process_ended": f"{_HERE}.device:check_process_ended",
        "check_front_process": f"{_HERE}.device:check_front_process",
        "check_front_title": f"{_HERE}.device:check_front_title",
        "check_front_package": f"{_HERE}.device:check_front_package",
        "check_setting": f"{_HERE}.device:check_setting",
        "check_colour_scheme": f"{_HERE}.device:check_colour_scheme",
        "check_wallpaper": f"{_HERE}.device:check_wallpaper",
        "check_do_not_disturb": f"{_HERE}.device:check_do_not_disturb",
        "check_state": f"{_HERE}.world_state:check_state",
        "check_said": f"{_HERE}.world_state:check_said",
        "check_untouched": f"{_HERE}.world_state:check_untouched",
    },
    "judges",
)


def load_judge(name: str) -> JudgeKind:
    """The kind of judge of a name. Data may name no module: what an evaluator says is never imported.

    Raises:
        ConfigError: there is none, with the nearest names; or what a plug-in declares is no kind of judge.
    """
    if name not in JUDGES.names():
        raise ConfigError(describe_unknown("judge", name, JUDGES.names()))
    found: Any = JUDGES.load(name)
    if not isinstance(found, JudgeKind):
        raise ConfigError(
            f"judge {name!r} is a {type(found).__name__}: put @judge() of omnipilot.bench.judges above a function from "
            "evidence to what was found"
        )
    return found


def as_verdict(result: JudgeResult) -> Verdict:
    """What a kind answered, as a verdict."""
    if isinstance(result, Verdict):
        return result
    if isinstance(result, tuple):
        return Verdict(float(result[0]), result[1][:300])
    return Verdict(float(result))
