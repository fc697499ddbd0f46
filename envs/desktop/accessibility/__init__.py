"""The elements on a Linux desktop, read from its programs over AT-SPI."""
