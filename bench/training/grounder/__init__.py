"""Training of a small grounder: screens with instructions, the form of the model, how it is taught."""
