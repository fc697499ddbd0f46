"""A judge that says what the recorded answer tells it to say."""

import json
import os
from types import SimpleNamespace as Record


class WebArenaVerified:
    def __init__(self, config):
        if config is not None:
            json.loads(config.read_text())

    def get_tasks(self):
        return [Record(task_id=id, intent_template_id=id // 2, sites=("gitlab",)) for id in range(1, 6)]

    def evaluate_task(self, task_id, agent_response, network_trace):
        assert json.loads(network_trace.read_text())["log"]
        said = json.loads(agent_response.read_text())
        if said == "die":
            os._exit(3)
        return Record(status="error" if said == "error" else "success", score=float(said == 1), error_msg=None)
