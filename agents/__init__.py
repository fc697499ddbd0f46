"""Agents: act, composed from planners, grounders and memories."""
