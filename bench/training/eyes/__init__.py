"""Training of the small eyes: screens, what is true of them, the networks that learn it, and how well they see."""
