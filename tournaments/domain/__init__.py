"""Who plays whom and when, as plain values: no framework, no database, no clock."""
