"""`python docs/figures/grounders_table.py`: the table of model families in docs/grounders.md."""

from __future__ import annotations

import sys

from omnipilot.grounders import Family
from omnipilot.grounders.families import families

HEAD = ("family", "models", "numbers", "picture", "prompt", "evidence")


def table() -> str:
    """Every family as a line of Markdown: models, coordinate space, resize rule, origin of the prompt, evidence."""
    lines = [HEAD, tuple("---" for _ in HEAD), *(_line(family) for family in families())]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(family: Family) -> tuple[str, ...]:
    first, *more = family.models
    models = f"{first} and {len(more)} more" if more else first
    space = f"{family.space}, y first" if family.order == "yx" else family.space
    prompt = "template=FILE" if family.layout.takes_template else "ours" if family.layout.ours else "its own"
    return f"`{family.name}`", models, space, str(family.resize), prompt, family.evidence


if __name__ == "__main__":
    sys.stdout.write(f"{table()}\n")
