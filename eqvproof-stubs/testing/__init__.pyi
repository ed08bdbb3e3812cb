from eqvproof.interface.testing import (
    assert_equivariant as assert_equivariant,
)
from eqvproof.interface.testing import (
    assert_equivariant_floats as assert_equivariant_floats,
)
from eqvproof.interface.testing import (
    assert_invariant as assert_invariant,
)
from eqvproof.interface.testing import (
    claim as claim,
)
from eqvproof.interface.testing import (
    claims_of as claims_of,
)
from eqvproof.interface.testing import (
    declared_claims as declared_claims,
)
