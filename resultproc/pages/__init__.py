"""What writers and reports share: pages, tables, workbooks, the words of a sheet, and the parts of JSON."""
