from eqvproof.support.errors import *
