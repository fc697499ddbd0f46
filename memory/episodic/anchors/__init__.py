"""Semantic anchors: entities that were seen or heard get stable names, such as `@code-1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.episodic.anchors.book import Anchors as Anchors
    from omnipilot.memory.episodic.anchors.entities import Entity as Entity
    from omnipilot.memory.episodic.anchors.entities import entities_in as entities_in
    from omnipilot.memory.episodic.anchors.remembered import anchor_label as anchor_label
    from omnipilot.memory.episodic.anchors.remembered import parse_anchor_line as parse_anchor_line

__all__, __getattr__, __dir__ = lazy_exports(__name__)
