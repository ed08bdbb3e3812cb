from eqvproof.claims.domains import *
