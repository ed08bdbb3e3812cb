from eqvproof.papers.statements import *
