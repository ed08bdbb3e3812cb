from eqvproof.interface.strategies import *
