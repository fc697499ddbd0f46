"""Figures: what they show (`records`), and how matplotlib draws it for paper and screens."""
