"""What is around the applications: home screen, desktop, windows, bars, banners."""
