"""Reading the data files of benchmarks."""
