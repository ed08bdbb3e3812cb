"""Packages of statistics, signals, time series, images, clustering, metrics, neuroscience, genomics and finance.

    pip install scikit-learn pandas statsmodels seaborn numba formulaic imageio decorator pydantic EMD-signal
    pip install --no-deps allantools arch astroML causalinference cliffs-delta conorm ennemi EntropyHub
        factor-analyzer fastdtw fuzzy-c-means geom-median gower hdbscan heartpy HydroErr hydroeval
        hydrostats irrCAC linearmodels lmoments3 medpy neurodsp nitime numpy-financial ordpy padasip
        peakutils permetrics phasepack precise pybaselines pycircstat2 pyclustering pyentrp pyitlib
        pyloudnorm pymannkendall pymcdm PyNonpar pystoi python-picard python-speech-features PyWavelets
        robustbase rrcf ruptures s-dbw scikit-dimension scikit-fuzzy scikit-gstat scikit-posthocs scprep
        sewar skfeature-chappers spectrum ta tftb thermofeel tsfel uncertainty-toolbox validclust

Some of these pin old versions of NumPy, SciPy or pandas that their code does not need, hence the second line.

Written by a session that did not read the engines and did not run them on these claims, so that a first run measures
what eqvproof does with code that nobody has looked at. `labels.py` confirms the labels.
"""

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks.packages.claims import false, of_numpy, true, using


def series(x):
    import pandas

    return pandas.Series(x)


def table(X):
    import pandas

    return pandas.DataFrame(X)


def shares(p):
    return p / p.sum()


def halves(n):
    return np.arange(n) % 2


def treatment_effect(Model, y, X):
    model = Model(y, halves(len(y)), X)
    model.est_via_ols()
    return model.estimates["ols"]["ate"]


def segment(cost, X):
    return cost.fit(X).error(0, len(X))


def start(n):
    return np.stack([np.linspace(0.2, 0.8, n), np.linspace(0.8, 0.2, n)])


def adaptive(Filter, d, x, **more):
    return Filter(n=x.shape[1], w="zeros", **more).run(d, x)[0]


def online(Model, X, **more):
    return Model(**more).fit(X).covariance_


def norm(a, b):
    return np.linalg.norm(a - b)


def fuzzy_shares(FCM, X):
    model = FCM(n_clusters=2, max_iter=3, random_state=0)
    model.fit(X)
    return model.u


