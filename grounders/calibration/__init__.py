"""Does a grounder point where it means to?"""
