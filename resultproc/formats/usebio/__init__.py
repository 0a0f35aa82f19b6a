"""USEBIO: the XML that British clubs upload."""
