"""What several formats share: tables of cells, XML, declarations, the columns of annotated sheets."""
