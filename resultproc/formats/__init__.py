"""The files that can be read and written: each format's reader and writer side by side."""
