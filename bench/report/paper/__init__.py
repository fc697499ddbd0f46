"""Tables that go into a paper as they are: the record, its writers, and how it is made to fit."""
