"""Pointing: asks grounders where on a screen to point, and counts the hits; for every pointing benchmark."""
