"""Actions written as Python, parsed with `ast`: only calls of plain names with literal arguments; nothing is run."""

from __future__ import annotations

import ast
import re
from typing import Any

from omnipilot.memory.messages import MalformedReply
from omnipilot.memory.models.replies.call import Call

LONGEST_CODE = 20_000
"""Maximum length of code, in characters."""
LONGEST_LITERAL = 2_000
"""Maximum length of a literal, in characters: its parser is slow."""
DEEPEST = 12
"""Maximum nesting of brackets: the parser is recursive."""
MOST = 200
"""Maximum number of calls in one piece of code."""
MOST_TEXTS = 1_000
"""Maximum number of texts and comments in one piece of code."""
MODULES = frozenset({"pyautogui", "time"})
"""What code may import: nothing is imported, the names only stand in calls."""

_PIECE = re.compile(
    r"#[^\n]*+|"
    r"'''(?:[^'\\]|\\.?+|'(?!''))*(?:'''|(?P<open1>\Z))|\"\"\"(?:[^\"\\]|\\.?+|\"(?!\"\"))*(?:\"\"\"|(?P<open2>\Z))"
    r"|'[^'\\\n]*+(?:\\.?+[^'\\\n]*+)*(?:'|(?P<open3>(?=\n)|\Z))"
    r"|\"[^\"\\\n]*+(?:\\.?+[^\"\\\n]*+)*(?:\"|(?P<open4>(?=\n)|\Z))",
    re.DOTALL,
)
_RAW = re.compile(r"(?<![\w])(?:[bBfFuU]?[rR]|[rR][bBfF])\Z")
_STEP = re.compile(rf"{_PIECE.pattern}|[()\[\]{{}}]", re.DOTALL)
_ESCAPE = re.compile(r"\\([4-7][0-7]{2}|.)", re.DOTALL)
_VALID = frozenset("\n'\"\\abfnrtvxuUN01234567")
# Deep operators exhaust a recursive parser; a number with a word or a hexadecimal one makes it warn.
_RUN = re.compile(
    r"\d[._jJ]*(?:if|in|is|or|and|else|for|not)|0[xX]"
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
        elif _is_open(piece) or piece.end() - start.end() > LONGEST_CODE:
            return None
        elif _is_text(piece):
            spans.append(piece.span())
    return None


def parse_calls(code: str) -> list[Call]:
    """The calls in a piece of code, in order, each with its line.

    Imports of these modules, PyAutoGUI's settings (`pyautogui.PAUSE = 1`), comments and `pass` say nothing.

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
    for count, piece in enumerate(_PIECE.finditer(code)):
        if count >= MOST_TEXTS:
            raise MalformedReply(f"more than {MOST_TEXTS} texts in one piece of code; give fewer actions")
        if _is_open(piece):
            line = code.count("\n", 0, piece.start()) + 1
            raise NotPython(f"line {line}: a text is not closed")
        between = code[at : piece.start()]
        depth, deepest = _depth(between, depth, deepest)
        text = piece[0]
        if _is_text(piece) and _RAW.search(code, max(at, piece.start() - 3), piece.start()) is None:
            text = _ESCAPE.sub(lambda match: match[0] if match[1] in _VALID else "\\" + match[0], text)
        out += [between, text]
        at = piece.end()
    rest = code[at:]
    depth, deepest = _depth(rest, depth, deepest)
    if deepest > DEEPEST:
        raise MalformedReply(f"brackets are nested more than {DEEPEST} deep; only literal arguments are allowed")
    return "".join([*out, rest])


def _is_open(piece: re.Match[str]) -> bool:
    """Whether a text begins there that does not end."""
    return piece.lastgroup is not None


def _is_text(piece: re.Match[str]) -> bool:
    return piece[0][0] in "'\""


def literal(text: str) -> Any:
    """The value of a Python literal, such as a dict; the words null, true and false may stand in it as in JSON.

    Raises:
        MalformedReply: it is none, is longer than `LONGEST_LITERAL`, or is nested deeper than `DEEPEST`.
    """
    if len(text) > LONGEST_LITERAL or "\0" in text:
        raise NotPython("this is no Python literal, or a long one")
    pieces = _PIECE.finditer(code := _mended(text.strip()))
    out: list[str] = []
    at = 0
    for piece in pieces:
        out += [_in_python(code[at : piece.start()]), piece[0]]
        at = piece.end()
    try:
        return ast.literal_eval("".join([*out, _in_python(code[at:])]))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise NotPython(f"this is no Python literal: {type(error).__name__}") from None


def _in_python(between: str) -> str:
    return _JSON_WORD.sub(lambda word: _IN_PYTHON[word[0]], between)


_IN_PYTHON = {"null": "None", "true": "True", "false": "False"}
_JSON_WORD = re.compile(r"\b(?:null|true|false)\b")


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
    if isinstance(statement, ast.ImportFrom):
        return statement.module in MODULES and all(alias.asname is None for alias in statement.names)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        of = target.value if isinstance(target, ast.Attribute) else None
        return isinstance(of, ast.Name) and of.id == "pyautogui" and isinstance(statement.value, ast.Constant)
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
