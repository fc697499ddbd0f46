"""Any web page in a real Chromium, as an environment and as a world."""
