"""Why a contestant won what it won."""
