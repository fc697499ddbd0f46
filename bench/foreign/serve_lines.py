"""The other side of `ForeignProcess`: answers requests, one JSON line each.

This file is imported by scripts that run with a foreign interpreter, so it imports the standard library alone. What the
foreign code prints goes to standard error; standard output has nothing but answers.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

MOST_TRACE = 20_000
"""Characters of a traceback that are handed on, the last ones."""


def serve_lines(handlers: Mapping[str, Callable[..., Any]]) -> None:
    """Answer requests until standard input ends.

    A request is `{"id": 1, "do": "evaluate", "with": {…}}`: the handler of that name is called with what stands under
    `with`. Its answer is `{"id": 1, "value": …}`, or `{"id": 1, "error": "ValueError: …", "trace": "…"}` if it raises.

    Args:
        handlers: by name. What they return must be JSON; NaN and infinity are sent on, for the other side to refuse.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        try:
            text = json.dumps({"id": request["id"], "value": handlers[request["do"]](**request["with"])})
        except BaseException as error:  # also what a foreign library raises to end its process
            told = f"{type(error).__name__}: {error}"
            trace = traceback.format_exc()[-MOST_TRACE:]
            text = json.dumps({"id": request["id"], "error": told, "trace": trace})
        answers.write(text + "\n")
        answers.flush()
