"""The prompts of layout 1, in which omnipilot 0.2 asked chat models: recordings made then are still replayed."""
