"""The evaluators of all templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnipilot.bench.suites.duet.evaluators import desktop, phone

EVALUATORS: Mapping[str, Mapping[str, Any]] = {**phone.EVALUATORS, **desktop.EVALUATORS}
"""By template id; what `read_evaluator` takes."""
