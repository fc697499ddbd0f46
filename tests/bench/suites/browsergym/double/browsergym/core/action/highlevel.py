"""An action set whose code is the action itself."""


class HighLevelActionSet:
    def __init__(self, subsets, multiaction, strict):
        assert multiaction and strict and {"bid", "coord", "nav", "tab", "chat", "infeas"} == set(subsets)

    def to_python_code(self, action):
        return action
