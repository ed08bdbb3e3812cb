"""Certificates in the languages of proof assistants."""
