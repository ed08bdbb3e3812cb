"""``python -m eqvproof``: the command line."""

import sys

from eqvproof.interface.cli import main

if __name__ == "__main__":
    sys.exit(main())
