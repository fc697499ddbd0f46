"""What a comparison says, in files that lie beside its page: `results.txt` to read, `results.json` for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from omnipilot.bench.report.terminal_tables import plain_tables
from omnipilot.memory.secrets import scrub_values
from omnipilot.memory.secrets.scrub import scrub_error

if TYPE_CHECKING:
    from omnipilot.bench.report.conclusions import Conclusion
    from omnipilot.bench.tables import Table

TEXT, JSON = "results.txt", "results.json"


def store_results(folder: Path, conclusion: Conclusion, tables: Mapping[str, Sequence[Table]]) -> Path:
    """Write both files whole, with all rows and all notes.

    `results.json` holds `conclusion` (`text`, and the names of what is `better`, `worse` and `untold`) and `tables`,
    each with `title`, `columns`, `rows` and `notes`; cells are text, as in the tables.

    Args:
        folder: made if it is not there. tables: by the title of the section that they belong to.

    Returns:
        Where the text is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    every = [table for some in tables.values() for table in some]
    text = folder / TEXT
    text.write_text(f"{scrub_error(conclusion.text)}\n\n{plain_tables(every)}\n", encoding="utf-8")
    data = {
        "conclusion": conclusion.to_json(),
        "tables": [
            {"title": title, "columns": table.columns, "rows": table.rows, "notes": table.with_methods().notes}
            for title, some in tables.items()
            for table in some
        ],
    }
    written = json.dumps(scrub_values(data, error=True), ensure_ascii=False, indent=1)
    (folder / JSON).write_text(f"{written}\n", encoding="utf-8")
    return text
