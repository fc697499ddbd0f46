"""What a pool has come to: survivors of each stage, distributions, pictures of graphs, and examples to look at."""
