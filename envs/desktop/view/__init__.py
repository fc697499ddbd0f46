"""A page on which a person sees, hears and, if allowed, operates a desktop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.desktop.view.server import serve_view as serve_view
    from omnipilot.envs.desktop.view.server import view_app as view_app

__all__, __getattr__, __dir__ = lazy_exports(__name__)
