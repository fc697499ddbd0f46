"""ScreenSpot-Pro."""
