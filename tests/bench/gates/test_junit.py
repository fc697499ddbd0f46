"""The JUnit file holds a case for each task and gate, and can hold whatever an agent typed."""

from __future__ import annotations

from xml.etree import ElementTree

from made_runs import a_run, episode

from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.gates.changes import ChangedInstance, FirstStep, task_results
from omnipilot.bench.gates.junit import junit_xml
from omnipilot.bench.gates.rule import judge_gates, read_gate

KEYS = [f"t{number:02}#0.0" for number in range(20)]
A = a_run("main", [episode(key, 2 if key < "t15" else 0) for key in KEYS])
B = a_run("change", [episode(key, 2 if "t10" <= key < "t16" else 0) for key in KEYS])
FOUND = compare(A, B, resamples=1000)
TYPED = FirstStep(3, "Click “Send” on phone", "Type “]]>\x00\x1b<b>&\ud800” on phone")
CHANGES = [ChangedInstance(flip, (f"{flip.task}#0.0",) * 2, TYPED) for flip in FOUND.flips]


def parsed(*gates: str) -> ElementTree.Element:
    verdicts = judge_gates(A, B, [read_gate(one) for one in gates])
    return ElementTree.fromstring(junit_xml(FOUND, "duet", task_results(A, B, CHANGES), verdicts).encode())


def test_a_case_for_each_task_that_fails_where_it_became_worse() -> None:
    root = parsed()
    (suite,) = root
    assert suite.attrib == {"name": "duet", "errors": "0", "skipped": "0", "time": "720.000"} | {
        "tests": "20",
        "failures": "10",
    }
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert [name for name, case in cases.items() if case.find("failure") is not None] == [f"t{n:02}" for n in range(10)]
    assert {case.get("classname") for case in cases.values()} == {"duet"} and cases["t00"].get("time") == "36.000"
    failure = cases["t00"].find("failure")
    assert failure is not None and failure.text is not None
    assert failure.get("message") == "solved 0 of 1, 1 of 1 before"
    assert "t00#0 worse: 1 of 1 in A, 0 of 1 in B; turn limit" in failure.text
    assert "t00#0.0 and t00#0.0, turn 3: Click “Send” on phone → Type “]]>��<b>&�” on phone" in failure.text


def test_figures_are_properties_and_gates_are_cases() -> None:
    root = parsed("SR < -5", "SR > 5")
    tasks, gates = root
    told = {one.get("name"): one.get("value") for one in tasks.iter("property")}
    assert (told["A"], told["B"], told["pairs"], told["tasks"]) == ("main", "change", "20", "20")
    assert str(told["SR %, A"]).startswith("75.0 [") and str(told["SR %, B − A"]).startswith("-45.0 [")
    assert [(case.get("name"), case.find("failure") is not None) for case in gates.iter("testcase")] == [
        ("SR < -5", True),
        ("SR > 5", False),
    ]
    strength = {one.get("name"): one.get("value") for one in gates.iter("property")}
    assert strength["SR < -5, too weak"] == "true" and int(str(strength["SR < -5, episodes needed"])) > 20
    assert (root.get("tests"), root.get("failures")) == ("22", "11")
