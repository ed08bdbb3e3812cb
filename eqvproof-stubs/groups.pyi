from eqvproof.claims.groups import *
