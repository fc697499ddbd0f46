"""The small grounding model that is shipped: its weights, which the family `mini-grounder` asks."""
