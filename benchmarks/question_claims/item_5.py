"""Local gauge: a unitary matrix at each site, links between sites; complex matrices on several axes."""

import numpy as np

from benchmarks.question_claims.claim import Item

ITEM = Item(5, "Is it gauge invariant?")
FIELD, LINKS = "psi[complex]: n a", "psi[complex]: n a, U[complex]: n n a a*"


@ITEM.right(f"{LINKS} -> ()", "U(a) each n")
def hopping_energy(psi, U):
    return np.einsum("ia,ijab,jb->", psi.conj(), U, psi).real


@ITEM.right(f"{LINKS} -> n a", "U(a) each n")
def covariant_laplacian(psi, U):
    return np.einsum("ijab,jb->ia", U, psi) - len(psi) * psi


@ITEM.right("U[complex]: n n a a* -> n n n", "U(a) each n")
def triangles(U):
    return np.einsum("ijab,jkbc,kica->ijk", U, U, U).real


@ITEM.right(f"{FIELD} -> n", "U(a) each n")
def density(psi):
    return (np.abs(psi) ** 2).sum(-1)


@ITEM.right(f"{FIELD} -> n a a*", "U(a) each n")
def local_projector(psi):
    norm = (psi.real**2 + psi.imag**2).sum(-1)[:, None, None]
    return psi[:, :, None] * psi.conj()[:, None, :] / norm


@ITEM.right("A[complex]: a a* -> a a*", "U(a)")
def unit_frobenius_norm(A):
    return A / np.sqrt(np.trace(A @ A.conj().T).real)


@ITEM.right("H[complex]: a a*, rho[complex]: a a* -> a a*", "U(a)")
def von_neumann(H, rho):
    return -1j * (H @ rho - rho @ H)


@ITEM.right("M[complex]: n a a* -> n", "U(a) each n", sizes={"a": 2})
def size_of_determinant(M):
    return np.abs(M[:, 0, 0] * M[:, 1, 1] - M[:, 0, 1] * M[:, 1, 0])


@ITEM.right("U[complex]: n n a a* -> n n a a*", "U(a) each n")
def smeared_links(U):
    staples = np.einsum("ikac,kjcb->ijab", U, U)
    return 0.8 * U + 0.2 * staples / U.shape[0]


@ITEM.right(f"{LINKS} -> n a", "U(a) each n x S(n)")
def gauge_attention(psi, U):
    moved = np.einsum("ijab,jb->ija", U, psi)
    scores = np.einsum("ia,ija->ij", psi.conj(), moved).real
    weights = np.exp(scores - scores.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    return (weights[:, :, None] * moved).sum(1)


@ITEM.wrong(f"{FIELD} -> ()", "U(a) each n")
def overlaps_without_links(psi):
    return (np.abs(psi.conj() @ psi.T) ** 2).sum()


@ITEM.wrong(f"{FIELD} -> n a", "U(a) each n")
def plain_laplacian(psi):
    return psi.sum(0) - len(psi) * psi


@ITEM.wrong(f"{LINKS} -> n a", "U(a) each n")
def links_backwards(psi, U):
    return np.einsum("jiab,jb->ia", U, psi)


@ITEM.wrong(f"{FIELD} -> n", "U(a) each n")
def square_without_conjugate(psi):
    return (psi * psi).sum(-1).real


@ITEM.wrong(f"{FIELD} -> n a a*", "U(a) each n")
def projector_without_conjugate(psi):
    return psi[:, :, None] * psi[:, None, :]


@ITEM.wrong("A[complex]: a a*, B[complex]: a a* -> a a*", "U(a)")
def times_the_transpose(A, B):
    return A @ B.T


@ITEM.wrong("A[complex]: a a* -> ()", "U(a)")
def trace_with_transpose(A):
    return np.trace(A @ A.T).real


@ITEM.wrong("psi[complex]: n a, chi[complex]: n a -> n", "U(a) each n", sizes={"a": 2})
def determinant_of_two_fields(psi, chi):
    return (psi[:, 0] * chi[:, 1] - psi[:, 1] * chi[:, 0]).real


@ITEM.wrong("U[complex]: n n a a* -> n n a a*", "U(a) each n")
def staples_by_the_wrong_index(U):
    return np.einsum("ikac,kjbc->ijab", U, U)


@ITEM.wrong(f"{FIELD} -> n a", "U(a) each n")
def relu_of_both_parts(psi):
    return np.maximum(psi.real, 0) + 1j * np.maximum(psi.imag, 0)
