"""The vocabulary as JSON: reading, writing, and schemas for models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.schema.codec import action_from_json as action_from_json
    from omnipilot.envs.schema.codec import element_to_json as element_to_json
    from omnipilot.envs.schema.codec import from_call as from_call
    from omnipilot.envs.schema.codec import from_json as from_json
    from omnipilot.envs.schema.codec import to_json as to_json
    from omnipilot.envs.schema.json_schema import schema as schema
    from omnipilot.envs.schema.json_schema import tool_schema as tool_schema
    from omnipilot.envs.schema.json_text import parse_json as parse_json
    from omnipilot.envs.schema.read_csv import read_records as read_records
    from omnipilot.envs.schema.read_csv import read_rows as read_rows
    from omnipilot.envs.schema.records import RecordCodec as RecordCodec

__all__, __getattr__, __dir__ = lazy_exports(__name__)
