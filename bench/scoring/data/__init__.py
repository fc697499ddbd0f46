"""Reading the data files of benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.scoring.data.archives import extract_zip as extract_zip
    from omnipilot.bench.scoring.data.archives import gunzip as gunzip
    from omnipilot.bench.scoring.data.json_file import parse as parse
    from omnipilot.bench.scoring.data.json_file import read_json as read_json
    from omnipilot.bench.scoring.data.parquet_file import check_parquet as check_parquet
    from omnipilot.bench.scoring.data.pictures import picture as picture
    from omnipilot.bench.scoring.data.pictures import picture_size as picture_size
    from omnipilot.bench.scoring.data.records import Bad as Bad
    from omnipilot.bench.scoring.data.records import BadRecord as BadRecord
    from omnipilot.bench.scoring.data.records import Loaded as Loaded
    from omnipilot.bench.scoring.data.records import Record as Record
    from omnipilot.bench.scoring.data.records import read_each as read_each
    from omnipilot.bench.scoring.data.source import Source as Source
    from omnipilot.bench.scoring.data.source import is_file as is_file
    from omnipilot.bench.scoring.data.source import media as media
    from omnipilot.bench.scoring.data.source import records_of as records_of

__all__, __getattr__, __dir__ = lazy_exports(__name__)
