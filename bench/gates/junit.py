"""A comparison as JUnit XML, as GitHub, GitLab and others read it: a test case for each task, and one for each gate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from omnipilot.bench.experiments.comparison import Comparison
from omnipilot.bench.gates.changes import ChangedInstance, TaskResult
from omnipilot.bench.gates.rule import GateVerdict
from omnipilot.bench.gates.words import verdict_words
from omnipilot.bench.report.comparison_table import figure_row
from omnipilot.memory.secrets.scrub import scrub_error

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
GATES = "gates"
"""The suite that holds the gates."""


def junit_xml(
    found: Comparison, suite: str, results: Sequence[TaskResult], verdicts: Sequence[GateVerdict] = ()
) -> str:
    """The whole document. A task fails where B solves it less often than A, a gate where it fails; figures with
    their intervals, and the power of gates, are properties.

    Args:
        found: of the two runs. suite: its name. results: of its tasks.
    """
    root = ElementTree.Element("testsuites", name=f"{found.names[1]} against {found.names[0]}")
    tasks = _suite(root, suite, sum(one.seconds for one in results))
    _properties(tasks, _figures(found))
    for result in results:
        case = ElementTree.SubElement(
            tasks, "testcase", classname=_clean(suite), name=_clean(result.task), time=f"{result.seconds:.3f}"
        )
        if not (result.a[1] and result.b[1]):
            ElementTree.SubElement(case, "skipped", message="unjudged: the task has no check")
        elif result.gain < 0:
            _fail(case, "worse", f"solved {_of(result.b)}, {_of(result.a)} before", _told(result.changes))
    if verdicts:
        gates = _suite(root, GATES, 0.0)
        _properties(gates, _strengths(verdicts))
        for one in verdicts:
            case = ElementTree.SubElement(gates, "testcase", classname=GATES, name=_clean(one.gate.words), time="0")
            if one.failed:
                _fail(case, "gate", one.row.difference.interval.text(signed=True), verdict_words(one))
    for every in root.iter("testsuite"):
        cases = every.findall("testcase")
        every.set("tests", str(len(cases)))
        every.set("failures", str(sum(case.find("failure") is not None for case in cases)))
        every.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))
    for name in ("tests", "failures"):
        root.set(name, str(sum(int(one.get(name, "0")) for one in root)))
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _suite(root: ElementTree.Element, name: str, seconds: float) -> ElementTree.Element:
    return ElementTree.SubElement(root, "testsuite", name=_clean(name), errors="0", skipped="0", time=f"{seconds:.3f}")


def _properties(suite: ElementTree.Element, told: Iterable[tuple[str, str]]) -> None:
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in told:
        ElementTree.SubElement(properties, "property", name=_clean(name), value=_clean(value))


def _figures(found: Comparison) -> Iterable[tuple[str, str]]:
    yield from (("A", found.names[0]), ("B", found.names[1]))
    yield from (("pairs", str(found.pairs)), ("tasks", str(found.tasks)), ("level", f"{found.level:g}"))
    for row in found.rows:
        name, a, b, apart, p, least = figure_row(row)
        yield from ((f"{name}, A", a), (f"{name}, B", b), (f"{name}, B − A", apart), (f"{name}, p", p))
        yield f"{name}, detectable", least


def _strengths(verdicts: Iterable[GateVerdict]) -> Iterable[tuple[str, str]]:
    for one in verdicts:
        if one.power is not None:
            yield f"{one.gate.words}, power %", f"{100 * one.power:.0f}"
            yield f"{one.gate.words}, too weak", str(one.too_weak).lower()
        if one.episodes_needed is not None:
            yield f"{one.gate.words}, episodes needed", str(one.episodes_needed)


def _fail(case: ElementTree.Element, kind: str, message: str, text: str) -> None:
    failure = ElementTree.SubElement(case, "failure", type=kind, message=_clean(message))
    failure.text = _clean(text)


def _told(changes: Sequence[ChangedInstance]) -> str:
    lines = []
    for one in changes:
        what = "worse" if one.worse else "better"
        lines.append(f"{one.name} {what}: {_of(one.flip.a)} in A, {_of(one.flip.b)} in B; {one.flip.how}")
        if one.first is not None:
            lines.append(f"  first difference, {one.keys[0]} and {one.keys[1]}, {one.first.words}")
    return "\n".join(lines)


def _of(solved: tuple[int, int]) -> str:
    return f"{solved[0]} of {solved[1]}"


def _clean(text: str) -> str:
    """Without keys, and without what XML cannot hold."""
    return _NOT_IN_XML.sub("�", scrub_error(text))
