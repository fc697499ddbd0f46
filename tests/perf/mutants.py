"""Small faults for the source: which there are in a module, by which key each is known, and a sample of them.

A mutant is known by the qualified name of its function, what it changes, and a hash of the statement it changes; by
neither file nor line, so that it can be found again after its module was moved or its lines were wrapped otherwise.

Left alone: docstrings, annotations, defaults and decorators, the texts of errors, f-strings, and all that lies outside
functions.
"""

from __future__ import annotations

import ast
import copy
import functools
import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Change: TypeAlias = tuple[str, ast.AST, ast.AST]
"""What is done, in words; the node it is done to; what stands there afterwards."""

ROOMS = ("envs", "memory", "planners", "grounders", "agents", "bench")
GROUPS: dict[str, tuple[str, ...]] = {
    "metrics": (
        *("bench/suites/*/metrics.py", "bench/suites/*/metrics/*.py", "bench/suites/*/*/metrics.py"),
        *("bench/scoring/eqa.py", "bench/suites/crab/statistics.py"),
        *(f"bench/scoring/steps/{name}.py" for name in ("metrics", "rules")),
    ),
    "vocabulary": (
        *(f"envs/types/{name}.py" for name in ("geometry", "frames", "resize", "keys", "fields", "actions", "roles")),
        *(f"envs/types/{name}.py" for name in ("observation", "media", "element_query")),
        *(f"envs/schema/{name}.py" for name in ("codec", "pydantic_models", "json_schema")),
        *("memory/messages.py", "memory/trajectory.py"),
    ),
    "journal": ("bench/journal/*.py",),
}
"""What is mutated. A sample of an older layout is replayed with `--moved`."""

BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
WEIGHTS = {"returns None": 0.25, "boundary": 4.0, "comparison": 1.5}
"""How often a kind is drawn where a function has several; almost any test notices a None, few notice a boundary."""


@dataclass(frozen=True)
class Mutant:
    """One fault that can be put into a file.

    Attributes:
        key: the same wherever the file lies. file: path from the root of the checkout. line: of the change, from 1.
        lines: first and last line of the statement, of its head where it is compound.
        operator: the kind of change. change: before and after, in a few words.
        start, end: what is replaced, as positions in the UTF-8 bytes of the file. text: what is put there.
    """

    key: str
    group: str
    file: str
    function: str
    line: int
    lines: tuple[int, int]
    operator: str
    change: str
    start: int
    end: int
    text: str

    def applied(self, source: bytes) -> bytes:
        """The source with the fault in it."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutants_of(path: Path, root: Path, group: str = "") -> list[Mutant]:
    """Every mutant of a file, in the order of the source."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    file = path.relative_to(root).as_posix()
    found: list[Mutant] = []
    seen: Counter[str] = Counter()
    for name, function in _functions(ast.parse(source), ""):
        for statement, nodes in _statements(function):
            digest = hashlib.sha256(ast.dump(_head(statement)).encode()).hexdigest()[:10]
            for node, in_error in nodes:
                for operator, old, new in _changes(node, statement, in_error):
                    words = f"{_short(old)} → {_short(new)}"
                    stem = f"{name}|{operator}|{digest}|{hashlib.sha256(words.encode()).hexdigest()[:4]}"
                    start, end = (
                        starts[old.lineno - 1] + old.col_offset,  # type: ignore[attr-defined]
                        starts[old.end_lineno - 1] + old.end_col_offset,  # type: ignore[attr-defined]
                    )
                    text = ast.unparse(new) if isinstance(new, ast.stmt | ast.Constant) else f"({ast.unparse(new)})"
                    one = Mutant(
                        f"{stem}|{seen[stem]}",
                        group,
                        file,
                        name,
                        old.lineno,  # type: ignore[attr-defined]
                        _lines(statement),
                        operator,
                        words,
                        start,
                        end,
                        text,
                    )
                    seen[stem] += 1
                    found.append(one)
    return found


def group_files(root: Path, moved: Mapping[str, str]) -> dict[str, list[Path]]:
    """The files of each group that exist, where they lie now."""
    groups = {}
    for group, patterns in GROUPS.items():
        here = {path for pattern in patterns for path in root.glob(pattern)}
        here |= {root / new for old, new in moved.items() if any(Path(old).match(pattern) for pattern in patterns)}
        groups[group] = sorted(path for path in here if path.is_file())
    return groups


