"""The commands of scoring."""
