"""Widgets of the embedded world, laid out on a screen."""

from __future__ import annotations

import pytest
from sim_hands import Hands, hands

from omnipilot.envs.sim import apps
from omnipilot.envs.sim.app import App


def show(monkeypatch: pytest.MonkeyPatch, views: dict[str, object], device: str = "phone") -> Hands:
    """A device whose app "trial" shows these views."""
    app = App("trial", "Trial", "star", (90, 90, 200), device, views)  # type: ignore[arg-type]
    monkeypatch.setitem(apps.APPS, "trial", app)
    hand = hands()[1 if device == "phone" else 2]
    hand.open("trial")
    return hand
