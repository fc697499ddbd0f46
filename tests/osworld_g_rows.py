"""A record of OSWorld-G, and its file of classes."""

from __future__ import annotations

GOOD = {
    "id": "a-0",
    "image_path": "a.png",
    "image_size": [200, 100],
    "instruction": "click it",
    "box_type": "bbox",
    "box_coordinates": [20, 10, 40, 30],
    "GUI_types": ["Button"],
}


CLASSES = {"classified": {"text_matching": [{"id": "a-0"}, {"id": "a-1"}], "layout_understanding": ["a-1"]}}
