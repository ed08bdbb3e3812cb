from eqvproof.papers.library import *
