"""A benchmark of pages; it wants to know where they are, as the real one does."""

import os

import gymnasium

from browsergym.core.env import BrowserEnv

assert os.environ["MINIWOB_URL"]
for name in ("save", "half", "nan", "dying", "unbegun", "pictured", "list"):
    gymnasium.registry[f"browsergym/miniwob.{name}"] = lambda name=name, **options: BrowserEnv(name, **options)
