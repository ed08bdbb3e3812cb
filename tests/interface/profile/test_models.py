"""Profiles of trained networks, in torch, Equinox and NumPy: the broken layer is found, and fails alone."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.interface.profile import Status

DATA = np.random.default_rng(3).standard_normal((4, 6, 3))


def statuses(found):
    return {row.name: row.status for row in found.rows}


def grades(found):
    return {row.name: row.grade for row in found.rows if row.grade}


# -- torch ---------------------------------------------------------------------------------------
def torch_networks():
    torch = pytest.importorskip("torch")
    nn = torch.nn

    class Centre(nn.Module):
        def forward(self, x):
            return x - x.mean(-2, keepdim=True)

    class Positions(nn.Module):
        """Adds a small number for each position: the layer that is broken."""

        def forward(self, x):
            return x + 0.05 * torch.arange(x.shape[-2], dtype=x.dtype)[:, None]

    class Sum(nn.Module):
        def forward(self, x):
            return x.sum((-2, -1))

    class Late(nn.Module):
        """Calls a layer with something broken."""

        def __init__(self):
            super().__init__()
            self.lin = nn.Linear(3, 1)

        def forward(self, x):
            return self.lin(x * torch.arange(1, x.shape[-2] + 1)[:, None]).sum((-2, -1))

    def trained(*middle):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(3, 8), Centre(), *middle, nn.Tanh(), nn.Linear(8, 1), Sum())
        x, steps = torch.as_tensor(DATA, dtype=torch.float32), torch.optim.SGD(net.parameters(), lr=1e-3)
        for _ in range(20):
            steps.zero_grad()
            ((net(x) - x.square().sum((-2, -1))) ** 2).mean().backward()
            steps.step()
        return net.eval()

    return torch, trained, Positions, Late


def test_the_broken_layer_of_a_trained_torch_network():
    torch, trained, Positions, _ = torch_networks()
    x = torch.as_tensor(DATA, dtype=torch.float32)
    good = ep.profile(trained(), "x: b n 3 -> b", "S(n)", [x], alone=False)
    assert good.holds and good.first is None and set(statuses(good).values()) == {Status.KEEPS}
    net = trained(Positions())
    before = {k: v.clone() for k, v in net.state_dict().items()}
    found = ep.profile(net, "x: b n 3 -> b", "S(n)", [x], budget=300)
    assert statuses(found) == {
        "0": Status.KEEPS, "1": Status.KEEPS, "2": Status.BREAKS, "3": Status.INHERITS,
        "4": Status.INHERITS, "5": Status.INHERITS, "(model)": Status.INHERITS,
    }  # fmt: skip
    assert found.first is found.rows[2] and found.first.way == "b n 8" and found.is_confirmed
    assert grades(found) == {k: "FAILS EXACT" if k == "2" else "HOLDS PROVED" for k in "012345"}
    assert found.first.alone.counterexample is not None
    for row in found.rows[:-1]:
        assert ep.verify(row.alone.certificate).accepted
    assert found.error > 1000 * found.rounding
    assert all(torch.equal(v, before[k]) for k, v in net.state_dict().items())
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in net.modules())


def test_code_of_a_module_between_its_submodules_is_told_apart():
    torch, _, _, Late = torch_networks()
    x = torch.as_tensor(DATA)
    found = ep.profile(Late().double(), "x: b n 3 -> b", "S(n)", [x], alone=False)
    assert (found.first.name, found.first.place) == ("(model)", "before it calls lin")


def test_attention_and_transformers_are_seen_inside():
    torch, *_ = torch_networks()
    torch.manual_seed(1)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True).eval()
    x = torch.randn(2, 5, 8)
    found = ep.profile(layer, "x: b n 8 -> b n 8", "S(n)", [x], alone=False)
    assert found.holds and {"linear1", "self_attn", "norm2"} <= statuses(found).keys()


def test_irreps_are_mixed_by_matrices_and_are_not_blamed():
    torch, *_ = torch_networks()

    class Harmonics(torch.nn.Module):
        def forward(self, x):
            a, b, c = x.unbind(-1)
            parts = [a * b, b * c, c * a, (a * a - b * b) / 2, (2 * c * c - a * a - b * b) / 12**0.5]
            return torch.stack(parts, -1)

    class Power(torch.nn.Module):
        def forward(self, h):
            return (h**2).sum(-1)

    class Tilt(torch.nn.Module):
        def forward(self, h):
            return h + 0.01 * torch.arange(h.shape[-1])

    class Net(torch.nn.Module):
        def __init__(self, *last):
            super().__init__()
            self.harmonics, self.power, self.last = Harmonics(), Power(), torch.nn.Sequential(*last)

        def forward(self, x):
            return self.last(self.power(self.harmonics(x)))

    x = torch.as_tensor(DATA, dtype=torch.float32)
    found = ep.profile(Net(torch.nn.Tanh()), "x: b n 3 -> b n", "O(3) x S(n)", [x], alone=False)
    assert found.holds and found.rows[0].way == "b n [5]" and found.rows[1].way == "b n"
    broken = Net(torch.nn.Tanh(), Tilt(), torch.nn.Tanh())
    found = ep.profile(broken, "x: b n 3 -> b n", "O(3) x S(n)", [x], alone=False)
    assert found.first.name == "last.1" and found.rows[0].status is Status.KEEPS


def test_a_model_that_draws_random_numbers_is_refused():
    torch, *_ = torch_networks()
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.5)).train()
    with pytest.raises(ep.TargetError, match="two equal runs"):
        ep.profile(net, "x: b n 3 -> b n 4", "S(n)", [torch.as_tensor(DATA, dtype=torch.float32)])


def test_tables_of_deep_networks_are_short_and_show_the_first():
    torch, trained, Positions, _ = torch_networks()
    net = trained(*(torch.nn.Identity() for _ in range(30)), Positions())
    x = torch.as_tensor(DATA, dtype=torch.float32)
    found = ep.profile(net, "x: b n 3 -> b", "S(n)", [x], alone=False)
    table = str(found)
    assert len(table.splitlines()) <= 25 < len(found.rows) and "breaks the symmetry" in table
    assert found.first.name == "32" and found._repr_html_().startswith("<table>")
    matplotlib = pytest.importorskip("matplotlib")
    assert isinstance(found.plot(), matplotlib.figure.Figure)


# -- Equinox -------------------------------------------------------------------------------------
def equinox_networks():
    jax, eqx = pytest.importorskip("jax"), pytest.importorskip("equinox")
    jnp = jax.numpy
    x = jnp.asarray(DATA[0], dtype=jnp.float32)

    class Mix(eqx.Module):
        weight: jax.Array
        bias: float

        def __call__(self, v):
            return self.weight @ v + self.bias * jnp.arange(3.0)

    class Gate(eqx.Module):
        weight: jax.Array

        def __call__(self, v):
            return v * self.weight[:, None] / jnp.sqrt(1 + (v**2).sum(-1, keepdims=True))

    class Net(eqx.Module):
        layers: list
        head: eqx.nn.Linear

        def __call__(self, x):
            def of_point(v):
                h = v[None]
                for layer in self.layers:
                    h = layer(h)
                return self.head((h**2).sum(-1))

            return jax.vmap(of_point)(x).sum()

    def trained(*biases):
        keys = jax.random.split(jax.random.PRNGKey(0), 5)
        layers = [
            Mix(jax.random.normal(keys[0], (4, 1)), biases[0]), Gate(jax.random.normal(keys[1], (4,))),
            Mix(jax.random.normal(keys[2], (4, 4)), biases[1]), Gate(jax.random.normal(keys[3], (4,))),
        ]  # fmt: skip
        net = Net(layers, eqx.nn.Linear(4, 1, key=keys[4]))
        grad = eqx.filter_grad(lambda net, x: (net(x) - (x**2).sum()) ** 2)
        for _ in range(3):
            arrays, rest = eqx.partition(net, eqx.is_array)
            steps = eqx.filter(grad(net, x), eqx.is_array)
            net = eqx.combine(jax.tree_util.tree_map(lambda p, g: p - 1e-4 * g, arrays, steps), rest)
        return net

    return trained, Mix, x


def test_the_broken_layer_of_a_trained_equinox_network():
    trained, Mix, x = equinox_networks()
    call = Mix.__call__
    found = ep.profile(trained(0.0, 0.1), "x: n 3 -> ()", "O(3) x S(n)", [x], alone=False)
    assert found.first.name == "layers.2" and found.first.way == "n 4 3" and found.is_confirmed, str(found)
    assert Mix.__call__ is call


@pytest.mark.slow
def test_two_broken_layers_of_an_equinox_network_and_the_grades_of_all():
    trained, _, x = equinox_networks()
    good = ep.profile(trained(0.0, 0.0), "x: n 3 -> ()", "O(3) x S(n)", [x], alone=False)
    assert good.holds and set(statuses(good).values()) == {Status.KEEPS}, str(good)
    found = ep.profile(trained(0.1, 0.1), "x: n 3 -> ()", "O(3) x S(n)", [x], budget=300)
    broken = [row.name for row in found.rows if row.status is Status.BREAKS]
    assert broken == ["layers.0", "layers.2"] and found.is_confirmed, str(found)
    others = ["layers.1", "layers.3", "head"]
    expected = dict.fromkeys(broken, "FAILS EXACT") | dict.fromkeys(others, "HOLDS PROVED")
    assert grades(found) == expected, str(found)


# -- objects of NumPy ----------------------------------------------------------------------------
class Layer:
    def __init__(self, weight, bias=0.0):
        self.weight, self.bias = weight, bias

    def __call__(self, x):
        return np.tanh(x @ self.weight + self.bias * np.arange(len(x))[:, None])


class Twice(Layer):
    def __call__(self, x):
        return super().__call__(x) * 2


class Chain:
    def __init__(self, *layers):
        self.layers = {"a": layers[0], "b": list(layers[1:])}

    def __call__(self, x):
        h = self.layers["a"](x)
        for layer in self.layers["b"]:
            h = layer(h)
        return h.sum(0)


def test_parts_of_plain_objects_have_paths():
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal(s) for s in ((3, 4), (4, 4), (4, 2))]
    good = Chain(Layer(weights[0]), Twice(weights[1]), Layer(weights[2]))
    found = ep.profile(good, "x: n 3 -> 2", "S(n)", [DATA[0]], alone=False)
    assert found.holds and list(statuses(found)) == ["layers.a", "layers.b.0", "layers.b.1", "(model)"]
    bad = Chain(Layer(weights[0]), Twice(weights[1], 0.01), Layer(weights[2]))
    found = ep.profile(bad, "x: n 3 -> 2", "S(n)", [DATA[0]], alone=False)
    assert found.first.name == "layers.b.0" and found.first.way == "n 4"
