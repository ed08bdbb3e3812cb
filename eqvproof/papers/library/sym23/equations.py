"""Hypotheses about group actions that several statements use, as equations of terms."""

#: g * x = x o ._{g^-1}
STAR = {"g * x = x o ._{g^-1}": "star(g, x) = comp(x, inv(g))"}
#: (g^-1)^-1 = g
DOUBLE_INVERSE = {"(g^-1)^-1 = g": "inv(inv(g)) = g"}
