"""BrowserGym's task with a page of one's own."""

import gymnasium

from browsergym.core.env import BrowserEnv

gymnasium.registry["browsergym/openended"] = lambda **options: BrowserEnv("openended", **options)
