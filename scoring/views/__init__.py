"""Scoring's pages."""
