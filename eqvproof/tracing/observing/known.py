"""The names that are known to be pure: the list behind `pure`.

A name is listed here if its value is a function of its arguments, or a constant. All other names
are refused.
"""

from __future__ import annotations

import builtins

#: Python's own functions and types, including exceptions.
BUILTINS: frozenset[str] = frozenset(
    "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod"
    " enumerate "
    "filter float frozenset hex int isinstance issubclass iter len list map max min next oct ord"
    " pow "
    "print property range reversed round set slice sorted staticmethod str sum super tuple zip "
    "NotImplemented Ellipsis".split()
) | {n for n, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException)}
_STATISTICS = (
    "allclose average corrcoef cov digitize histogram histogram2d histogram_bin_edges histogramdd"
)
#: Functions and constants of NumPy other than those that are traced; JAX has most of them under
#: these names.
_NUMPY = f"""{_STATISTICS}
    apply_along_axis apply_over_axes argpartition argwhere array_equal array_equiv asarray_chkfinite bartlett
    base_repr binary_repr blackman broadcast broadcast_shapes can_cast common_type compress copyto
    cumulative_prod delete diag_indices diag_indices_from dsplit ediff1d einsum_path errstate extract finfo
    flatnonzero fromfunction fromiter geomspace gradient hamming hanning i0 iinfo index_exp indices insert
    interp intersect1d isclose iscomplex isdtype isin isneginf isposinf isreal issubdtype iterable ix_ kaiser
    lexsort logspace mask_indices meshgrid mgrid min_scalar_type nan_to_num nanargmax nanargmin nancumprod
    nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar
    ndenumerate ndindex nonzero ogrid packbits partition piecewise place poly poly1d polyadd polyder polydiv
    polyfit polyint polymul polysub polyval promote_types put putmask r_ c_ s_ ravel_multi_index real_if_close
    result_type roots rot90 searchsorted setdiff1d setxor1d sort_complex trapezoid tril_indices
    tril_indices_from trim_zeros triu_indices triu_indices_from angle append column_stack dstack fix fliplr
    flipud hsplit hstack imag real rollaxis row_stack vsplit vstack union1d unique unique_all unique_counts
    unique_inverse unique_values unpackbits unravel_index unwrap vander vectorize
    False_ True_ bool bool_ byte cdouble clongdouble complex128 complex64 complexfloating csingle double dtype
    e euler_gamma float128 float16 float32 float64 floating generic half inexact inf int16 int32 int64 int8
    int_ intc integer intp long longdouble longlong nan ndarray newaxis number pi short signedinteger single
    ubyte uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong unsignedinteger ushort ufunc"""
#: Names of PyTorch: functions that make tensors, types, and functions that say how others are
#: applied.
_TORCH = """
    Size Tensor arange as_tensor asarray autograd bartlett_window blackman_window broadcast_shapes can_cast
    channels_last channels_last_3d contiguous_format device dtype e enable_grad eye finfo fft float from_numpy
    empty full func functional hamming_window hann_window iinfo inf is_tensor jit kaiser_window layout linalg
    linspace logspace long manual_seed memory_format nan newaxis nn no_grad normal ones ops pi preserve_format
    promote_types rand rand_like randint randn randn_like randperm range result_type return_types
    scalar_tensor set_grad_enabled special strided sym_sqrt tensor tril_indices triu_indices unique vander
    vmap zeros inference_mode autocast compile cond while_loop _check _assert"""
_OPERATOR = """
    abs add and_ call concat contains countOf delitem eq floordiv ge getitem gt iadd iand iconcat ifloordiv
    ilshift imatmul imod imul index indexOf inv invert ior ipow irshift isub itemgetter itruediv ixor le
    length_hint lshift lt matmul mod mul ne neg not_ or_ pos pow rshift setitem sub truediv truth xor"""
_JAX = """
    Array ShapeDtypeStruct checkpoint closure_convert custom_batching custom_gradient custom_jvp custom_vjp
    device_put dtypes ensure_compile_time_eval eval_shape grad hessian image jacfwd jacobian jacrev jit jvp
    lax linear_transpose linearize named_call named_scope nn numpy ops pmap random remat scipy tree tree_util
    typing value_and_grad vjp vmap block_until_ready"""
