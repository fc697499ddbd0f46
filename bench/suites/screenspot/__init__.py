"""ScreenSpot v1 and v2."""
