"""The planner without a model: a frozen baseline."""
