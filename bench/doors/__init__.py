"""Doors: the interfaces of other people's tools, each a translation of `omnipilot.bench.session.Session`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.doors.gymnasium_env import TaskEnv as TaskEnv
    from omnipilot.bench.doors.trl_environment import task_environment as task_environment
    from omnipilot.bench.doors.trl_environment import task_rows as task_rows

__all__, __getattr__, __dir__ = lazy_exports(__name__)
