"""Who is who: from a name in a cell, over the games of an evening, to a person over decades."""
