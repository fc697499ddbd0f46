"""OmniBench's experiments on any suite (§5): levels, chains against graphs, orders of words, intents, people."""
