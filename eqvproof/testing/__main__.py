"""``python -m eqvproof.testing``: the declared claims of files and modules."""

import sys

from eqvproof.testing.declared import main

if __name__ == "__main__":
    sys.exit(main())
