"""``python -m eqvproof.interface.testing``: the declared claims of files and modules."""

import sys

from eqvproof.interface.testing.declared import main

if __name__ == "__main__":
    sys.exit(main())
