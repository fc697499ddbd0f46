"""Runs in parts: which episodes a shard plays, how shards become one run, and how a cluster is told to play them."""
