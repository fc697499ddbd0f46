"""The audit of the toy suite: null agents, the search, certificates, and playing findings again."""

from __future__ import annotations

import gc
import json
from dataclasses import replace
from pathlib import Path

import pytest

from omnipilot.agents import PartSpec
from omnipilot.bench.audit.audit import AuditPlan, audit_suite, read_suite_name, suite_name
from omnipilot.bench.audit.audit_tables import audit_tables
from omnipilot.bench.audit.auditor import AuditBudget, audit_task
from omnipilot.bench.audit.effects import effects_between, general
from omnipilot.bench.audit.records import AuditFinding, read_certificate, read_finding, write_certificate
from omnipilot.bench.audit.replay import replay_finding
from omnipilot.bench.audit.stage import AuditStage
from omnipilot.bench.audit.vocabulary import ScreenVerbs, texts_of
from omnipilot.bench.audit.winners import Examiner
from omnipilot.bench.registry import load_suite
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, answer_contains
from omnipilot.bench.tasks.task import Task
from omnipilot.bench.toy import TASK, ToySuite
from omnipilot.envs import ConfigError
from omnipilot.envs.toy.world import ToyPhoneState

BUDGET = AuditBudget(sequences=400, doors=False)


def judged_by(ask: object) -> object:
    """Changes the toy task: another judge alone."""

    def change(task: Task) -> Task:
        return replace(task, graph=JudgeGraph((Judge("planted", ask),)))  # type: ignore[arg-type]

    return change


def kinds(ask: object) -> set[tuple[str, str]]:
    found = audit_task(ToySuite(), TASK, budget=BUDGET, change=judged_by(ask))  # type: ignore[arg-type]
    return {(one.kind, one.by) for one in found.findings}


def test_the_toy_task_holds() -> None:
    found = audit_task(ToySuite(), TASK, budget=BUDGET)
    assert not found.findings
    assert found.search["sequences"] == 400
    assert not any(one["solved"] for one in found.agents.values())
    assert set(found.reading["effects"]) == {"[note]", "[plays]"}


def test_a_note_of_any_words_is_a_shortcut() -> None:
    found = audit_task(ToySuite(), TASK, budget=BUDGET, change=judged_by(lambda case: bool(case.state.note)))  # type: ignore[arg-type]
    assert found.findings
    assert found.findings[0].lacking
    assert found.findings[0].verbs


def test_classes_of_flaws_are_told_apart() -> None:
    def waits(case: Case) -> bool:
        return case.world.now > 60

    assert ("null agent", "nothing") in kinds(waits)
    assert ("blind", "rule") in kinds(waits)
    assert ("null agent", "usual answers") in kinds(answer_contains("yes"))
    assert {("null agent", "echo answered"), ("answer", "rule")} <= kinds(answer_contains("Voicemail"))
    assert kinds(lambda case: case.state.app == "") == {("start", "start")}


def test_equal_seeds_give_equal_certificates() -> None:
    one, two = (audit_task(ToySuite(), TASK, seed=3, budget=BUDGET) for _ in range(2))
    timed = {"seconds", "sequences_a_second"}
    assert {k: v for k, v in one.search.items() if k not in timed} == {
        k: v for k, v in two.search.items() if k not in timed
    }
    assert one.agents == two.agents


def test_certificates_are_taken_again(tmp_path: Path) -> None:
    plan = AuditPlan(PartSpec("toy"), sequences=30, doors=False)
    told: list[str] = []
    found, failed = audit_suite(plan, tmp_path, told.append)
    assert not failed
    assert len(found) == 1
    assert "30 sequences" in told[0]
    again, _ = audit_suite(plan, tmp_path, told.append)
    assert told[1].endswith("as certified before")
    assert json.dumps(again[0].to_json()) == json.dumps(
        read_certificate(next(tmp_path.glob("certificates/*"))).to_json()
    )
    audit_suite(replace(plan, seed=1), tmp_path, told.append)
    assert "30 sequences" in told[2]
    assert "any finding" in audit_tables(found, failed)[-1].text()


def test_findings_are_played_again(tmp_path: Path) -> None:
    found = audit_task(ToySuite(), TASK, budget=BUDGET)
    # The demonstration itself, as if it had been found.
    verbs = (
        {"env": "phone", "kind": "open_app", "app": "Voicemail"},
        {"env": "phone", "kind": "open_app", "app": "Notes"},
    )
    write_certificate(tmp_path, replace(found, findings=(AuditFinding("shortcut", TASK, 0, "search", "why", verbs),)))
    path = next(tmp_path.glob("findings/*"))
    suite, finding = read_finding(path)
    assert (suite, finding.verbs) == ("toy", verbs)
    *lines, still = replay_finding(path)
    assert still is False
    assert len(lines) == 3
    # One more audit without findings removes the file.
    write_certificate(tmp_path, found)
    assert not path.exists()
    with pytest.raises(ConfigError, match="no finding"):
        read_finding(next(tmp_path.glob("certificates/*")))


def test_bad_plans_are_refused() -> None:
    with pytest.raises(ConfigError, match="jobs"):
        AuditPlan(PartSpec("toy"), jobs=0)
    with pytest.raises(ConfigError, match="minutes"):
        AuditPlan(PartSpec("toy"), minutes=0)


def test_suites_are_named_with_their_options() -> None:
    part = PartSpec("duet", {"split": "dev", "memo": "5"})
    assert read_suite_name(suite_name(part)) == part


def test_effects_are_compared_by_content() -> None:
    before, after = ToyPhoneState("12AB"), ToyPhoneState("12AB", note="Hello  You", plays=(1.5,))
    assert {(one.place, one.value) for one in effects_between(before, after)} == {
        (".note", "hello you"),
        (".plays[+]", "(a time)"),
    }
    assert effects_between(before, before) == {}
    assert general("[0].mails[mail-3].read") == "[*].mails[*].read"
    assert general("[0].mails[+]") == "[*].mails[+]"


def test_texts_come_of_the_instruction() -> None:
    assert texts_of('Write "Good day" to Nina Rossi at 09:20.').quoted[:3] == ("Good day", "09:20", "Write")


@pytest.mark.exhibit("duet")
@pytest.mark.parametrize(
    ("task", "place"), [("dismiss-alarm", "[*].mails[*].read"), ("no-call-while-writing", "[*].calls[+]")]
)
def test_what_comes_of_looking_and_of_time_is_no_effect(task: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omnipilot.bench.audit.winners.WALKS", 0)
    stage = AuditStage(load_suite(PartSpec("duet")), task, 0)
    try:
        examiner = Examiner(stage, ScreenVerbs(stage.opening, texts_of(stage.opening.instruction)), seed=0)
        assert place in examiner.traces
        assert not any(general(effect.place) == place for effect in examiner.wanted)
        assert examiner.wanted
    finally:
        stage.close()


def test_no_garbage_is_collected_while_a_task_is_audited() -> None:
    def ask(_: Case) -> bool:
        states.add(gc.isenabled())
        return False

    states: set[bool] = set()
    audit_task(ToySuite(), TASK, budget=AuditBudget(5, doors=False), change=judged_by(ask))  # type: ignore[arg-type]
    assert False in states and gc.isenabled()
