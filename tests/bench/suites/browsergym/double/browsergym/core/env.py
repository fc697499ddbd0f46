"""A page with a button, a field, a list and a clickable word, drawn 1.5 times as large as its viewport.

The button gives the reward; each task says by its name what goes wrong.
"""

import ast

import numpy as np


class Chat:
    def __init__(self, *_, **__):
        raise AssertionError("the browser of the chat would be started")


NODES = [
    {"nodeId": "1", "role": {"value": "RootWebArea"}, "name": {"value": "A page"}, "childIds": ["2", "3", "4", "5"]},
    {"nodeId": "2", "role": {"value": "button"}, "name": {"value": "Save"}, "browsergym_id": "12"},
    {
        "nodeId": "3",
        "role": {"value": "textbox"},
        "name": {"value": "Note"},
        "value": {"value": "old"},
        "browsergym_id": "a3",
        "properties": [{"name": "focused", "value": {"value": True}}, {"name": "disabled", "value": {"value": False}}],
    },
    {"nodeId": "4", "role": {"value": "generic"}, "name": {"value": ""}, "browsergym_id": "14", "childIds": ["6"]},
    {"nodeId": "5", "role": {"value": "combobox"}, "name": {"value": "Colour"}, "browsergym_id": "15"},
    {"nodeId": "6", "role": {"value": "StaticText"}, "name": {"value": "here"}},
    {"nodeId": "7", "role": {"value": "button"}, "name": {"value": "unseen"}, "browsergym_id": "16"},
    {"nodeId": "8", "role": {"value": "generic"}, "name": {"value": ""}, "browsergym_id": "17"},
]
BOXES = {
    "12": [10.0, 10.0, 100.0, 40.0],
    "a3": [10.0, 80.0, 200.0, 20.0],
    "14": [10.0, 60.0, 40.0, 15.0],
    "15": [10.0, 110.0, 100.0, 30.0],
    "16": [10.0, 10.0, 100.0, 40.0],
    "17": [0.0, 0.0, 300.0, 150.0],
}
DOM = {
    "strings": ["bid", "12", "a3", "14", "15", "BUTTON", "INPUT", "SPAN", "SELECT"],
    "documents": [{"nodes": {"nodeName": [5, 6, 7, 8], "attributes": [[0, 1], [0, 2], [0, 3], [0, 4]]}}],
}


class BrowserEnv:
    def __init__(self, task, headless, slow_mo, pre_observation_delay, action_mapping, pw_chromium_kwargs=None,
                 task_kwargs=None):  # fmt: skip
        assert headless and slow_mo == 0 and "args" not in (pw_chromium_kwargs or {})
        self.task, self.given, self.mapping = task, task_kwargs or {}, action_mapping

    def reset(self, seed):
        from browsergym.core import env

        self.chat = env.Chat(headless=True)
        self.chat.add_message("info", "shown alone")
        self.seed, self.error = seed, ""
        if self.task.endswith("unbegun"):
            raise RuntimeError("the server does not answer")
        return self._observation(), {"task_info": {}}

    def _observation(self):
        goal = [{"type": "text", "text": self.given.get("goal", f"Save the note {self.seed}")}]
        if self.task.endswith("pictured"):
            goal.append({"type": "image_url", "image_url": "data:"})
        return {
            "screenshot": np.zeros((150, 300, 3), np.uint8) + self.seed % 250,
            "axtree_object": {"nodes": NODES},
            "dom_object": DOM,
            "extra_element_properties": {
                bid: {"bbox": box, "visibility": float(bid != "16"), "clickable": bid in ("12", "14")}
                for bid, box in BOXES.items()
            },
            "goal_object": tuple(goal),
            "url": self.given.get("start_url", "file:///page"),
            "open_pages_titles": ("A page",),
            "active_page_index": np.asarray([0]),
            "last_action_error": self.error,
        }

    def step(self, action):
        self.error, reward, done = "", 0.0, False
        for line in self.mapping(action).splitlines():
            call = ast.parse(line, mode="eval").body
            values = [ast.literal_eval(value) for value in call.args]
            name = call.func.id
            if name == "send_msg_to_user":
                self.chat.add_message("assistant", *values)
            if name == "report_infeasible":
                self.chat.add_message("infeasible", *values)
                done = True
            if name == "click" and values[0] == "15":
                self.error = "TimeoutError: Locator.click: Timeout 500ms exceeded.\nCall log:\n  waiting"
            if (name, *values[:2]) == ("mouse_click", 60, 30) or (name, *values[:1]) == ("click", "12"):
                reward, done = {"half": (0.5, False), "nan": (float("nan"), True)}.get(
                    self.task.rpartition(".")[2], (1.0, True)
                )
        if self.chat.messages and self.chat.messages[-1]["message"] == "42":
            reward, done = 1.0, True
        if self.task.endswith("dying"):
            raise SystemExit(3)
        return self._observation(), reward, done, False, {}

    def close(self):
        self.mapping = None
