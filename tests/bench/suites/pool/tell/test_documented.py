"""The wordings that the document shows are those that are made."""

from __future__ import annotations

import re

from shared_folders import ROOT

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.records import GraphRecord, Join
from omnipilot.bench.suites.pool.suite import compose_graph
from omnipilot.bench.suites.pool.tell.clauses import clauses_of
from omnipilot.bench.suites.pool.tell.condensing import high_text
from omnipilot.bench.suites.pool.tell.readers import RuleReader
from omnipilot.bench.suites.pool.tell.topology import edges_of
from omnipilot.bench.suites.pool.tell.wordings import plain_wording


def test_the_shown_wordings_are_made() -> None:
    joins = (Join(1, "text", 0), Join(2, "text", 0))
    graph = GraphRecord("g", ("read-code", "text-contact", "append-note", "start-timer"), joins, seed=5)
    clauses = clauses_of(compose_graph(graph, book("").templates, 0))
    page = (ROOT / "docs/synthesis.md").read_text(encoding="utf-8")
    shown = [re.sub(r"\s*\n\s*> ", " ", text) for text in re.findall(r"  > (.+(?:\n  > .+)*)", page)]
    assert shown == [plain_wording(clauses).text(clauses), high_text(clauses, edges_of(graph), RuleReader())]
