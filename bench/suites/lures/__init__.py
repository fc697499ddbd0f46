"""The suite `lures`: benign tasks of the embedded world in which somebody has planted an instruction."""
