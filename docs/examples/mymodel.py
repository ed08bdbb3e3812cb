"""Functions that the documentation judges."""

import numpy as np


def softmax(scores, axis):
    weights = np.exp(scores)
    return weights / np.sum(weights, axis=axis, keepdims=True)


def attention(X):
    """Columns of X attend to each other through their inner products."""
    return X @ softmax(X.T @ X, axis=0)


def gate(X):
    """The same with the softmax of X itself."""
    return X @ softmax(X.T @ softmax(X, axis=0), axis=0)


def centre(X):
    """Subtracts the mean of the columns."""
    return X - X.mean(axis=1, keepdims=True)