CLAIMS = [
    # statistics, robust estimators
    of_numpy(using("lmoments3:lmom_ratios", lambda f, x: np.array(f(x, 4))), "x: n -> 4!", true("lmoments3 L-moments", "S(n)"), n=(4, 7)),
    of_numpy(using("lmoments3:lmom_ratios", lambda f, x: f(x, 3)[2]), "x: n -> ()", true("lmoments3 L-skewness", "Scale(n)"), n=(3, 6)),
    of_numpy(using("lmoments3:lmom_ratios", lambda f, x: f(x, 2)[1]), "x: n -> ()", false("lmoments3 L-scale rescaled", "Scale(n)"), n=(3, 6)),
    of_numpy(using("cliffs_delta:cliffs_delta", lambda f, x, y: f(x, y)[0]), "x: n, y: m -> ()", true("cliffs-delta", "S(n) x S(m)"), false("cliffs-delta of other units", "Scale(n)")),
    of_numpy("robustbase.stats:Qn", "x: n -> ()", true("robustbase Qn", "S(n)")),
    of_numpy(using("robustbase.stats:Sn", lambda f, x: f(x[:, 0])), "x: n 1 -> ()", true("robustbase Sn", "T(1)")),
    of_numpy("robustbase.stats:mad", "x: n -> ()", true("robustbase mad", "S(n)"), false("robustbase mad rescaled", "Scale(n)")),
    of_numpy(using("PyNonpar.twosample:hodges_lehmann", lambda f, x, y: f(x, y).estimate), "x: n, y: m -> ()", true("PyNonpar Hodges-Lehmann", "S(n) x S(m)"), n=(4, 6), m=(4, 6)),
    of_numpy(using("geom_median.numpy:compute_geometric_median", lambda f, X: f(X, maxiter=4).median), "X: n d -> d", true("geom-median", "S(n) x E(d)")),
    of_numpy(using("geom_median.numpy:compute_geometric_median", lambda f, X: f(X, weights=np.arange(1.0, len(X) + 1), maxiter=4).median), "X: n d -> d", true("geom-median weighted", "E(d)"), false("geom-median weighted by position", "S(n)")),
    of_numpy("astroML.stats:sigmaG", "x: n -> ()", true("astroML sigmaG", "S(n)")),
    of_numpy(using("scikit_posthocs:global_simes_test", lambda f, z: f(np.exp(-(z**2) / 2))), "z: n -> ()", true("scikit-posthocs Simes", "S(n)"), false("scikit-posthocs Simes rescaled", "Scale(n)")),
    of_numpy(using("scikit_posthocs:posthoc_nemenyi_friedman", lambda f, X: f(X).to_numpy()), "X: n k -> k k", true("scikit-posthocs Nemenyi", "S(n) x S(k)"), true("scikit-posthocs Nemenyi blocks", "T(n)"), false("scikit-posthocs Nemenyi treatments", "T(k)"), n=(4, 6), k=3),
    of_numpy(using("pycircstat2.descriptive:circ_r", lambda f, a: f(a[:, 0])), "a: n 1 -> ()", true("pycircstat2 resultant", "S(n) x T(1)"), false("pycircstat2 resultant in degrees", "Scale(1)")),
    of_numpy(using("pycircstat2.descriptive:circ_mean", lambda f, a: np.array([f(a[:, 0])])), "a: n 1 -> 1", false("pycircstat2 mean turned", "T(1)")),
    # multivariate analysis, econometrics, psychometrics
    of_numpy(using("factor_analyzer:calculate_kmo", lambda f, X: f(X)[1]), "X: n d -> ()", true("factor-analyzer KMO", "S(n) x S(d)"), false("factor-analyzer KMO rotated", "O(d)"), n=(6, 9), d=3),
    of_numpy("factor_analyzer.utils:partial_correlations", "X: n d -> d d", true("factor-analyzer partial correlations", "S(n) x Signs(d)"), n=(6, 9), d=3),
    of_numpy(using("factor_analyzer:calculate_bartlett_sphericity", lambda f, X: f(X)[0]), "X: n d -> ()", true("factor-analyzer Bartlett", "T(d)"), false("factor-analyzer Bartlett rotated", "O(d)"), n=(6, 9), d=3),
    of_numpy(using("causalinference:CausalModel", treatment_effect), "y: n, X: n k -> ()", true("causalinference OLS effect", "E(k)"), false("causalinference treatment by position", "S(n)"), n=12, k=2),
    of_numpy(using("linearmodels.iv:IV2SLS", lambda f, y, X: f(y, X, None, None).fit().params.to_numpy()), "y: n, X: n d -> d", true("linearmodels IV2SLS", "S(n) x S(d)"), true("linearmodels IV2SLS rotated", "O(d)"), n=(8, 10), d=2),
    of_numpy(using("linearmodels.iv:IV2SLS", lambda f, y, X: f(y, X, None, None).fit().params.to_numpy()), "y: n, X: n d -> d^", false("linearmodels IV2SLS moved", "T(d)"), n=(8, 10), d=2),
    of_numpy(using("arch.covariance.kernel:Bartlett", lambda f, X: f(X, bandwidth=2).cov.long_run), "X: n d -> d^ d^", true("arch Bartlett kernel", "E(d)"), false("arch Bartlett kernel in any order", "S(n)"), n=(6, 8), d=(2, 3)),
    of_numpy(using("irrCAC.raw:CAC", lambda f, Z: f(table(Z)).fleiss()["est"]["coefficient_value"]), "Z[3]: n r -> ()", true("irrCAC Fleiss kappa", "S(n) x S(r)"), n=(7, 9), r=3),
    of_numpy("pymannkendall:original_test", "x: n -> Tau: ()", true("pymannkendall tau", "Scale(n)"), false("pymannkendall tau in any order", "S(n)"), n=(5, 8)),
    of_numpy(using("pymannkendall:sens_slope", lambda f, x: f(x[:, 0]).slope), "x: n 1 -> ()", true("pymannkendall slope", "T(1)"), n=(4, 7)),
    # information theory
    of_numpy(using("pyitlib.discrete_random_variable:entropy_pmf", lambda f, p: f(shares(p))), "p: n -> ()", true("pyitlib entropy", "S(n)"), draw="positive"),
    of_numpy(using("pyitlib.discrete_random_variable:divergence_jensenshannon_pmf", lambda f, P: f(shares(P[0]), shares(P[1]))), "P: k n -> ()", true("pyitlib Jensen-Shannon", "S(n) x S(k)"), k=2, draw="positive"),
    of_numpy(using("pyitlib.discrete_random_variable:divergence_kullbackleibler_pmf", lambda f, P: f(shares(P[0]), shares(P[1]))), "P: k n -> ()", false("pyitlib Kullback-Leibler swapped", "S(k)"), k=2, draw="positive"),
    of_numpy(using("ordpy:permutation_entropy", lambda f, x: f(x, dx=3)), "x: n -> ()", true("ordpy permutation entropy", "Scale(n)"), false("ordpy permutation entropy shifted", "C(n)"), n=(7, 9)),
    of_numpy("pyentrp.entropy:shannon_entropy", "z[3]: n -> ()", true("pyentrp Shannon", "S(n)"), n=(4, 7)),
    of_numpy(using("pyentrp.entropy:sample_entropy", lambda f, x: f(x[:, 0], 2, 1.0)), "x: n 1 -> 2!", true("pyentrp sample entropy", "T(1)"), false("pyentrp sample entropy in any order", "S(n)"), n=10),
    of_numpy(using("EntropyHub:DistEn", lambda f, x: f(x)[0]), "x: n -> ()", true("EntropyHub DistEn", "Scale(n)"), n=12),
    of_numpy(using("EntropyHub:SpecEn", lambda f, x: f(x)[0]), "x: n -> ()", true("EntropyHub SpecEn", "Scale(n)"), n=12),
    of_numpy("ennemi:normalize_mi", "mi: n -> n", true("ennemi normalize_mi", "S(n)"), draw="positive"),
    # signals and sound
    of_numpy(using("spectrum:aryule", lambda f, x: f(x, 2)[0]), "x: n -> 2!", true("spectrum aryule", "Scale(n)"), false("spectrum aryule shifted", "C(n)"), n=(6, 8)),
    of_numpy(using("spectrum:CORRELATION", lambda f, x: f(x, maxlags=2, norm="biased")), "x: n -> 3!", true("spectrum correlation", "Signs(1)"), n=(5, 7)),
    of_numpy(using("padasip.filters:FilterLMS", lambda f, d, x: adaptive(f, d, x, mu=0.1)), "d: n, x: n k -> n", true("padasip LMS", "O(k)"), false("padasip LMS in any order", "S(n)"), n=(4, 5), k=(2, 3)),
    of_numpy(using("padasip.filters:FilterNLMS", lambda f, d, x: adaptive(f, d, x, mu=0.5)), "d: n, x: n k -> n", true("padasip NLMS", "O(k)"), n=(4, 5), k=(2, 3)),
    of_numpy(using("padasip.filters:FilterRLS", lambda f, d, x: adaptive(f, d, x, mu=0.9)), "d: n, x: n k -> n", true("padasip RLS", "O(k)"), n=(3, 4), k=2),
    of_numpy("padasip.preprocess:standardize", "x: n -> n!", true("padasip standardize", "Scale(n)")),
    of_numpy(using("python_speech_features:delta", lambda f, X: f(X, 2)), "X: t c -> t c", true("python_speech_features delta", "O(c)"), false("python_speech_features delta shifted", "C(t)"), t=(4, 6)),
    of_numpy("python_speech_features.sigproc:preemphasis", "x: n -> n", true("python_speech_features preemphasis", "Scale(n)"), false("python_speech_features preemphasis shifted", "C(n)")),
    of_numpy(using("python_speech_features.sigproc:powspec", lambda f, X: f(X, 8)), "X: n 8 -> n 5", true("python_speech_features powspec", "S(n) x C(8)")),
    of_numpy(using("pyloudnorm.normalize:peak", lambda f, x: f(x, -1.0)), "x: n c -> n! c", true("pyloudnorm peak", "Scale(n)")),
    of_numpy(using("pyloudnorm.normalize:peak", lambda f, x: f(x, -1.0)), "x: n c -> n c", true("pyloudnorm peak channels", "S(n) x S(c)"), false("pyloudnorm peak rotated", "O(c)")),
    of_numpy("pystoi.utils:vect_two_norm", "x: n d -> n 1", true("pystoi norms", "O(d) x S(n)"), false("pystoi norms moved", "T(d)")),
    of_numpy("peakutils:centroid", "x: n, y: n -> ()", true("peakutils centroid", "S(n)"), draw="positive"),
    of_numpy(using("tsfel.feature_extraction.features:spectral_centroid", lambda f, x: f(x, 10)), "x: n -> ()", true("tsfel spectral centroid", "C(n)"), n=(6, 8)),
    of_numpy(using("tsfel.feature_extraction.features:calc_centroid", lambda f, x: f(x, 10)), "x: n -> ()", true("tsfel temporal centroid", "Signs(n)"), false("tsfel temporal centroid shifted", "C(n)")),
    of_numpy("tsfel.feature_extraction.features:abs_energy", "x: n -> ()", true("tsfel energy", "O(n)")),
    of_numpy("tsfel.feature_extraction.features:slope", "x: n -> ()", false("tsfel slope in any order", "S(n)")),
    of_numpy("tsfel.feature_extraction.features:mean_abs_diff", "x: n -> ()", false("tsfel mean_abs_diff shifted", "C(n)"), n=(4, 6)),
    of_numpy(using("tftb.processing:loctime", lambda f, x: f(x)[1]), "x: n -> ()", true("tftb loctime", "Scale(n)"), false("tftb loctime shifted", "C(n)")),
    of_numpy(using("neurodsp.timefrequency:amp_by_time", lambda f, x: f(x, 10)), "x: n -> n", true("neurodsp amplitude", "C(n)"), false("neurodsp amplitude in any order", "S(n)"), n=(5, 8)),
    of_numpy(using("pywt:swt", lambda f, x: f(x, "haar", level=1)[0][0]), "x: n -> n", true("PyWavelets swt", "C(n)"), false("PyWavelets swt in any order", "S(n)"), n=8),
    of_numpy(using("pywt:dwt", lambda f, x: sum((c**2).sum() for c in f(x, "haar", mode="periodization"))), "x: 8 -> ()", true("PyWavelets energy", "O(8)")),
    of_numpy(using("pywt:dwt", lambda f, x: (f(x, "haar", mode="periodization")[1] ** 2).sum()), "x: 8 -> ()", false("PyWavelets energy of details shifted", "C(8)")),
    # time series
    of_numpy(using("allantools:oadev", lambda f, x: f(x[:, 0], taus=[1.0])[1][0]), "x: n 1 -> ()", true("allantools oadev", "T(1)"), false("allantools oadev in any order", "S(n)"), n=(5, 7)),
    of_numpy(using("ruptures.costs:CostL2", lambda f, X: segment(f(), X)), "X: n d -> ()", true("ruptures CostL2", "E(d) x S(n)")),
    of_numpy(using("ruptures.costs:CostRbf", lambda f, X: segment(f(gamma=1.0), X)), "X: n d -> ()", true("ruptures CostRbf", "E(d)")),
    of_numpy(using("ruptures.costs:CostNormal", lambda f, X: segment(f(), X)), "X: n d -> ()", true("ruptures CostNormal", "E(d)"), n=(4, 6), d=(2, 3)),
    of_numpy(using("ruptures.costs:CostL1", lambda f, X: segment(f(), X)), "X: n d -> ()", true("ruptures CostL1", "S(n) x T(d)"), false("ruptures CostL1 rotated", "O(d)")),
    of_numpy(using("ruptures.costs:CostCosine", lambda f, X: segment(f(), X)), "X: n d -> ()", true("ruptures CostCosine", "O(d)"), false("ruptures CostCosine moved", "T(d)")),
    of_numpy(using("fastdtw:dtw", lambda f, X, Y: f(X, Y, dist=norm)[0]), "X: n d, Y: m d -> ()", true("fastdtw dtw", "E(d)"), false("fastdtw dtw in any order", "S(n)"), n=(3, 4), m=(3, 4)),
    of_numpy(using("pybaselines.whittaker:asls", lambda f, x: f(x, lam=10.0)[0]), "x: n -> n", true("pybaselines asls", "Scale(n)"), false("pybaselines asls shifted", "C(n)"), n=(6, 8)),
    of_numpy(using("pybaselines.polynomial:poly", lambda f, x: f(x[:, 0], poly_order=1)[0][:, None]), "x: n 1 -> n 1", true("pybaselines poly", "T(1)"), n=(5, 7)),
    # images
    of_numpy("sewar.full_ref:sam", "A: h w c, B: h w c -> ()", true("sewar sam", "O(c)"), true("sewar sam pixels", "S(h) x S(w)"), false("sewar sam moved", "T(c)"), h=(2, 3), w=(2, 3), c=(2, 3)),
    of_numpy(using("sewar.full_ref:psnr", lambda f, A, B: f(A, B, MAX=1.0)), "A: h w, B: h w -> ()", true("sewar psnr", "S(h) x S(w)")),
    of_numpy(using("sewar.full_ref:uqi", lambda f, A, B: f(A, B, ws=3)), "A: h w, B: h w -> ()", false("sewar uqi shifted", "C(h)"), h=(5, 6), w=(5, 6)),
    of_numpy(using("phasepack:phasecongmono", lambda f, A: f(A, nscale=2, noiseMethod=0.0)[0]), "A: h w -> h w", false("phasepack phasecongmono shifted", "C(h) x C(w)"), false("phasepack phasecongmono in any order", "S(h)"), h=(8, 9), w=8),
    of_numpy("medpy.metric.binary:dc", "A[bool]: h w, B[bool]: h w -> ()", true("medpy Dice", "S(h) x S(w)")),
    of_numpy("medpy.metric.binary:hd", "A[bool]: h w, B[bool]: h w -> ()", false("medpy Hausdorff in any order", "S(h)"), h=(5, 6), w=(5, 6)),
    of_numpy("medpy.metric.histogram:chi_square", "p: n, q: n -> ()", true("medpy chi square", "S(n)"), false("medpy chi square of counts", "Scale(n)"), draw="positive"),
    of_numpy(using("medpy.metric.image:mutual_information", lambda f, A, B: f(A, B, bins=3)), "A: h w, B: h w -> ()", true("medpy mutual information", "S(h) x S(w)")),
    # clustering and distances
    of_numpy("gower:gower_matrix", "X: n d -> n n", true("gower matrix", "S(n) x S(d)"), false("gower matrix rotated", "O(d)"), single=True),
    of_numpy(using("s_dbw:S_Dbw", lambda f, X: f(X, halves(len(X)))), "X: n d -> ()", true("s-dbw", "T(d)"), false("s-dbw clusters by position", "S(n)"), n=(6, 8), d=(2, 3)),
    of_numpy(using("validclust:dunn", lambda f, X: f(cdist(X, X), halves(len(X)))), "X: n d -> ()", true("validclust Dunn", "E(d)"), false("validclust Dunn labels by position", "S(n)"), n=(5, 7)),
    of_numpy(using("pyclustering.cluster.silhouette:silhouette", lambda f, X: np.mean(f(X, [[0, 1, 2], [3, 4, 5]], ccore=False).process().get_score())), "X: n d -> ()", true("pyclustering silhouette", "E(d)"), false("pyclustering silhouette clusters by position", "S(n)"), n=6),
    of_numpy("pyclustering.utils.metric:canberra_distance_numpy", "x: d, y: d -> ()", true("pyclustering Canberra", "S(d)"), draw="positive"),
    of_numpy(using("skfuzzy:cmeans", lambda f, X: f(X, 2, 2.0, 1e-12, 3, init=start(X.shape[1]))[0]), "X: d n -> 2! d", true("scikit-fuzzy cmeans", "E(d)"), false("scikit-fuzzy cmeans in any order", "S(n)"), n=(5, 6), d=(2, 3)),
    of_numpy("skfuzzy:maxmin_composition", "s: n k, r: k m -> n m", true("scikit-fuzzy maxmin", "S(n) x S(k) x S(m)"), draw="positive"),
    of_numpy(using("hdbscan.validity:validity_index", lambda f, X: f(X, halves(len(X)))), "X: n d -> ()", true("hdbscan DBCV", "E(d)"), n=8, d=2),
    of_numpy(using("rrcf:RCTree", lambda f, X: f(X, random_state=0).codisp(0)), "X: n d -> ()", true("rrcf codisp", "T(d)"), n=6, d=2),
    of_numpy(using("fcmeans:FCM", fuzzy_shares), "X: n d -> n 2!", true("fuzzy-c-means", "E(d)"), false("fuzzy-c-means in any order", "S(n)"), n=(5, 6), d=2),
    of_numpy(using("skgstat:Variogram", lambda f, X, v: f(X, v, n_lags=3).experimental), "X: n 2, v: n -> 3!", true("scikit-gstat variogram", "E(2)"), n=(8, 9)),
    # dimensions, features, decisions
    of_numpy(using("skdim.id:MOM", lambda f, X: f().fit(X, n_neighbors=4).dimension_), "X: n d -> ()", true("scikit-dimension MOM", "E(d)"), n=7, d=2),
    of_numpy("picard:amari_distance", "W: n k, A: k n -> ()", true("python-picard Amari", "O(k)"), true("python-picard Amari signs", "Signs(n)"), false("python-picard Amari rotated", "O(n)"), n=(2, 3)),
    of_numpy(using("skfeature.utility.entropy_estimators:midd", lambda f, x, y: f(x.tolist(), y.tolist())), "x[3]: n, y[2]: n -> ()", true("skfeature mutual information", "S(n)"), n=(5, 7)),
    of_numpy(using("skfeature.function.statistical_based.t_score:t_score", lambda f, X: f(X, halves(len(X)), mode="raw")), "X: n d -> d^", true("skfeature t score", "T(d)"), n=(6, 8)),
    of_numpy(using("skfeature.function.statistical_based.t_score:t_score", lambda f, X: f(X, halves(len(X)), mode="raw")), "X: n d -> d", true("skfeature t score features", "S(d)"), false("skfeature t score rotated", "O(d)"), n=(6, 8)),
    of_numpy(using("pymcdm.methods:TOPSIS", lambda f, X: f()(X, np.ones(3) / 3, np.ones(3))), "X: n k -> n", true("pymcdm TOPSIS", "S(n) x S(k)"), true("pymcdm TOPSIS moved", "T(k)"), true("pymcdm TOPSIS rescaled", "Scale(k)"), false("pymcdm TOPSIS rotated", "O(k)"), k=3),
    of_numpy("pymcdm.weights:entropy_weights", "X: n k -> k", true("pymcdm entropy weights", "S(n) x S(k)"), draw="positive"),
    of_numpy(using("pymcdm.correlations:ws", lambda f, X: f(X[0], X[1])), "X: k n -> ()", false("pymcdm ws swapped", "S(k)"), k=2, n=(5, 6)),
    of_numpy("pymcdm.normalizations:vector_normalization", "x: n -> n!", true("pymcdm vector normalization", "Scale(n)"), draw="positive"),
    # evaluation
    of_numpy(using("permetrics:RegressionMetric", lambda f, x, y: f(x, y).NSE()), "x: n, y: n -> ()", true("permetrics NSE", "S(n)"), n=(4, 6)),
    of_numpy(using("permetrics:RegressionMetric", lambda f, x, y: f(x[:, 0], y[:, 0]).MAPE()), "x: n 1, y: n 1 -> ()", false("permetrics MAPE moved", "T(1)"), n=(4, 6)),
    of_numpy(using("hydroeval:nse", lambda f, s, o: f(s, o)), "s: n, o: n -> ()", true("hydroeval NSE", "S(n)"), true("hydroeval NSE rescaled", "Scale(n)")),
    of_numpy(using("hydroeval:kge", lambda f, s, o: f(s[:, 0], o[:, 0])[0, 0]), "s: n 1, o: n 1 -> ()", false("hydroeval KGE moved", "T(1)"), n=(4, 6)),
    of_numpy("HydroErr:ed", "s: n, o: n -> ()", true("HydroErr Euclidean distance", "E(n)")),
    of_numpy("HydroErr:d", "s: n, o: n -> ()", true("HydroErr index of agreement", "S(n)"), true("HydroErr index of agreement rescaled", "Scale(n)")),
    of_numpy("uncertainty_toolbox.metrics:crps_gaussian", "m: n, s: n, y: n -> ()", true("uncertainty-toolbox CRPS", "S(n)"), draw="positive"),
    of_numpy("uncertainty_toolbox.metrics:nll_gaussian", "m: n, s: n, y: n -> ()", true("uncertainty-toolbox NLL", "S(n)"), false("uncertainty-toolbox NLL rescaled", "Scale(n)"), draw="positive"),
    of_numpy(using("uncertainty_toolbox.metrics:mean_absolute_calibration_error", lambda f, m, s, y: f(m, s, y, num_bins=5)), "m: n, s: n, y: n -> ()", true("uncertainty-toolbox calibration", "Scale(n)"), draw="positive"),
    # neuroscience, physiology
    of_numpy("nitime.algorithms:seed_corrcoef", "s: t, X: c t -> c", true("nitime seed correlation", "S(t) x S(c)"), true("nitime seed correlation rescaled", "Scale(t)"), t=(4, 6)),
    of_numpy("nitime.utils:percent_change", "X: c t -> c t!", true("nitime percent change", "Scale(t)"), draw="positive"),
    of_numpy("nitime.utils:percent_change", "X: c t -> c t", false("nitime percent change rescaled", "Scale(t)"), draw="positive"),
    of_numpy(using("nitime.algorithms:periodogram", lambda f, x: f(x)[1]), "x: 8 -> 5", true("nitime periodogram", "C(8)"), false("nitime periodogram in any order", "S(8)")),
    of_numpy("heartpy.analysis:MAD", "x: n -> ()", true("heartpy MAD", "S(n)"), false("heartpy MAD signs", "Signs(n)")),
    # genomics
    of_numpy("scprep.normalize:library_size_normalize", "X: n g -> n g", true("scprep library size", "S(n) x S(g)"), draw="positive"),
    of_numpy("scprep.stats:t_statistic", "X: n g, Y: m g -> g", true("scprep t statistic", "S(n) x S(m)"), draw="positive"),
    of_numpy("conorm:cpm", "X: g s -> g! s", true("conorm cpm", "Scale(g)"), draw="positive"),
    of_numpy("conorm:mrn", "X: g s -> g s", true("conorm mrn", "S(g) x S(s)"), draw="positive"),
    of_numpy("conorm:mrn", "X: g s -> g! s", false("conorm mrn depth", "Scale(g)"), draw="positive"),
    # finance, weather
    of_numpy(using("numpy_financial:npv", lambda f, x: f(0.1, x)), "x: n -> ()", false("numpy-financial npv in any order", "S(n)")),
    of_numpy(using("numpy_financial:mirr", lambda f, x: f(x - 0.6, 0.1, 0.12)), "x: n -> ()", false("numpy-financial mirr in any order", "S(n)"), draw="positive", n=(5, 6)),
    of_numpy(using("precise:EmpiricalCovariance", online), "X: n d -> d^ d^", true("precise empirical covariance", "E(d)"), n=(4, 5), d=(2, 3)),
    of_numpy(using("precise:EwaCovariance", lambda f, X: online(f, X, r=0.8)), "X: n d -> d d", true("precise moving covariance", "O(d)", n=(4, 5)), false("precise moving covariance in any order", "S(n)", n=(9, 10)), d=2),
    of_numpy(using("ta.momentum:rsi", lambda f, x: f(series(x), window=3, fillna=True).to_numpy()), "x: n -> n!", true("ta RSI", "Scale(n)"), n=(5, 7)),
    of_numpy(using("ta.momentum:rsi", lambda f, x: f(series(x), window=3, fillna=True).to_numpy()), "x: n -> n", false("ta RSI shifted", "C(n)"), n=(5, 7)),
    of_numpy("thermofeel:calculate_humidex", "t: n, d: n -> n", true("thermofeel humidex", "S(n)"), draw="positive"),
    of_numpy("thermofeel:calculate_humidex", "t: n 1, d: n 1 -> n 1", false("thermofeel humidex warmer", "T(1)"), draw="positive"),
    of_numpy(using("hydrostats.ens_metrics:ens_mae", lambda f, o, X: f(o, X)), "o: n, X: n m -> ()", true("hydrostats ensemble MAE", "S(n) x S(m)")),
    of_numpy(using("hydrostats.ens_metrics:ens_crps", lambda f, o, X: f(o, X, llvm=False)["crps"]), "o: n, X: n m -> n", true("hydrostats ensemble CRPS", "S(m)")),
]
