"""``python -m cli``."""

import sys

from cli import main

if __name__ == "__main__":  # processes that it starts import it too
    sys.exit(main())
