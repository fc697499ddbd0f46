"""The study of what a small planner is trained on: hand-written tasks, chains, graphs, or both with intents."""
