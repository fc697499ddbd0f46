"""The known native model families, one record each."""
