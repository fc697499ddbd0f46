"""Training of small ears: speech by espeak-ng, how they are taught, and what they are measured with."""
