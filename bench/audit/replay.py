"""Plays the sequence of a finding again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from omnipilot.bench.audit.audit import read_suite_name
from omnipilot.bench.audit.records import read_finding
from omnipilot.bench.audit.stage import AuditStage, describe_verb
from omnipilot.bench.registry import load_suite
from omnipilot.envs import ConfigError


def replay_finding(path: Path) -> Iterator[str | bool]:
    """Play a finding's verbs from the task's start: a line for each, and last whether it is still judged successful.

    Raises:
        ConfigError: the file is no finding, or the finding has no sequence.
    """
    suite, finding = read_finding(path)
    if finding.by == "rule" and not finding.verbs:
        raise ConfigError(f"{path} was found by a rule, so there is nothing to play: {finding.reason}")
    try:
        stage = AuditStage(load_suite(read_suite_name(suite)), finding.task, finding.instance)
    except ConfigError as error:
        if finding.kind != "start":
            raise
        yield str(error)
        yield True
        return
    session = stage.start()
    try:
        yield stage.opening.instruction
        for verb in finding.verbs:
            acted = session.act(verb)
            yield f"{describe_verb(verb)}  → {acted.result}, {acted.completion:.0%} {acted.ended}".rstrip()
            if session.ended:
                break
        yield stage.is_solved(session) or (not session.ended and session.score().success)
    finally:
        stage.leave(session)
        stage.close()
