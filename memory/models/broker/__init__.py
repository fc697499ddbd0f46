"""The broker of endpoints: one limit for all that ask a server, in however many processes they are."""
