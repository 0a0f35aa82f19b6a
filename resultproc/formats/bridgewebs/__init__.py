"""The CSV that the results site BridgeWebs takes for upload."""
