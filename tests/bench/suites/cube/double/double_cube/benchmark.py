"""Tasks that ask for a sum; each says by its name what goes wrong."""

from types import SimpleNamespace as Record


class TextContent:
    def __init__(self, data, name=None):
        self.data, self.name = data, name


class ImageContent(TextContent):
    pass


def observe(*contents):
    return Record(contents=list(contents))


NUMBER = {
    "type": "object",
    "properties": {"answer": {"type": "integer", "description": "The sum."}},
    "required": ["answer"],
}
ACTIONS = [
    Record(name="submit_answer", description="Submit the sum.", parameters=NUMBER),
    Record(name="click", description="Click at nothing.", parameters={}),
    Record(name="browser_mouse_click_xy", description="Click.", parameters={}),
    Record(name="final_step", description="Stop.", parameters={}),
]


class Task:
    action_set = ACTIONS

    def __init__(self, id, seed):
        self.id, self.seed, self.reward = id, seed, 0.0

    def reset(self):
        from PIL import Image

        picture = ImageContent(Image.new("RGB", (40, 20), (9, 8, 7)), "screenshot")
        return observe(TextContent(f"What is {self.seed} + 1?"), TextContent("a page", "tree"), picture), {}

    def step(self, action):
        error, done, reward = None, False, 0.0
        if action.name == "submit_answer":
            done = True
            reward = {"nan": float("nan"), "half": 0.5}.get(self.id, float(action.arguments["answer"] == self.seed + 1))
        elif action.name == "final_step":
            done = True
        elif action.name == "browser_mouse_click_xy":
            done, reward = True, float(action.arguments == {"x": 10, "y": 5})
        else:
            error = Record(error_type="ValueError", exception_str="there is nothing")
        return Record(obs=observe(TextContent(f"did {action.name}")), reward=reward, done=done, error=error)

    def close(self):
        pass


class TaskConfig:
    def __init__(self, id, seed=None):
        self.metadata, self.seed = Record(id=id), seed

    def model_copy(self, update):
        return TaskConfig(self.metadata.id, **update)

    def make(self, runtime_context):
        assert runtime_context == {"started": True}
        return Task(self.metadata.id, self.seed)


class Config:
    benchmark_metadata = Record(description="Sums.")

    def __init__(self, ids=("sum", "half", "nan")):
        self.ids = ids

    @classmethod
    def model_validate(cls, config):
        return cls(**config)

    def tasks(self):
        return {
            id: Record(id=id, abstract_description="Add.", split="test", recommended_max_steps=3) for id in self.ids
        }

    def get_task_configs(self):
        return (TaskConfig(id) for id in self.ids)

    def make(self):
        return Record(_runtime_context={"started": True}, close=lambda: None)