#: Module -> the names in it that are known to be pure; "*" for all without a leading underscore.
NAMED: dict[str, frozenset[str]] = {
    name: frozenset(names.split())
    for name, names in {
        "math": "*",
        "cmath": "*",
        "itertools": "*",
        "typing": "*",
        "typing_extensions": "*",
        "numbers": "*",
        "bisect": "*",
        "heapq": "*",
        "enum": "*",
        "textwrap": "*",
        "collections.abc": "*",
        "__future__": "*",
        "operator": _OPERATOR,
        "functools": "partial partialmethod reduce wraps update_wrapper cmp_to_key lru_cache cache"
        " cached_property total_ordering",
        "collections": "ChainMap Counter OrderedDict UserDict UserList defaultdict deque"
        " namedtuple abc",
        "contextlib": "contextmanager nullcontext AbstractContextManager ContextDecorator",
        "dataclasses": "dataclass field fields replace asdict astuple is_dataclass InitVar KW_ONLY"
        " MISSING"
        " Field",
        "abc": "ABC ABCMeta abstractmethod",
        "reprlib": "recursive_repr",
        "fractions": "Fraction",
        "copy": "copy deepcopy replace",
        "string": "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits"
        " punctuation"
        " whitespace printable capwords",
        "types": "SimpleNamespace MappingProxyType NoneType EllipsisType GenericAlias UnionType",
        "warnings": "warn catch_warnings simplefilter filterwarnings",
        "logging": "getLogger debug info warning error critical log DEBUG INFO WARNING ERROR"
        " CRITICAL",
        "re": "compile match fullmatch search sub subn split findall finditer escape Pattern Match"
        " I S M X A"
        " IGNORECASE DOTALL MULTILINE VERBOSE ASCII",
        "numpy": f"{_NUMPY} random",
        "numpy.random": "default_rng",
        "numpy.linalg": "LinAlgError diagonal eig eigvals matrix_norm matrix_rank qr tensorinv"
        " tensorsolve"
        " trace vector_norm",
        "numpy.fft": "fftfreq fftshift hfft ifftshift ihfft irfft2 irfftn rfft2 rfftfreq rfftn",
        "numpy.exceptions": "*",
        "numpy.typing": "*",
        "numpy.lib.stride_tricks": "",
        "numpy.lib": "",
        "scipy.special": "comb factorial factorial2 perm lambertw polygamma multigammaln softmax"
        " log_softmax"
        " logsumexp spherical_in spherical_jn spherical_kn spherical_yn bernoulli euler stirling2",
        "equinox": "Module field static_field AbstractVar filter filter_jit filter_grad"
        " filter_value_and_grad"
        " filter_vmap filter_checkpoint filter_eval_shape partition combine is_array is_array_like"
        " is_inexact_array tree_at tree_inference tree_equal nn",
        "torch_geometric.data": "Data Batch HeteroData",
        "scipy": "",
        "scipy.spatial": "KDTree cKDTree",
        "scipy.stats": "",
        "statistics": "mean fmean median pvariance pstdev variance stdev",
        "scipy.signal": "",
        "scipy.ndimage": "",
        "scipy.fftpack": "",
        "scipy.fft": "fft ifft rfft irfft fft2 ifft2 fftn ifftn dct idct",
        "torch": _TORCH,
        "torch.random": "manual_seed fork_rng",
        "torch.jit": "script ignore unused export Final annotate is_scripting is_tracing",
        "torch.autograd": "Function functional grad",
        "torch.ops": "aten",
        "torch.autograd.functional": "hessian hvp jacobian jvp vhp vjp",
        "jax": _JAX,
        "jax.numpy": f"{_NUMPY} bfloat16 fft linalg fill_diagonal",
        "eqvproof": "opaque householder gram",
        "eqvproof.claims.groups": "form",
    }.items()
}
#: Names that only code of installed libraries may use: to ask what a value is, and what is
#: imported.
TO_LIBRARIES: dict[str, frozenset[str]] = {
    "sys": frozenset({"modules"}),
    "inspect": frozenset(
        "signature Signature Parameter getfullargspec getmro isclass isfunction ismethod"
        " isroutine".split()
    ),
    "pickle": frozenset(
        {"dumps"}
    ),  # as keys of what is remembered; traced values and sizes are refused
}
#: Packages in which all public functions and classes are known to be pure.
PACKAGES: tuple[str, ...] = tuple(
    "numpy.polynomial numpy.typing scipy.linalg scipy.spatial.distance einops opt_einsum "
    "array_api_compat torch.nn torch.distributions torch.linalg torch.fft torch.special "
    "torch.func torch._functorch torch.ops.aten torch.utils.checkpoint torch_geometric.nn "
    "torch_geometric.utils torch_geometric.typing torch_scatter e3nn.o3 e3nn.nn e3nn.math "
    "equinox.nn jaxtyping flax.linen flax.nnx flax.core flax.struct haiku jax.nn jax.lax jax.scipy "
    "jax.random jax.tree jax.tree_util jax.image jax.ops jax.typing jax.dtypes jax.numpy.linalg "
    "jax.numpy.fft".split()
)
#: Libraries whose objects hold what a user gave them, and depend on nothing else.
HOLDERS: frozenset[str] = frozenset("equinox e3nn torch_geometric flax haiku einops".split())
#: Attributes of arrays beyond those of traced arrays, and of results of array functions.
ARRAYS = """
    nd numiter at get set add multiply divide subtract power apply itemsize nbytes strides put
    argpartition device eigenvalues eigenvectors U S Vh Q R L P LU sign logabsdet values indices
    counts inverse_indices solution residuals rank singular_values pivots eps tiny bits
    smallest_normal resolution name kind char group groups start end span statistic pvalue
    correlation slope intercept rvalue stderr intercept_stderr df normal uniform standard_normal integers"""
#: Methods of tensors that are no functions of torch: conversions, shapes, and writes in place.
TENSORS = """
    H data bfloat16 byte char clone contiguous copy_ cpu cuda dim double element_size expand expand_as fill_
    float half int is_complex is_contiguous is_floating_point item long masked_fill_ ndimension nelement
    new_empty new_full new_ones new_tensor new_zeros numel numpy permute requires_grad_ reshape_as short size
    t to tolist type type_as unfold view view_as zero_ diagonal index_add_ scatter_ scatter_add_ repeat
    scatter_reduce_ fill_diagonal_ sum_to_size stride is_cuda index transpose_ squeeze_ unsqueeze_
    uniform_ exponential_ random_"""
