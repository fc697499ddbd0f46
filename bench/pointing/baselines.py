"""Baselines that are shown beside the results of every grounder."""

from __future__ import annotations

from collections.abc import Callable

from omnipilot.grounders import CentreGrounder, Grounder, RandomElementGrounder

BASELINES: dict[str, Callable[[], Grounder]] = {"centre": CentreGrounder, "random element": RandomElementGrounder}
"""Shown beside every result."""
