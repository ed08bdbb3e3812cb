from eqvproof.interface.plots import *
