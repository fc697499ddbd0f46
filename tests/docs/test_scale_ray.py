"""The part of docs/scale.md on Ray: its command plays in a cluster on this machine."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from command_line import omnipilot
from page_commands import commands
from shared_folders import ROOT

pytestmark = [pytest.mark.needs("Ray"), pytest.mark.slow]
PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")


def test_the_command_plays_in_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "tests/fixtures"))
    from ray.cluster_utils import Cluster

    part = next(text for text in re.split(r"^## ", PAGE, flags=re.MULTILINE) if text.startswith("Ray\n"))
    (line,) = commands(part)
    made: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        # What `auto` finds first; another cluster of this machine is left alone.
        monkeypatch.setenv("RAY_ADDRESS", made.address)
        monkeypatch.chdir(tmp_path)
        done = omnipilot(*shlex.split(line)[1:])
    finally:
        for node in made.list_all_nodes():
            # Not `made.shutdown`, which refuses to end the node that this process was connected to.
            node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)
    assert done.returncode == 0, done.stderr
    assert Path("runs/ray/journal.jsonl").read_text().count('"event":"episode_ended"') == 2
