"""``python -m cli``."""

import sys

from cli import main

if __name__ == "__main__":  # child processes import this module, too
    sys.exit(main())
