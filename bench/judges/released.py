"""Reads OmniBench's evaluation functions: Python of one shape, which is parsed and never run.

    EvalResult = namedtuple('EvalResult', ['success', 'message', 'progress'])

    def evaluate_agent_task_completion(song: str) -> EvalResult:
        if not check_keyboard_types(text=song):
            return EvalResult(False, f"'{song}' was not typed.", 0/2)
        if not (check_mouse_clicks(text='Play') or check_text_exists(text='Pause')):
            return EvalResult(False, "It was not played.", 1/2)
        return EvalResult(True, "Subtask completed successfully", 2/2)

A function is a chain of conditions on checks, each with a result that says why it failed; the last result is the
success. A condition is a call of a check by name, `not`, `and` or `or` of such. Before the chain, names may be made of
the parameters by `os.path.basename`, `os.path.join`, `.rstrip` and formatted texts. Everything else is refused.

The released checks compare texts by likeness (`fuzz.ratio` of at least 60, in capitals); ours fold case and blanks, and
want the text to be contained.
"""

from __future__ import annotations

import ast
import ntpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.judges.holes import fill
from omnipilot.envs import ConfigError

CHECKS: Mapping[str, str] = {
    "check_mouse_clicks": "text",
    "check_keyboard_types": "text",
    "check_file_exists": "file_path",
    "check_text_exists_via_ocr": "text",
    "check_text_exists_via_control": "text",
    "check_text_exists": "text",
    "check_text_under_cursor": "text",
    "check_clipboard": "text",
}
"""The checks that functions may call, each with its parameter."""
CLIPBOARD = "clipboard_contains_text"
"""A released check without a parameter; it is our `check_clipboard` of any text."""
NO_JUDGE = ("clipboard_contains_image", "clipboard_contains_file", "get_clipboard_text", "get_clipboard_file_name")
"""Functions of the release for which there is no check here: no device tells what kind of thing its clipboard holds."""
LONGEST = 50_000
"""Characters of a function; those of the release have a few thousand."""
Derive = tuple[str, Callable[[Mapping[str, Any]], str]]


