"""`python -m chibi_bridge` is the command line."""

from chibi_bridge.cli import main

if __name__ == "__main__":
    main()
