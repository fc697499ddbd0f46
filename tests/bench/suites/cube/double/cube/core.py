"""Actions."""


class Action:
    def __init__(self, name, arguments):
        self.name, self.arguments = name, arguments
