"""Planners over chat models: function calling, JSON, scripts, and the roles of teams."""
