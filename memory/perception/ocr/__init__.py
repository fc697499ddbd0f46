"""OCR: the text of a screenshot as elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.perception.ocr.lines import in_order as in_order
    from omnipilot.memory.perception.ocr.reader import OcrReader as OcrReader
    from omnipilot.memory.perception.ocr.reader import shared_reader as shared_reader

__all__, __getattr__, __dir__ = lazy_exports(__name__)
