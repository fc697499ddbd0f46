"""The family of the small grounding model that is shipped: how it is asked, and how its answers are read."""

from __future__ import annotations

from pathlib import Path

from omnipilot.envs.types import SmartResize
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.prompt_template import IMAGE, PromptLayout
from omnipilot.grounders.families.serving import Serving
from omnipilot.grounders.families.syntax import Syntax
from omnipilot.memory.models import Sampling

MINI = Family(
    name="mini-grounder",
    models=("mini-grounder",),
    base="qwen25vl",
    backends=("vllm", "transformers"),
    space="norm1000",
    resize=SmartResize(28, 3136, 448 * 280),
    syntax=Syntax("({x}, {y})"),
    layout=PromptLayout((IMAGE, "{description}")),
    sampling=Sampling(max_tokens=16),
    serving=Serving("0.8.5", ("--dtype", "float32")),
    evidence="code",
    source="bench/training/grounder of this repository",
    note="what `omnipilot train grounder` writes; its weights come with the package",
    shipped=str(Path(__file__).parent / "weights"),
)
