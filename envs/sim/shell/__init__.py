"""The shell around applications: home screen, desktop, windows, bars, banners."""