def draw(root: Path, moved: Mapping[str, str], size: int, seed: int) -> list[Mutant]:
    """A sample that treats groups alike, and within them functions, and within these operators.

    Every function of a group comes once before any comes twice. The groups alternate, so that a part of the sample
    from its beginning is a smaller sample.
    """
    rng = random.Random(seed)
    queues = []
    for group, paths in group_files(root, moved).items():
        functions: dict[tuple[str, str], dict[str, list[Mutant]]] = defaultdict(lambda: defaultdict(list))
        for path in paths:
            for one in mutants_of(path, root, group):
                functions[one.file, one.function][one.operator].append(one)
        queues.append(_shuffled(functions, rng, root))
    sample: list[Mutant] = []
    while queues and len(sample) < size:
        for queue in list(queues):
            if (drawn := next(queue, None)) is None:
                queues.remove(queue)
            elif len(sample) < size:
                sample.append(drawn)
    return sample


def find_again(
    earlier: Iterable[Mapping[str, Any]], root: Path, moved: Mapping[str, str]
) -> tuple[list[Mutant], list[dict[str, Any]]]:
    """The mutants of an earlier result in this checkout, and the records of those that no longer exist.

    A key may occur in several files; then the file to which the old one was moved decides, and otherwise the name.
    A mutant whose statement was rewritten around it is still the same one if its function has exactly one that makes
    the same change.
    """
    by_key: dict[str, list[Mutant]] = defaultdict(list)
    by_change: dict[tuple[str, ...], list[Mutant]] = defaultdict(list)
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            for one in mutants_of(path, root):
                by_key[one.key].append(one)
                by_change[one.file, one.function, one.operator, one.change].append(one)
    again: list[Mutant] = []
    gone: list[dict[str, Any]] = []
    for record in earlier:
        old = str(record["file"])
        new = moved.get(old, old)
        close = sorted(
            by_key[str(record["key"])], key=lambda one: (one.file != new, -_likeness(one.file, new), one.file)
        )
        same = by_change[new, str(record["function"]), str(record["operator"]), str(record["change"])]
        found = close[0] if close else same[0] if len(same) == 1 else None
        if found is None:
            gone.append(dict(record))
        else:
            again.append(Mutant(**{**vars(found), "key": record["key"], "group": record["group"]}))
    return again, gone


def _likeness(one: str, other: str) -> int:
    return len(set(one.replace("/", "_").split("_")) & set(other.replace("/", "_").split("_")))


def _shuffled(
    functions: Mapping[tuple[str, str], dict[str, list[Mutant]]], rng: random.Random, root: Path
) -> Iterator[Mutant]:
    left = {name: {kind: list(some) for kind, some in kinds.items()} for name, kinds in sorted(functions.items())}
    while left:
        order = sorted(left)
        rng.shuffle(order)
        for name in order:
            kinds = left[name]
            kind = rng.choices(sorted(kinds), [WEIGHTS.get(kind, 1.0) for kind in sorted(kinds)])[0]
            one = kinds[kind].pop(rng.randrange(len(kinds[kind])))
            if _differs((root / one.file).read_bytes(), one):
                yield one
            left[name] = {kind: some for kind, some in kinds.items() if some}
        left = {name: kinds for name, kinds in left.items() if kinds}


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + child.name, child
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _functions(child, prefix)


def _statements(function: Function) -> Iterator[tuple[ast.stmt, list[tuple[ast.AST, bool]]]]:
    """Each statement of a function, without those of functions and classes in it, and what may be mutated of it."""
    pending: list[ast.AST] = list(function.body)
    if pending and _is_text(pending[0]):
        pending = pending[1:]
    while pending:
        item = pending.pop(0)
        inner = [child for child in ast.iter_child_nodes(item) if _holds_statements(child)]
        pending = inner + pending
        if isinstance(item, ast.stmt) and not isinstance(item, Function | ast.ClassDef) and not _is_text(item):
            yield item, [(item, False), *_expressions(item, isinstance(item, ast.Raise | ast.Assert))]


