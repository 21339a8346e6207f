"""Tables of an earlier call are used again where they are right, and nowhere else."""

import copy
import io

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx

from posenc.torch import AxialRotaryEmbedding, RotaryEmbedding
from posenc.torch.cache import TableCache

P = torch.arange(4) + 1000


def make_rope() -> RotaryEmbedding:
    return RotaryEmbedding(8, layout="half", seq_axis=-2)


def queries(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64).to(dtype)


X = queries(2, 3, 4, 8)


def used() -> RotaryEmbedding:
    """Return a module that keeps the tables of X and P."""
    rope = make_rope()
    rope(X, P)
    return rope


def count_computed(rope: RotaryEmbedding, calls) -> int:
    """Return in how many calls cosines are computed."""
    computed, compute = 0, rope._cos_sin

    def count(*arguments):
        nonlocal computed
        computed += 1
        return compute(*arguments)

    rope.__dict__["_cos_sin"] = count
    for call in calls:
        call(rope)
    return computed


@pytest.mark.parametrize("positions", [None, P, P.expand(2, 4), P.double() / 3])
def test_equal_positions_are_computed_once(positions):
    keys = queries(2, 1, 4, 8)
    again = None if positions is None else positions.clone()
    calls = [lambda m: m(X, positions), lambda m: m(X, again), lambda m: m(keys, again)]

    # Keys have another number of heads, and their tables are the same.
    assert count_computed(make_rope(), calls) == 1


def make_axial() -> AxialRotaryEmbedding:
    return AxialRotaryEmbedding(8, 2, layout="half", seq_axis=-2)


POINTS = torch.rand(4, 2)


@pytest.mark.parametrize("points", [POINTS, POINTS.expand(2, 4, 2)])
def test_equal_points_are_computed_once(points):
    keys = queries(2, 1, 4, 8)
    calls = [lambda m: m(X, points), lambda m: m(keys, points.clone())]

    assert count_computed(make_axial(), calls) == 1


def test_other_points_are_noticed():
    rope = make_axial()
    rope(X, POINTS)

    assert (rope(X, POINTS.flip(0)) == make_axial()(X, POINTS.flip(0))).all()


def test_points_that_do_not_fit_are_refused_also_when_they_are_known():
    rope, points = make_axial(), POINTS.expand(2, 3, 4, 2)
    rope(X, points)

    with pytest.raises(ValueError, match="points must have shape"):
        rope(X[:, :1], points)


CHANGES = {
    "positions": lambda m: m(X, P + 1),
    "no positions": lambda m: m(X),
    "positions of a batch": lambda m: m(X, torch.stack([P, P + 1])),
    "dtype": lambda m: m(X.double(), P),
    "narrow dtype": lambda m: m(X.bfloat16(), P),
    "length": lambda m: m(X[:, :, :3], P[:3]),
    "axes": lambda m: m(X[0], P),
    "int32": lambda m: m(X, P.int()),
    "float": lambda m: m(X, P.float() + 0.5),
}


@pytest.mark.parametrize("call", CHANGES.values(), ids=CHANGES)
def test_a_used_module_gives_what_a_new_one_does(call):
    assert (call(used()) == call(make_rope())).all()


@pytest.mark.parametrize(
    ("positions", "x"),
    [
        (P, X[:, :, :1]),
        (P.expand(2, 4), X[:1, :1]),
        (P.expand(2, 3, 4), X[:, :1]),
    ],
)
def test_positions_that_do_not_fit_are_refused_also_when_they_are_known(positions, x):
    rope = make_rope()
    rope(X, positions)

    with pytest.raises(ValueError, match="positions must have shape"):
        rope(x, positions)


def test_queries_with_another_number_of_axes_get_tables_of_their_own():
    rope, positions = make_rope(), torch.stack([P, P + 5])
    whole = rope(X, positions)

    assert (rope(X[:, 0], positions) == whole[:, 0]).all()


def test_positions_overwritten_in_place_are_noticed():
    rope, positions = make_rope(), P.clone()
    for mode in (torch.inference_mode(), torch.no_grad()):
        with mode:  # in the first, PyTorch counts no versions
            rope(X, positions)
            positions.data.add_(1)
            assert (rope(X, positions) == make_rope()(X, positions)).all()


