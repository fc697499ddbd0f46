"""Says a graph in words, and checks that the words say the graph."""