@dataclass(frozen=True, slots=True)
class ReleasedFunction:
    """An evaluation function, read.

    Attributes:
        evaluator: as `read_evaluator` takes it; ordered, with a hole for each parameter and each name made of them.
        parameters: names of the function's parameters.
    """

    evaluator: Mapping[str, Any]
    parameters: tuple[str, ...]
    _derived: tuple[Derive, ...] = ()

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The values of all holes.

        Args:
            given: of the parameters.

        Raises:
            ConfigError: one is missing.
        """
        if missing := [name for name in self.parameters if name not in given]:
            raise ConfigError(f"the evaluation function needs values for {', '.join(missing)}")
        values = dict(given)
        for name, derive in self._derived:
            values[name] = derive(values)
        return values


def read_released(source: str) -> ReleasedFunction:
    """Read a function. Nothing of it is run.

    Raises:
        ConfigError: it is not of the shape; the message names the line, and what may stand there.
    """
    if len(source) > LONGEST:
        raise ConfigError(f"the evaluation function has {len(source)} characters; one of at most {LONGEST} is read")
    try:
        return _read(ast.parse(source))
    except (SyntaxError, ValueError) as error:
        raise ConfigError(f"the evaluation function is no Python: {error}") from None
    except (RecursionError, MemoryError):
        raise ConfigError("the evaluation function is nested too deeply; write it flatter") from None


def _read(tree: ast.Module) -> ReleasedFunction:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in tree.body:
        if not (isinstance(node, ast.FunctionDef) or _is_preamble(node)):
            raise _refusal(node, "only imports of os and namedtuple, EvalResult and one function may stand here")
    if len(functions) != 1:
        raise ConfigError(f"an evaluation function is one function; there are {len(functions)}")
    return _Reading(functions[0]).read()


def _is_preamble(node: ast.stmt) -> bool:
    """Whether it is one of the lines before the function that say nothing of the checks."""
    if isinstance(node, ast.Import):
        return all(one.name in ("os", "os.path", "collections") for one in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.module == "collections" and [one.name for one in node.names] == ["namedtuple"]
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    names_result = isinstance(node, ast.Assign) and _name_of(node.targets[0]) == "EvalResult"
    return names_result and isinstance(node, ast.Assign) and _calls(node.value, "namedtuple")


class _Reading:
    def __init__(self, function: ast.FunctionDef) -> None:
        self.function = function
        self.names = [one.arg for one in function.args.args]
        self.derived: list[Derive] = []

    def read(self) -> ReleasedFunction:
        arguments = self.function.args
        if self.function.decorator_list or arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise _refusal(self.function, "the function has plain parameters and no decorator")
        parameters = tuple(self.names)
        body = [node for node in self.function.body if not (isinstance(node, ast.Expr) and _is_preamble(node))]
        checks: list[dict[str, Any]] = []
        fractions: list[tuple[ast.stmt, tuple[int, int] | None]] = []
        for number, node in enumerate(body):
            last = number == len(body) - 1
            if isinstance(node, ast.Assign) and not checks:
                self.derived.append(self.assignment(node))
            elif isinstance(node, ast.If) and not last:
                entry, fraction = self.condition(node)
                checks.append(entry)
                fractions.append((node, fraction))
            elif isinstance(node, ast.Return) and last and checks:
                success, _, fraction = self.result(node)
                if not success:
                    raise _refusal(node, "the last result must be EvalResult(True, …)")
                fractions.append((node, fraction))
            else:
                raise _refusal(
                    node, "a function is a chain of `if not check(…): return EvalResult(False, …)` and a result"
                )
        if len(fractions) != len(checks) + 1:
            raise _refusal(self.function, "it must end with EvalResult(True, …)")
        for at, (stood, found) in enumerate(fractions):
            if found is not None and found != (at, len(checks)):
                raise _refusal(stood, f"its progress must be {at}/{len(checks)}, the share of the checks before it")
        return ReleasedFunction({"ordered": True, "checks": checks}, parameters, tuple(self.derived))

    def condition(self, node: ast.If) -> tuple[dict[str, Any], tuple[int, int] | None]:
        """The check that an `if` wants to hold, and the fraction of its result."""
        if node.orelse or len(node.body) != 1 or not isinstance(node.body[0], ast.Return):
            raise _refusal(node, "an `if` holds one return, and has no else")
        success, say, fraction = self.result(node.body[0])
        if success:
            raise _refusal(node.body[0], "the result of a check that failed must be EvalResult(False, …)")
        failed = self.test(node.test)
        return {**(failed.get("not", {"not": failed})), "say": say}, fraction

    def test(self, node: ast.expr) -> dict[str, Any]:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.test(node.operand)
            negated: dict[str, Any] = inner.get("not", {"not": inner})
            return negated
        if isinstance(node, ast.BoolOp):
            form = "all" if isinstance(node.op, ast.And) else "any"
            return {form: [self.test(one) for one in node.values]}
        if isinstance(node, ast.Call):
            return self.check(node)
        raise _refusal(node, "a condition is a check, or `not`, `and` or `or` of checks")

    def check(self, node: ast.Call) -> dict[str, Any]:
        name = _name_of(node.func)
        if name == CLIPBOARD and not node.args and not node.keywords:
            return {"check": "check_clipboard", "args": {}}
        if name in NO_JUDGE:
            raise _refusal(node, f"there is no check here for {name}")
        if name not in CHECKS:
            raise _refusal(node, describe_unknown("check", name or ast.unparse(node.func), (*CHECKS, CLIPBOARD)))
        parameter = CHECKS[name]
        given = [*((parameter, one) for one in node.args), *((one.arg, one.value) for one in node.keywords)]
        if len(given) != 1 or given[0][0] != parameter:
            raise _refusal(node, f"{name} takes one argument, {parameter}")
        return {"check": name, "args": {parameter: self.text(given[0][1])}}

    def result(self, node: ast.Return) -> tuple[bool, str, tuple[int, int] | None]:
        """Success, message and progress of a result."""
        call = node.value
        if not (isinstance(call, ast.Call) and _calls(call, "EvalResult") and not call.keywords):
            raise _refusal(node, "a result is EvalResult(True or False, message, progress)")
        if not 2 <= len(call.args) <= 3:
            raise _refusal(node, "a result is EvalResult(True or False, message, progress)")
        success = call.args[0]
        if not (isinstance(success, ast.Constant) and isinstance(success.value, bool)):
            raise _refusal(node, "a result begins with True or False")
        return success.value, self.text(call.args[1]), _fraction(call.args[2]) if len(call.args) == 3 else None

    def text(self, node: ast.expr) -> str:
        """A text with holes for names."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value.replace("{", "{{").replace("}", "}}")
        if isinstance(node, ast.Name):
            return f"{{{self.known(node)}}}"
        if isinstance(node, ast.JoinedStr):
            return "".join(self.text(one) for one in node.values)
        if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name) and node.format_spec is None:
            return f"{{{self.known(node.value)}}}"
        raise _refusal(node, "a text is a constant, a parameter, or a formatted text of these")

    def known(self, node: ast.Name) -> str:
        if node.id not in self.names:
            raise _refusal(node, describe_unknown("parameter", node.id, self.names))
        return node.id

    def assignment(self, node: ast.Assign) -> Derive:
        """A name that is made of others."""
        name = _name_of(node.targets[0])
        if len(node.targets) != 1 or not name:
            raise _refusal(node, "an assignment gives one name a value")
        derive = self.value(node.value)
        self.names.append(name)
        return name, derive

    def value(self, node: ast.expr) -> Callable[[Mapping[str, Any]], str]:
        if isinstance(node, ast.Call) and not node.keywords:
            called = ast.unparse(node.func)
            if called == "os.path.basename" and len(node.args) == 1:
                inner = self.value(node.args[0])
                # The released functions are for Windows, whose paths have both separators.
                return lambda values: ntpath.basename(inner(values))
            if called == "os.path.join" and node.args:
                parts = [self.value(one) for one in node.args]
                return lambda values: "/".join(part(values).rstrip("/\\") for part in parts)
            if isinstance(node.func, ast.Attribute) and node.func.attr == "rstrip" and len(node.args) == 1:
                base, strip = self.value(node.func.value), self.value(node.args[0])
                return lambda values: base(values).rstrip(strip(values))
        text = self.text(node)
        return lambda values: str(fill(text, values))


def _fraction(node: ast.expr) -> tuple[int, int]:
    ends = (node.left, node.right) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) else ()
    numbers = [one.value for one in ends if isinstance(one, ast.Constant) and type(one.value) is int]
    if len(numbers) != 2:
        raise _refusal(node, "progress is a fraction of whole numbers, such as 1/3")
    return numbers[0], numbers[1]


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and _name_of(node.func) == name


def _refusal(node: ast.AST, wanted: str) -> ConfigError:
    line = getattr(node, "lineno", 0)
    return ConfigError(f"line {line} of the evaluation function, {ast.unparse(node).splitlines()[0]!r:.80}: {wanted}")
