"""eqvproof: claims of invariance and equivariance, proved or refuted without a tolerance."""
