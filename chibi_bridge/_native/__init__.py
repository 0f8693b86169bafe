"""The engine's door: build.py makes it, lib.py alone opens it."""
