"""Tasks that a user writes into one file of Python: prompt, world, judge, demonstration, and their proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.own.proofs import TaskProof as TaskProof
    from omnipilot.bench.own.proofs import prove_task as prove_task
    from omnipilot.bench.own.suite import FileSuite as FileSuite
    from omnipilot.bench.own.written_task import WrittenTask as WrittenTask
    from omnipilot.bench.own.written_task import task as task

__all__, __getattr__, __dir__ = lazy_exports(__name__)
