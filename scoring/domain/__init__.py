"""What matches are worth and who stands where, as plain values: no framework, no database, no clock."""