@pytest.mark.parametrize(
    "change",
    [
        lambda m: setattr(m, "attention_factor", 2.0),
        lambda m: setattr(m, "layout", "interleaved"),
        lambda m: setattr(m, "clockwise", True),
        lambda m: setattr(m, "inv_freq", m.inv_freq / 2),
        lambda m: m.inv_freq.mul_(0.5),
        lambda m: setattr(m, "compute_dtype", torch.float64),
    ],
    ids=["factor", "layout", "clockwise", "inv_freq", "in place", "compute_dtype"],
)
def test_changed_settings_are_noticed(change):
    rope, fresh = used(), make_rope()
    change(rope)
    change(fresh)

    assert (rope(X, P) == fresh(X, P)).all()
    assert (rope(X, P) != used()(X, P)).any()


@pytest.mark.parametrize("positions", [None, P])
@pytest.mark.parametrize("make", [make_rope, lambda: copy.deepcopy(used())])
def test_inference_leaves_nothing_that_training_refuses(make, positions):
    ropes = [make()]
    with torch.inference_mode():
        ropes.append(make())
        for rope in ropes:
            rope(X, positions)

    for rope in ropes:
        x = X.clone().requires_grad_()
        rope(x, positions).sum().backward()
        assert x.grad is not None


def test_frequencies_may_have_gradients():
    rope = make_rope()
    rope.inv_freq.requires_grad_()

    for _ in range(2):
        rope(X, P).sum().backward()

    assert rope.inv_freq.grad is not None


def test_positions_may_have_gradients():
    positions, rope = P.double(), make_rope()
    rope(X, positions)
    tracked = positions.clone().requires_grad_()
    for _ in range(2):
        rope(X, tracked).sum().backward()

    assert tracked.grad is not None


@pytest.mark.filterwarnings("ignore:.*torch.jit.*deprecated")  # PyTorch's own use
def test_positions_may_have_forward_gradients():
    positions, rope = P.double(), make_rope()
    rope(X, positions)
    with forward_ad.dual_level():
        for _ in range(2):
            dual = forward_ad.make_dual(positions, torch.ones_like(positions))
            assert forward_ad.unpack_dual(rope(X, dual)).tangent is not None


def save_and_load(module):
    file = io.BytesIO()
    torch.save(module, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


@pytest.mark.parametrize("again", [copy.deepcopy, save_and_load])
def test_copies_start_empty(again):
    found = again(used())

    assert found._cache._last is None
    assert (found(X, P) == used()(X, P)).all()


def test_state_dict_holds_no_tables():
    assert not used().state_dict()
    assert [name for name, _ in used().named_buffers()] == ["inv_freq"]


def test_positions_may_be_mapped():
    many = torch.stack([P, P + 3])

    found = torch.vmap(used(), in_dims=(None, 0))(X, many)

    assert (found[1] == make_rope()(X, P + 3)).all()
    assert torch.vmap(used(), in_dims=(0, None))(X, P).shape == X.shape


def test_a_traced_graph_computes_its_tables():
    graph = make_fx(used())(X, P)

    assert (graph(X, P + 3) == make_rope()(X, P + 3)).all()


@pytest.mark.filterwarnings("ignore:.*torch.jit.*deprecated")
@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")
def test_a_torchscript_trace_computes_its_tables():
    graph = torch.jit.trace(used(), (X, P))

    assert (graph(X, P + 3) == make_rope()(X, P + 3)).all()


def test_compiled_and_exported_graphs_compute_their_tables():
    for graph in (
        torch.compile(used(), fullgraph=True, backend="eager"),
        torch.export.export(used(), (X, P)).module(),
    ):
        assert (graph(X, P + 3) == make_rope()(X, P + 3)).all()


def test_fake_tensors_are_not_kept():
    rope = used()
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        rope(mode.from_tensor(X))
        rope(mode.from_tensor(X), mode.from_tensor(P))

    assert (rope(X) == make_rope()(X)).all()
    assert (rope(X, P) == make_rope()(X, P)).all()


def test_another_device_gets_its_own_tables():
    rope = used().to("meta")

    assert rope(X.to("meta"), P.to("meta")).is_meta
    assert rope(X.to("meta")).is_meta
    assert isinstance(rope._cache, TableCache)
    assert (rope.to_empty(device="cpu")(X, P) == make_rope()(X, P)).all()
