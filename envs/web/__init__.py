"""Web pages in a real Chromium, as an environment and a world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.web.chromium import Chromium as Chromium
    from omnipilot.envs.web.chromium import chromium_version as chromium_version
    from omnipilot.envs.web.chromium import find_chromium as find_chromium
    from omnipilot.envs.web.chromium import launch as launch
    from omnipilot.envs.web.env import BROWSING_VERBS as BROWSING_VERBS
    from omnipilot.envs.web.env import POINTING_VERBS as POINTING_VERBS
    from omnipilot.envs.web.env import TYPING_VERBS as TYPING_VERBS
    from omnipilot.envs.web.env import BrowserEnv as BrowserEnv
    from omnipilot.envs.web.input import playwright_key as playwright_key
    from omnipilot.envs.web.tabs import PageSilent as PageSilent
    from omnipilot.envs.web.world import BrowserWorld as BrowserWorld

__all__, __getattr__, __dir__ = lazy_exports(__name__)
