"""Lines of pyautogui read without running them, for desktops that have no Python of their own."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

MODULES = {"pyautogui", "pyperclip", "time"}
SETTINGS = {"FAILSAFE", "PAUSE"}
LONGEST = 100_000
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}


class NotRead(ValueError):
    """The code does more than call pyautogui with plain values."""


@dataclass(frozen=True, slots=True)
class PyAutoGuiCall:
    """One call: the function's name, "sleep", "copy" and "paste" among them, and what it is given."""

    name: str
    given: tuple[Any, ...]
    named: dict[str, Any]


def read_calls(code: str) -> list[PyAutoGuiCall]:
    """The calls of a program that only calls functions of pyautogui, pyperclip and `time.sleep` with plain values.

    Raises:
        NotRead: it does something else; the message says in which line.
    """
    if len(code) > LONGEST:
        raise NotRead(f"it has more than {LONGEST} characters")
    try:
        return list(_calls(ast.parse(code).body))
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise NotRead(f"it is no Python: {error}") from None


def _calls(body: list[ast.stmt]) -> Iterator[PyAutoGuiCall]:
    for part in body:
        if isinstance(part, ast.Import) and {one.name for one in part.names} <= MODULES:
            continue
        if isinstance(part, ast.Pass) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):
            continue
        if isinstance(part, ast.Assign) and _is_setting(part.targets):
            continue
        if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Call)):
            raise NotRead(f"line {part.lineno} is no call of pyautogui")
        call = part.value
        at = call.func
        if not (isinstance(at, ast.Attribute) and isinstance(at.value, ast.Name) and at.value.id in MODULES):
            raise NotRead(f"line {part.lineno} is no call of pyautogui")
        named = {one.arg: _value(one.value) for one in call.keywords if one.arg is not None}
        if len(named) < len(call.keywords):
            raise NotRead(f"line {part.lineno} unpacks what it hands on")
        yield PyAutoGuiCall(at.attr, tuple(map(_value, call.args)), named)


def _is_setting(targets: list[ast.expr]) -> bool:
    return all(isinstance(one, ast.Attribute) and one.attr in SETTINGS for one in targets)


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(one) for one in node.elts]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        try:
            return _OPERATORS[type(node.op)](_number(node.left), _number(node.right))
        except ArithmeticError as error:
            raise NotRead(f"line {node.lineno}: {error}") from None
    raise NotRead(f"line {node.lineno} has a value that is not plain")


def _number(node: ast.expr) -> Any:
    value = _value(node)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotRead(f"line {node.lineno} reckons with what is no number")
    return value
