"""How duet's sub-tasks are judged, as data: one evaluator for each template, beside its judges in Python."""