def _holds_statements(node: ast.AST) -> bool:
    if isinstance(node, Function | ast.ClassDef):
        return False
    return isinstance(node, ast.stmt | ast.excepthandler | ast.match_case)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _expressions(node: ast.AST, in_error: bool) -> Iterator[tuple[ast.AST, bool]]:
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _holds_statements(child) or isinstance(child, ast.pattern):
                continue
            # In an f-string the positions of nodes are wrong until Python 3.12, and it is mostly a message.
            if name == "annotation" or isinstance(child, ast.JoinedStr | Function | ast.ClassDef):
                continue
            if isinstance(child, ast.Call) and ast.unparse(child.func).endswith("cast") and len(child.args) == 2:
                yield from _expressions(child.args[1], in_error)
                continue
            if isinstance(child, ast.Call) and ast.unparse(child.func) in ("isinstance", "issubclass"):
                yield child, in_error
                yield from _expressions(child.args[0], in_error)
                continue
            yield child, in_error
            yield from _expressions(child, in_error)


def _changes(node: ast.AST, statement: ast.stmt, in_error: bool) -> Iterator[Change]:
    """What can be done to a node."""
    for operator, new in _new_nodes(node, in_error):
        yield operator, node, new
    if isinstance(node, ast.If | ast.IfExp):
        yield "condition negated", node.test, ast.UnaryOp(ast.Not(), node.test)
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield "condition negated", test, ast.UnaryOp(ast.Not(), test)
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield "returns None", node.value, ast.Constant(None)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        yield "call removed", node.value, ast.Constant(None)
    if isinstance(node, ast.Slice):
        for bound in (node.lower, node.upper):
            if bound is not None and not isinstance(bound, ast.Constant):
                yield "bound of slice", bound, ast.BinOp(bound, ast.Add(), ast.Constant(1))


def _new_nodes(node: ast.AST, in_error: bool) -> Iterator[tuple[str, ast.AST]]:
    """What can stand in a node's place."""
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            for name, table in (("boundary", BOUNDARY), ("comparison", OPPOSITE)):
                if type(op) in table:
                    yield name, _with(node, "ops", at, table[type(op)]())
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC and not _is_joined(node):
        yield "arithmetic", _with(node, "op", None, ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield "and/or", _with(node, "op", None, ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not removed", node.operand
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield "constant", ast.Constant(not node.value)
        elif isinstance(node.value, int | float):
            yield "constant", ast.Constant(node.value + 1)
            yield "constant", ast.Constant(node.value - 1)
        elif isinstance(node.value, str | bytes) and node.value and not in_error:
            yield "constant", ast.Constant(type(node.value)())


def _is_joined(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether texts or paths are put together, where another operator would be an error in any case."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.value, ast.JoinedStr | ast.List | ast.ListComp)
    pieces = (node.left, node.right)
    if any(isinstance(piece, ast.JoinedStr | ast.List | ast.ListComp | ast.Tuple) for piece in pieces):
        return True
    if any(isinstance(piece, ast.Constant) and isinstance(piece.value, str | bytes) for piece in pieces):
        return True
    return isinstance(node.op, ast.Div) and ("folder" in ast.unparse(node.left) or ast.unparse(node.right).isupper())


def _with(node: ast.AST, name: str, at: int | None, value: Any) -> ast.AST:
    new = copy.copy(node)
    if at is not None:
        value = [value if index == at else old for index, old in enumerate(getattr(node, name))]
    setattr(new, name, value)
    return new


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _head(statement: ast.stmt) -> ast.stmt:
    """A statement without the statements in it."""
    head = copy.copy(statement)
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        if hasattr(head, name):
            setattr(head, name, [])
    return head


def _lines(statement: ast.stmt) -> tuple[int, int]:
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    last = statement.end_lineno or statement.lineno
    if body:
        first = body[0].pattern.lineno if isinstance(body[0], ast.match_case) else body[0].lineno
        last = max(statement.lineno, first - 1)
    return statement.lineno, last


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 120 else f"{text[:70]} … {text[-45:]}"


def _differs(source: bytes, one: Mutant) -> bool:
    """Whether a mutant can be compiled and is not what stood there before."""
    try:
        return ast.dump(ast.parse(one.applied(source))) != _dumped(source)
    except SyntaxError:
        return False


@functools.lru_cache(maxsize=1)
def _dumped(source: bytes) -> str:
    return ast.dump(ast.parse(source))
