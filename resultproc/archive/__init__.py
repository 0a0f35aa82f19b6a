"""An archive: games of many years in Parquet, what is asked of them, and the run over all of them."""
