"""What was meant by a command line that cannot be read: by a command or an option that does not exist, or by a value.

Typer says that there is no such option; here it is said which one was probably meant, in one line.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

import typer

USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for a command line that it cannot read; its own name for it differs between versions."""
MOST, ALIKE = 3, 0.15
"""Names that are suggested at most, and how much less alike than the first one the others may be."""
_KINDS = {"valid integer": "a whole number", "valid number": "a number", "valid float": "a number"}
_KINDS |= {"valid boolean": "true or false"}


def explain_usage(error: Any) -> str:
    """The error in one line, with what was meant; "" for one that only asks for the help to be shown."""
    kind = type(error).__name__
    if kind == "NoArgsIsHelpError":
        return ""
    if error.ctx is None:
        name = getattr(error, "option_name", "")
        return f"{name} needs a value" if name else ""
    command = error.ctx.command
    path = " ".join(_path(error.ctx))
    about = f"`{' '.join(('omnipilot', path, '--help')).replace('  ', ' ')}`"
    options = [one for one in command.params if one.param_type_name == "option"]
    if kind == "NoSuchOption":
        names = [name for one in options for name in (*one.opts, *one.secondary_opts)]
        told = f"{path} has no option" if path else "there is no option"
        return f"{told} {error.option_name}{_hint(str(error.option_name), names, about)}"
    if kind == "MissingParameter":
        return f"{path} needs {_usage_of(error.param)}{_help(error.param)}; {about} shows all it takes"
    if kind == "BadOptionUsage":
        option = next((one for one in options if error.option_name in one.opts), None)
        return f"{error.option_name} needs a value{f': {_usage_of(option)}' if option else ''}"
    if kind == "BadParameter" and error.param is not None:
        return _bad_value(error)
    message = str(error.format_message())
    if found := re.match(r"No such command '(.*?)'", message):
        told = f"{path} has no command" if path else "there is no command"
        return f"{told} {found[1]!r}{_hint(found[1], command.list_commands(error.ctx), about)}"
    if found := re.match(r"Got unexpected extra argument\S* \((.*)\)", message, re.DOTALL):
        return f"{path}: {_extra(found[1], command, options)}"
    return f"{path}: {message.rstrip('.')}; {about} shows what it takes"


def _path(ctx: Any) -> list[str]:
    """The names of the command and of the groups that it lies in, without that of the program."""
    return [*_path(ctx.parent), str(ctx.info_name)] if ctx.parent is not None else []


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """Up to `MOST` known names that are most like a misspelt one, the most alike first; dashes do not count."""
    bare = {one.lstrip("-").casefold(): one for one in known}
    wrong = name.lstrip("-").casefold()
    ratios = {
        one: difflib.SequenceMatcher(None, one, wrong).ratio()
        for one in difflib.get_close_matches(wrong, list(bare), n=MOST, cutoff=0.5)
    }
    return [bare[one] for one, ratio in ratios.items() if ratio >= max(ratios.values()) - ALIKE]


def _hint(name: str, known: Iterable[str], about: str) -> str:
    near = nearest_names(name, known)
    return f"; did you mean {' or '.join(near)}?" if near else f"; {about} lists what there is"


def _usage_of(parameter: Any) -> str:
    """A parameter as one writes it: RUN, or --difference N."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name).strip("{}[]. ").upper()
    return f"{max(parameter.opts, key=len)} {parameter.metavar or 'VALUE'}"


def _help(parameter: Any) -> str:
    text = str(getattr(parameter, "help", "") or "").rstrip(".")
    return f" ({text})" if text else ""


def _bad_value(error: Any) -> str:
    """What a value has to be, in words; where it came from an environment variable, with its name."""
    name, message = error.param_hint or _usage_of(error.param).partition(" ")[0], str(error.message).rstrip(".")
    words = next((words for what, words in _KINDS.items() if what in message), "")
    return f"{name} takes {words}{_given_value(error)}" if words else f"{name}: {message}"


def _given_value(error: Any) -> str:
    """The value that was given, where the error still knows it."""
    reasons = [one for one in (error.__cause__, error.__context__) if hasattr(one, "errors")]
    values = [one["input"] for one in reasons[0].errors() if "input" in one] if reasons else []
    values += re.findall(r"'(.*)' is not a valid", str(error.message))
    return f", not {values[0]!r}" if values else ""


def _extra(given: str, command: Any, options: Iterable[Any]) -> str:
    """What to do with arguments that a command does not take."""
    first = given.split(" ")[0]
    takes = [_usage_of(one) for one in command.params if one.param_type_name == "argument"]
    flags = {max(one.opts, key=len) for one in options}
    meant = next((flag for flag, fits in _MEANT.items() if flag in flags and fits(first)), "")
    quotes = "; a value with spaces stands in quotes" if " " in given else ""
    takes_alone = f"it takes {', '.join(takes) or 'options alone, each with its name'}{quotes}"
    return f"{given!r} is more than it takes; {f'did you mean {meant} {first}?' if meant else takes_alone}"


def _is_part(what: str) -> Any:
    def fits(name: str) -> bool:
        from omnipilot.bench.registry import SUITES
        from omnipilot.bench.run.parts import registry_of

        return name in (SUITES if what == "suite" else registry_of(what)).names()

    return fits


_MEANT: dict[str, Any] = {
    "--config": lambda name: name.endswith(".toml"),
    "--suite": _is_part("suite"),
    "--planner": _is_part("planner"),
    "--grounder": _is_part("grounder"),
    "--memory": _is_part("memory"),
}
"""Options that an argument without a name may be the value of, with whether it may."""
