"""What OSWorld-MCP's figures are made of: whether tools were used where its tasks have some, and only there.

Jia et al. 2025 (https://arxiv.org/abs/2510.24563); the rules are those of the released `count_tools.py` and
`collect_steps.py`, except that a task counts as solved with a score of 1 alone, not with any that has a 1 in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omnipilot.envs import ConfigError

WITH_TOOLS, WITHOUT_TOOLS = "has_tool", "task_with_0_tools"
"""Its lists of tasks: 250 for which a tool helps, and 111 others."""
GET = "git clone https://github.com/X-PLUG/OSWorld-MCP, and name its folder with --data"
SCREEN = "computer_use"
"""The function of its agents that is mouse and keyboard, and no tool."""
_CALLS = (
    re.compile(r'<tool_call>\n\{"name": "(.+?)", "arguments"'),
    re.compile(r"OsworldMcpClient\.call_tool\(name='(.+?)', params="),
)


def read_lists(data: str) -> dict[str, bool]:
    """The tasks of a checkout of OSWorld-MCP, or of OSWorld's with its files: whether a tool helps.

    Raises:
        ConfigError: it has not both lists.
    """
    found: dict[str, bool] = {}
    for name, helps in ((WITH_TOOLS, True), (WITHOUT_TOOLS, False)):
        path = Path(data).expanduser() / "evaluation_examples" / f"{name}.json"
        if not data or not path.is_file():
            raise ConfigError(f"the variant mcp needs {name}.json in evaluation_examples: {GET}")
        listed: Mapping[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
        found |= {f"{domain}/{one}": helps for domain, ids in listed.items() for one in ids}
    return found


def calls_tool(row: Any) -> bool:
    """Whether a line of a trajectory of its runners calls a tool, by what the model said."""
    said = row.get("prediction") if isinstance(row, dict) else None
    if not isinstance(said, str):
        return False
    return any(match[1] != SCREEN for pattern in _CALLS if (match := pattern.search(said)))
