from eqvproof.interface.testing.e3nn import *
