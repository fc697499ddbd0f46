"""What a desktop shows and sounds: single pictures, and the last minutes as film and sound."""
