"""What people say of recordings: what decided each step, how far trajectories came, and whether all is sound."""
