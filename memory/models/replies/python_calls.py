"""Actions written as Python, parsed with `ast`: only calls of plain names with literal arguments; nothing is run."""

from __future__ import annotations

import ast
import re
from typing import Any

from omnipilot.memory.messages import MalformedReply
from omnipilot.memory.models.replies.call import Call

LONGEST_CODE = 20_000
"""Maximum length of code, in characters."""
DEEPEST = 12
"""Maximum nesting of brackets: the parser is recursive."""
MOST = 200
"""Maximum number of calls in one piece of code."""
MODULES = frozenset({"pyautogui", "time"})
"""What code may import: nothing is imported, the names only stand in calls."""

_PIECE = re.compile(
    r"#[^\n]*+"
    r"|(?P<prefix>[A-Za-z]{0,2}+)(?:"
    r"'''(?:[^'\\]|\\.?+|'(?!''))*+(?:'''|(?P<open1>\Z))|\"\"\"(?:[^\"\\]|\\.?+|\"(?!\"\"))*+(?:\"\"\"|(?P<open2>\Z))"
    r"|'(?:[^'\\\n]|\\.?+)*+(?:'|(?P<open3>(?=\n)|\Z))|\"(?:[^\"\\\n]|\\.?+)*+(?:\"|(?P<open4>(?=\n)|\Z)))",
    re.DOTALL,
)
_STEP = re.compile(rf"{_PIECE.pattern}|[()\[\]{{}}]", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_VALID = frozenset("\n'\"\\abfnrtvxuUN01234567")
# Deep operators exhaust a recursive parser; a number with a word or a hexadecimal one makes it warn.
_RUN = re.compile(
    r"\d(?:if|in|is|or|and|else|for|not)|0[xX]"
    r"|[-+~]{8}|(?:not\s+){4}|(?:lambda\W*+){4}|(?:await\s+){4}|[*]{8}",
    re.ASCII,
)


class NotPython(MalformedReply):
    """The code is no Python at all: a quote or a bracket stands where none may."""


def quoted_values(text: str, start: re.Match[str]) -> tuple[list[tuple[int, int]], int] | None:
    """Where the texts of a call stand, and where it ends; None if it is not closed.

    Args:
        start: the call's name and opening bracket.
    """
    spans: list[tuple[int, int]] = []
    depth = 1
    for piece in _STEP.finditer(text, start.end()):
        mark = piece[0]
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
            if depth == 0:
                return spans, piece.end()
        elif any(piece[f"open{number}"] is not None for number in range(1, 5)):
            return None
        elif piece["prefix"] is not None:
            spans.append(piece.span())
    return None


def calls(code: str) -> list[Call]:
    """The calls in a piece of code, in order, each with its line.

    `import pyautogui`, `import time`, comments and `pass` are allowed and say nothing.

    Raises:
        MalformedReply: anything else stands there; the message names its line.
    """
    if len(code) > LONGEST_CODE:
        raise MalformedReply(f"the code has {len(code)} characters of at most {LONGEST_CODE}; give fewer actions")
    found: list[Call] = []
    for statement in _parsed(_mended(code)).body:
        line = statement.lineno
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            found.append(_call(statement.value, line))
        elif not _says_nothing(statement):
            raise MalformedReply(f"line {line}: only calls with literal arguments are allowed, such as click(x=1, y=2)")
        if len(found) > MOST:
            raise MalformedReply(f"line {line}: more than {MOST} actions; give fewer at a time")
    return found


def _mended(code: str) -> str:
    r"""Code with unknown escapes doubled (`\d`, `\P` of a path): Python accepts them, but with a warning."""
    depth = deepest = at = 0
    out: list[str] = []
    for piece in _PIECE.finditer(code):
        if any(piece[f"open{number}"] is not None for number in range(1, 5)):
            line = code.count("\n", 0, piece.start()) + 1
            raise NotPython(f"line {line}: a text is not closed")
        between = code[at : piece.start()]
        depth, deepest = _depth(between, depth, deepest)
        text = piece[0]
        if piece["prefix"] is not None and "r" not in piece["prefix"].lower():
            text = _ESCAPE.sub(lambda match: match[0] if match[1] in _VALID else "\\" + match[0], text)
        out += [between, text]
        at = piece.end()
    rest = code[at:]
    depth, deepest = _depth(rest, depth, deepest)
    if deepest > DEEPEST:
        raise MalformedReply(f"brackets are nested more than {DEEPEST} deep; only literal arguments are allowed")
    return "".join([*out, rest])


def _depth(between: str, depth: int, deepest: int) -> tuple[int, int]:
    if _RUN.search(between):
        raise MalformedReply("only calls with literal arguments are allowed, without operators, numbers in decimal")
    for mark in between:
        if mark in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark in ")]}":
            depth -= 1
    return depth, deepest


def _parsed(code: str) -> ast.Module:
    try:
        return ast.parse(code)
    except SyntaxError as error:
        raise NotPython(f"line {error.lineno or 1}: this is no Python: {error.msg}") from None
    except (ValueError, MemoryError, RecursionError) as error:
        raise MalformedReply(f"this is no Python that can be read: {type(error).__name__}") from None


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import):
        return all(alias.name in MODULES and alias.asname is None for alias in statement.names)
    return isinstance(statement, ast.Pass)


def _call(call: ast.Call, line: int) -> Call:
    name = _name(call.func, line)
    args = tuple(_literal(arg, line) for arg in call.args)
    named: dict[str, Any] = {}
    for word in call.keywords:
        if word.arg is None:
            raise MalformedReply(f"line {line}: {name}: ** is not allowed; write every argument")
        named[word.arg] = _literal(word.value, line)
    return Call(name, args, named, line)


def _name(func: ast.expr, line: int) -> str:
    if isinstance(func, ast.Name):
        return func.id
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        return f"{func.value.id}.{func.attr}"
    raise MalformedReply(f"line {line}: only plain functions such as pyautogui.click can be called")


def _literal(node: ast.expr, line: int) -> Any:
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str | int | float | bool)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _literal(node.operand, line)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(item, line) for item in node.elts]
    raise MalformedReply(f"line {line}: arguments are literals (numbers, text, lists), not {type(node).__name__}")
