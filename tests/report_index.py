"""The index of a report's page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any


def index_of(page: Path) -> Any:
    found = re.search(r'id="index">(.*?)</script>', page.read_text("utf-8"), re.S)
    assert found
    return json.loads(found.group(1))
