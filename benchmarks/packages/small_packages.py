"""Small and medium packages of geometry, graphs, molecules, physics, robotics, graphics, topology, ecology, astronomy.

    pip install rowan vg pyrr trimesh pycpd spyrmsd scikit-spatial polliwog modern_robotics ikpy pymap3d navpy ahrs
        mechkit tensortrax felupe bctpy xgi pygsp colour-science splines torch-pme
        pyquaternion quaternionic spatialmath-python gudhi ripser igraph scikit-network freud-analysis miniball galpy
        gala geomdl pyglm rebound mdtraj dscribe ase pymunk pointpats concentrationMetrics sphericart-torch
        potpourri3d robust-laplacian point-cloud-utils boinor
    pip install --no-deps torch-harmonics  # its code also runs with older releases of torch than it asks for

Written by a session that did not read the engines and did not run them on these claims, so that a first run measures
what eqvproof does with code that nobody has looked at. `labels.py` confirms the labels.
"""

import numpy as np
import torch

from benchmarks.packages.claims import built, false, of_numpy, of_torch, true, using

TETRA = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
FAN = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]])


def undirected(W):
    W = np.abs(W + W.T)
    return W - np.diag(np.diag(W))


# geometry and rotations


@built
def rowan_align():
    import rowan

    return lambda a, b: rowan.rotate(rowan.vector_vector_rotation(a, b), a)


@built
def rowan_rotated_length():
    import rowan

    return lambda q, v: np.linalg.norm(rowan.rotate(rowan.normalize(q), v), axis=-1)


@built
def pycpd_rigid():
    from pycpd import RigidRegistration

    return lambda X, Y: RigidRegistration(X=X, Y=Y, max_iterations=5).register()[0]


@built
def pycpd_rigid_variance():
    from pycpd import RigidRegistration

    def variance(X, Y):
        registration = RigidRegistration(X=X, Y=Y, max_iterations=1)
        registration.register()
        return registration.sigma2

    return variance


@built
def pycpd_deformable():
    from pycpd import DeformableRegistration

    return lambda X, Y: DeformableRegistration(X=X, Y=Y, max_iterations=3).register()[0]


@built
def plane_error():
    from skspatial.objects import Plane

    def squares(X):
        plane = Plane.best_fit(X)
        return sum(plane.distance_point(x) ** 2 for x in X)

    return squares


@built
def line_error():
    from skspatial.objects import Line

    def squares(X):
        line = Line.best_fit(X)
        return sum(line.distance_point(x) ** 2 for x in X)

    return squares


@built
def mesh_center():
    import trimesh

    return lambda X: trimesh.Trimesh(X, TETRA, process=False).center_mass


@built
def mesh_volume():
    import trimesh

    return lambda X: trimesh.Trimesh(X, TETRA, process=False).volume


@built
def exponential():
    import modern_robotics as mr

    return lambda w: mr.MatrixExp3(mr.VecToso3(w))


@built
def axis_angle_quaternion():
    from pyquaternion import Quaternion

    return lambda u, v: Quaternion(axis=u, angle=0.7).rotate(v)


@built
def rotor_distance():
    import quaternionic

    return lambda p, q: quaternionic.distance.rotor.chordal(
        quaternionic.array(p), quaternionic.array(q)
    )


@built
def closest_on_line():
    from spatialmath import Line3

    return lambda P, Q, x: Line3.Join(P, Q).closest_to_point(x)[0]


@built
def bspline():
    from geomdl import BSpline, utilities

    def evaluate(P):
        curve = BSpline.Curve()
        curve.degree = 2
        curve.ctrlpts = P.tolist()
        curve.knotvector = utilities.generate_knot_vector(2, len(P))
        return np.array(curve.evaluate_single(0.3))

    return evaluate


@built
def glsl_reflect():
    from pyglm import glm

    return lambda i, n: np.array(glm.reflect(glm.dvec3(*i), glm.normalize(glm.dvec3(*n))))


def curve(alpha):
    return using(
        "splines:CatmullRom",
        lambda CatmullRom, V: CatmullRom(V, alpha=alpha, endconditions="natural").evaluate(0.5),
    )


# continuum mechanics


@built
def mandel_norm():
    from mechkit.notation import Converter

    return lambda A: np.linalg.norm(Converter().to_mandel6(A))


@built
def voigt_norm():
    from mechkit.notation import Converter, VoigtConverter

    def norm(A):
        mandel = Converter().to_mandel6(A)
        return np.linalg.norm(VoigtConverter(silent=True).mandel6_to_voigt(mandel, "strain"))

    return norm


@built
def neo_hooke_stress():
    import tensortrax as tr
    import tensortrax.math as tm

    def energy(F):
        C = F.T @ F
        return tm.trace(C) / 2 + (tm.trace(C @ C) - 3) / 4

    return lambda F: tr.gradient(energy, ntrax=0)(F)


@built
def small_strain_stress():
    import tensortrax as tr
    import tensortrax.math as tm

    def energy(F):
        strain = tm.special.sym(F) - np.eye(3)
        return tm.trace(strain) ** 2 / 2 + tm.trace(strain @ strain)

    return lambda F: tr.gradient(energy, ntrax=0)(F)


@built
def hooke():
    import felupe as fem

    return lambda F: fem.LinearElastic(E=1.0, nu=0.3).gradient([F[:, :, None, None], None])[0][
        :, :, 0, 0
    ]


# graphs and networks


@built
def pagerank():
    import igraph

    return lambda A: np.array(igraph.Graph.Adjacency(A.tolist()).pagerank())


@built
def betweenness():
    import igraph

    return lambda A: np.array(igraph.Graph.Adjacency(A.tolist()).betweenness())


@built
def heat_filter():
    import pygsp

    def smooth(W, x):
        G = pygsp.graphs.Graph(undirected(W))
        G.compute_fourier_basis()
        return pygsp.filters.Heat(G, 2.0).filter(x, method="exact")

    return smooth


@built
def hypergraph_adjacency():
    import xgi

    def adjacency(I):
        H = xgi.Hypergraph()
        H.add_nodes_from(range(len(I)))
        H.add_edges_from([np.flatnonzero(members).tolist() for members in I.T if members.any()])
        return xgi.adjacency_matrix(H, sparse=False)

    return adjacency


# molecules and materials


def coulomb_matrix(permutation):
    def make():
        from ase import Atoms
        from dscribe.descriptors import CoulombMatrix

        descriptor = CoulombMatrix(n_atoms_max=4, permutation=permutation)
        return lambda X: descriptor.create(Atoms("CCCC", positions=X))

    return built(make)


@built
def soap():
    from ase import Atoms
    from dscribe.descriptors import SOAP

    descriptor = SOAP(species=["C"], r_cut=4.0, n_max=3, l_max=2, average="outer")
    return lambda X: descriptor.create(Atoms("CCCC", positions=X))


def ewald(calculator):
    def make():
        import torchpme

        potential = torchpme.CoulombPotential(smearing=0.5)
        options = {"lr_wavelength": 0.6} if calculator == "Ewald" else {"mesh_spacing": 0.6}
        calc = getattr(torchpme, calculator + "Calculator")(potential, **options)

        def potentials(q, X):
            i, j = torch.triu_indices(len(X), len(X), 1)
            distances = (X[i] - X[j]).norm(dim=-1)
            pairs = torch.stack([i, j], 1)
            return calc(q[:, None], 4.0 * torch.eye(3), X, pairs, distances)[:, 0]

        return potentials

    return built(make)


@built
def spherical_harmonics():
    import sphericart.torch

    return sphericart.torch.SphericalHarmonics(3)


@built
def gyration_radius():
    import mdtraj

    return lambda X: mdtraj.compute_rg(mdtraj.Trajectory(X[None], None))[0]


@built
def nematic():
    import freud

    return lambda u: freud.order.Nematic().compute(u).order


# physics and astronomy


def simulation(X, V):
    import rebound

    made = rebound.Simulation()
    for x, v in zip(X, V, strict=True):
        made.add(m=1.0, x=x[0], y=x[1], z=x[2], vx=v[0], vy=v[1], vz=v[2])
    return made


def nbody_energy(X, V):
    return simulation(X, V).energy()


def nbody_angular_momentum(X, V):
    return np.array(simulation(X, V).angular_momentum())


@built
def phase_space_angular_momentum():
    import astropy.units as u
    from gala.dynamics import PhaseSpacePosition

    def momentum(x, v):
        w = PhaseSpacePosition(pos=x.T * u.kpc, vel=v.T * u.km / u.s)
        return w.angular_momentum().to_value(u.kpc * u.km / u.s).T

    return momentum


@built
def miyamoto_nagai():
    from galpy.potential import MiyamotoNagaiPotential

    made = MiyamotoNagaiPotential(a=0.5, b=0.1, normalize=1.0)
    return lambda p: made(np.hypot(p[0], p[1]), p[2])


@built
def miyamoto_nagai_disk():
    from galpy.potential import MiyamotoNagaiPotential
    from galpy.util.coords import rect_to_cyl

    made = MiyamotoNagaiPotential(a=0.5, b=0.1, normalize=1.0)

    def value(p, z):
        R, _, z = rect_to_cyl(p[0], p[1], z)
        return made(R, z)

    return value


@built
def plummer():
    from galpy.potential import PlummerPotential

    made = PlummerPotential(amp=1.0, b=0.6)
    return lambda p: made(np.hypot(p[0], p[1]), p[2])


@built
def geodetic_height():
    import pymap3d

    return lambda p: pymap3d.ecef2geodetic(*(1e7 * p))[2] / 1e7


@built
def geodetic_disk():
    import pymap3d

    def place(p, z):
        lat, _, alt = pymap3d.ecef2geodetic(1e7 * p[0], 1e7 * p[1], 1e7 * z)
        return np.array([lat / 90, alt / 1e7])

    return place


@built
def slant_range():
    import pymap3d

    def distance(h, u):  # of millimetres; what is shorter than one is taken as zero
        return 1e3 * pymap3d.enu2aer(1e-3 * h[:, 0], 1e-3 * h[:, 1], 1e-3 * u)[2]

    return distance


# graphics, topology, ecology


def color_difference(method):
    return using("colour:delta_E", lambda delta_E, a, b: delta_E(a, b, method=method))


def hue_plane_difference(method):
    return using(
        "colour:delta_E",
        lambda delta_E, L, p, M, q: delta_E(
            np.concatenate([L[:, None], p], 1), np.concatenate([M[:, None], q], 1), method=method
        ),
    )


@built
def chroma():
    import colour

    return lambda L, p: colour.models.Lab_to_LCHab(np.concatenate([L[:, None], p], 1))[:, 1]


@built
def rips_total():
    import gudhi

    def total(X):
        tree = gudhi.RipsComplex(points=X).create_simplex_tree(max_dimension=1)
        tree.compute_persistence()
        bars = tree.persistence_intervals_in_dimension(0)
        return (bars[:, 1] - bars[:, 0])[np.isfinite(bars[:, 1])].sum()

    return total


@built
def series_persistence():
    import gudhi

    def total(x):
        complex = gudhi.CubicalComplex(top_dimensional_cells=x)
        complex.compute_persistence()
        bars = complex.persistence_intervals_in_dimension(0)
        return (bars[:, 1] - bars[:, 0])[np.isfinite(bars[:, 1])].sum()

    return total


@built
def ripser_deaths():
    import ripser

    def deaths(X):
        bars = ripser.ripser(X, maxdim=0)["dgms"][0][:, 1]
        return bars[np.isfinite(bars)].sum()

    return deaths


@built
def herfindahl():
    from concentrationMetrics import Index

    return lambda x: Index().hhi(x, normalized=False)


@built
def sphere_round_trip():
    import torch_harmonics as th

    forward = th.RealSHT(8, 16, lmax=6, mmax=6).double()
    back = th.InverseRealSHT(8, 16, lmax=6, mmax=6).double()
    return lambda x: back(forward(x))


@built
def sphere_spectrum():
    import torch_harmonics as th

    forward = th.RealSHT(8, 16, lmax=6, mmax=6).double()
    return lambda x: (forward(x).abs() ** 2).sum(-1)


CLAIMS = [
    # geometry and rotations
    of_numpy(using("rowan:rotate", lambda f, q, v: f(q, v)), "q: n 4, v: n 3 -> n 3", true("rowan rotate", "S(n)")),
    of_numpy(rowan_rotated_length, "q: n 4, v: n 3 -> n", true("rowan rotated length", "O(3)")),
    of_numpy(rowan_align, "a: n 3, b: n 3 -> n 3", true("rowan vector_vector_rotation", "O(3)")),
    of_numpy("rowan.geometry:sym_distance", "p: n 4, q: n 4 -> n", true("rowan sym_distance", "O(4)")),
    of_numpy(using("rowan:multiply", lambda f, q: f(q[0], q[1])), "q: m 4 -> 4", false("rowan multiply in any order", "S(m)"), m=2),
    of_numpy("vg:angle", "a: n 3, b: n 3 -> n", true("vg angle", "O(3)"), false("vg angle of points", "T(3)")),
    of_numpy("vg:signed_angle", "a: 3, b: 3, look: 3 -> ()", true("vg signed_angle", "SO(3)"), false("vg signed_angle reflections", "O(3)")),
    of_numpy(using("vg:reject", lambda f, v, u: f(v, u)), "v: n 3, u: 3 -> n 3", true("vg reject", "O(3) x S(n)")),
    of_numpy(using("vg:rotate", lambda f, v, u: f(v, u, 30)), "v: n 3, u: 3 -> n 3", true("vg rotate", "SO(3)"), false("vg rotate reflections", "O(3)")),
    of_numpy("vg:nearest", "P: n 3, q: 3 -> 3", true("vg nearest", "E(3)")),
    of_numpy("pyrr.vector3:generate_normals", "a: n 3, b: n 3, c: n 3 -> n 3^", true("pyrr generate_normals", "SE(3)"), false("pyrr generate_normals reflections", "E(3)")),
    of_numpy("pyrr.geometric_tests:point_closest_point_on_line", "p: 3, L: 2 3 -> 3", true("pyrr point_closest_point_on_line", "E(3)")),
    of_numpy(using("pyrr.matrix33:create_direction_scale", lambda f, u: f(u, 2.0)), "u: 3 -> 3 3", false("pyrr create_direction_scale", "O(3)")),
    of_numpy("trimesh.triangles:area", "t: n 3! 3 -> n", true("trimesh area", "E(3)")),
    of_numpy("trimesh.triangles:angles", "t: n 3! 3 -> n 3!", true("trimesh angles", "E(3)")),
    of_numpy(using("trimesh.triangles:mass_properties", lambda f, t: f(t).volume), "t: n 3! 3 -> ()", false("trimesh volume of an open mesh", "T(3)"), false("trimesh volume of an open mesh rotations", "SO(3)")),
    of_numpy(mesh_volume, "X: 4 3 -> ()", true("trimesh volume", "SE(3)"), false("trimesh volume reflections", "E(3)")),
    of_numpy("trimesh.inertia:points_inertia", "X: n 3 -> 3^ 3^", true("trimesh points_inertia", "E(3)")),
    of_numpy(using("trimesh.inertia:points_inertia", lambda f, X: f(X, at_center_mass=False)), "X: n 3 -> 3^ 3^", false("trimesh points_inertia about the origin", "E(3)")),
    of_numpy(using("trimesh.registration:procrustes", lambda f, X, Y: f(X, Y)[2]), "X: n 3, Y: n 3! -> ()", true("trimesh procrustes cost", "E(3)"), n=(4, 6)),
    of_numpy(using("trimesh.registration:procrustes", lambda f, X, Y: f(X, Y, reflection=False)[2]), "X: n 3, Y: n 3! -> ()", false("trimesh procrustes cost without reflections", "E(3)"), n=(4, 6)),
    of_numpy(mesh_center, "X: 4 3 -> 3", true("trimesh center_mass", "E(3)")),
    of_numpy(pycpd_rigid_variance, "X: n 3, Y: m 3 -> ()", true("pycpd rigid variance", "E(3) x S(n) x S(m)"), n=(4, 6), m=(4, 6)),
    of_numpy(pycpd_rigid, "X: n 3!, Y: m 3 -> m 3!", false("pycpd rigid from another pose", "SO(3)"), n=(4, 6), m=(4, 6)),
    of_numpy(pycpd_deformable, "X: n 3, Y: m 3 -> m 3", true("pycpd deformable", "E(3)"), n=(4, 6), m=(4, 6)),
    of_numpy(using("pycpd:gaussian_kernel", lambda f, Y: f(Y, 2.0)), "Y: n d -> n n", true("pycpd gaussian_kernel", "E(d) x S(n)")),
    of_numpy(using("spyrmsd.rmsd:rmsd", lambda f, X, Y: f(X, Y, np.full(len(X), 6), np.full(len(X), 6), minimize=True)), "X: n 3, Y: n 3! -> ()", true("spyrmsd rmsd", "SE(3)"), false("spyrmsd rmsd reflections", "E(3)"), n=(4, 6)),
    of_numpy(using("spyrmsd.rmsd:hrmsd", lambda f, X, Y: f(X, Y, np.full(4, 6), np.full(4, 6))), "X: n 3, Y: m 3 -> ()", true("spyrmsd hrmsd", "S(m)"), n=4, m=4),
    of_numpy(plane_error, "X: n 3 -> ()", true("skspatial Plane.best_fit", "E(3)"), n=(4, 6)),
    of_numpy(line_error, "X: n 3 -> ()", true("skspatial Line.best_fit", "E(3)"), n=(4, 6)),
    of_numpy(using("skspatial.objects:Sphere", lambda Sphere, X: Sphere.best_fit(X).radius), "X: n 3 -> ()", true("skspatial Sphere.best_fit", "E(3) x S(n)"), n=(5, 7)),
    of_numpy("skspatial.measurement:area_signed", "P: n 2 -> ()", true("skspatial area_signed", "SE(2) x C(n)"), false("skspatial area_signed reflections", "O(2)"), false("skspatial area_signed in any order", "S(n)"), n=(4, 7)),
    of_numpy("skspatial.measurement:volume_tetrahedron", "a: 3, b: 3, c: 3, d: 3 -> ()", true("skspatial volume_tetrahedron", "E(3)")),
    of_numpy("polliwog.tri:surface_area", "t: n v 3 -> n", true("polliwog surface_area", "E(3) x S(v)"), v=3),
    of_numpy("polliwog.tri:surface_normals", "t: n v 3 -> n 3^", true("polliwog surface_normals", "SE(3) x C(v)"), false("polliwog surface_normals in any order", "S(v)"), v=3),
    of_numpy("polliwog.tri:barycentric_coordinates_of_points", "t: n 3! 3, p: n 3 -> n 3!", true("polliwog barycentric", "E(3)"), false("polliwog barycentric of points off the plane", "GL(3)")),
    of_numpy("polliwog.segment:closest_point_of_line_segment", "p: n 3, s: n 3, v: n 3^ -> n 3", true("polliwog closest_point_of_line_segment", "E(3)")),
    of_numpy(axis_angle_quaternion, "u: 3, v: 3 -> 3", true("pyquaternion rotate", "SO(3)"), false("pyquaternion rotate reflections", "O(3)")),
    of_numpy(rotor_distance, "p: n 4, q: n 4 -> n", true("quaternionic chordal", "O(4)")),
    of_numpy(closest_on_line, "P: 3, Q: 3, x: 3 -> 3", true("spatialmath closest_to_point", "E(3)")),
    of_numpy("miniball:get_circumsphere", "S: n 3 -> 3, ()", true("miniball get_circumsphere", "E(3) x S(n)"), n=(2, 4)),
    of_numpy("geomdl.linalg:vector_angle_between", "u: 3, v: 3 -> ()", true("geomdl vector_angle_between", "O(3)")),
    of_numpy(bspline, "P: n d -> d", true("geomdl BSpline", "GL(d)"), false("geomdl BSpline in any order", "S(n)"), n=(4, 6), d=3),
    of_numpy(glsl_reflect, "i: 3, n: 3 -> 3", true("glm reflect", "O(3)")),
    of_numpy(curve(None), "V: n d -> d", true("splines CatmullRom uniform", "GL(d)"), n=(4, 6)),
    of_numpy(curve(0.5), "V: n d -> d", true("splines CatmullRom centripetal", "E(d)"), false("splines CatmullRom centripetal affine", "GL(d)"), n=(4, 6), d=(2, 4)),
    # meshes and point clouds, compiled
    of_numpy(using("potpourri3d:vertex_areas", lambda f, V: f(V, FAN)), "V: 5 3 -> 5", true("potpourri3d vertex_areas", "E(3)")),
    of_numpy(using("potpourri3d:cotan_laplacian", lambda f, V: f(V, FAN).toarray()), "V: 5 3 -> 5 5", true("potpourri3d cotan_laplacian", "E(3)")),
    of_numpy(using("robust_laplacian:mesh_laplacian", lambda f, V: f(V, FAN)[0].toarray()), "V: 5 3 -> 5 5", true("robust_laplacian mesh_laplacian", "E(3)")),
    # with one point in a cloud, its tree returns the wrong neighbour: found by the first run
    of_numpy("point_cloud_utils:chamfer_distance", "X: n 3, Y: m 3 -> ()", false("point_cloud_utils chamfer_distance of one point", "E(3)", n=1, m=2)),
    # robotics, navigation
    of_numpy(exponential, "w: 3 -> 3 3", true("modern_robotics MatrixExp3", "SO(3)"), false("modern_robotics MatrixExp3 reflections", "O(3)")),
    of_numpy(using("modern_robotics:JointTrajectory", lambda f, a, b: f(a, b, 2.0, 5, 3)), "a: n, b: n -> 5 n", true("modern_robotics JointTrajectory", "E(n)")),
    of_numpy(using("modern_robotics:FKinSpace", lambda f, S, t: f(np.eye(4), S, t)), "S: 6 n, t: n -> 4 4", false("modern_robotics FKinSpace in any order", "S(n)"), n=(2, 4)),
    of_numpy(using("ikpy.utils.geometry:axis_rotation_matrix", lambda f, u: f(u / np.linalg.norm(u), 0.3)), "u: 3 -> 3 3", true("ikpy axis_rotation_matrix", "SO(3)")),
    of_numpy("ahrs.utils.metrics:qdist", "p: n 4, q: n 4 -> n", true("ahrs qdist", "O(4) x S(n)")),
    of_numpy("ahrs.common.orientation:ecompass", "a: 3, m: 3 -> 3! 3", true("ahrs ecompass", "SO(3)"), false("ahrs ecompass reflections", "O(3)")),
    of_numpy("navpy:skew", "w: 3 -> 3 3", true("navpy skew", "SO(3)"), false("navpy skew reflections", "O(3)")),
    of_numpy(using("navpy:qmult", lambda f, p, u, q, v: f(p, u, q, v)[1]), "p: (), u: 3, q: (), v: 3 -> 3", true("navpy qmult", "SO(3)")),
    of_numpy(slant_range, "h: n 2, u: n -> n", false("pymap3d enu2aer of millimetres", "O(2)")),
    of_numpy(geodetic_disk, "p: 2, z: () -> 2!", true("pymap3d ecef2geodetic about the axis", "O(2)")),
    of_numpy(geodetic_height, "p: 3 -> ()", false("pymap3d ecef2geodetic height", "O(3)")),
    # continuum mechanics
    of_numpy("mechkit.operators:dev_tensor_2nd_order", "A: 3 3 -> 3 3", true("mechkit dev_tensor_2nd_order", "O(3)")),
    of_numpy(mandel_norm, "A: 3 3 -> ()", true("mechkit norm in Mandel's notation", "O(3)")),
    of_numpy(voigt_norm, "A: 3 3 -> ()", false("mechkit norm in Voigt's notation", "O(3)")),
    of_numpy(neo_hooke_stress, "F: 3 3! -> 3 3!", true("tensortrax gradient of an energy of C", "O(3)")),
    of_numpy(small_strain_stress, "F: 3 3! -> 3 3!", false("tensortrax gradient of an energy of small strains", "O(3)")),
    of_numpy("tensortrax.math.special:von_mises", "A: 3 3 -> ()", true("tensortrax von_mises", "O(3)")),
    of_numpy(hooke, "F: 3 3 -> 3 3", true("felupe LinearElastic", "O(3)")),
    of_numpy(hooke, "F: 3 3! -> 3 3!", false("felupe LinearElastic as if objective", "O(3)")),
    # graphs and networks
    of_numpy(using("bct:clustering_coef_wu", lambda f, W: f(undirected(W))), "W: n n -> n", true("bct clustering_coef_wu", "S(n)")),
    of_numpy(using("bct:transitivity_wu", lambda f, W: f(undirected(W))), "W: n n -> ()", true("bct transitivity_wu", "S(n)")),
    of_numpy(using("bct:distance_wei", lambda f, L: f(L)[0]), "L: n n -> n n", true("bct distance_wei", "S(n)"), draw="positive"),
    of_numpy(using("bct:breadth", lambda f, A: f(A.astype(int), 0)[0]), "A[bool]: n n -> n", false("bct breadth", "S(n)"), n=(4, 6)),
    of_numpy(pagerank, "A[bool]: n n -> n", true("igraph pagerank", "S(n)")),
    of_numpy(betweenness, "A[bool]: n n -> n", true("igraph betweenness", "S(n)")),
    of_numpy(using("sknetwork.ranking:PageRank", lambda PageRank, A: PageRank(solver="lanczos").fit_predict(A)), "A[bool]: n n -> n", true("sknetwork PageRank", "S(n)"), n=(4, 6)),
    of_numpy(heat_filter, "W: n n, x: n -> n", true("pygsp Heat", "S(n)")),
    of_numpy(hypergraph_adjacency, "I[bool]: n m -> n n", true("xgi adjacency_matrix", "S(n) x S(m)")),
    # molecules and materials
    of_numpy(coulomb_matrix("eigenspectrum"), "X: 4 3 -> 4", true("dscribe CoulombMatrix eigenspectrum", "E(3)")),
    of_numpy(coulomb_matrix("eigenspectrum"), "X: n 3 -> 4", true("dscribe CoulombMatrix eigenspectrum order", "S(n)"), n=4),
    of_numpy(coulomb_matrix("none"), "X: n 3 -> 16", false("dscribe CoulombMatrix unsorted", "S(n)"), n=4),
    of_numpy(soap, "X: n 3 -> 18", true("dscribe SOAP", "E(3) x S(n)"), n=4),
    of_torch(ewald("Ewald"), "q: n, X: n 3 -> n", true("torchpme Ewald", "T(3)"), true("torchpme Ewald order", "S(n)"), false("torchpme Ewald rotations", "O(3)")),
    of_torch(ewald("PME"), "q: n, X: n 3 -> n", false("torchpme PME", "T(3)")),
    of_torch(spherical_harmonics, "X: n 3 -> n 16", true("sphericart order", "S(n)"), false("sphericart as if invariant", "O(3)")),
    of_numpy(gyration_radius, "X: n 3 -> ()", true("mdtraj compute_rg", "E(3)"), single=True),
    of_numpy(nematic, "u: n 3 -> ()", true("freud Nematic", "O(3)"), single=True),
    # physics and astronomy
    of_numpy(nbody_energy, "X: n 3, V: n 3^ -> ()", true("rebound energy", "E(3)")),
    of_numpy(nbody_angular_momentum, "X: n 3, V: n 3^ -> 3^", true("rebound angular_momentum", "SO(3)"), false("rebound angular_momentum of a moved origin", "T(3)")),
    of_numpy(phase_space_angular_momentum, "x: n 3, v: n 3 -> n 3", true("gala angular_momentum", "SO(3)"), false("gala angular_momentum reflections", "O(3)")),
    of_numpy(miyamoto_nagai_disk, "p: 2, z: () -> ()", true("galpy MiyamotoNagaiPotential about the axis", "O(2)")),
    of_numpy(miyamoto_nagai, "p: 3 -> ()", false("galpy MiyamotoNagaiPotential", "O(3)")),
    of_numpy(plummer, "p: 3 -> ()", true("galpy PlummerPotential", "O(3)")),
    of_numpy(using("boinor.core.elements:eccentricity_vector", lambda f, r, v: f(1.0, r, v)), "r: 3, v: 3 -> 3", true("boinor eccentricity_vector", "O(3)")),
    of_numpy(using("boinor.core.elements:rv2coe", lambda f, r, v: np.array(f(1.0, r, v)[:2])), "r: 3, v: 3 -> 2", true("boinor rv2coe size and shape", "O(3)")),
    of_numpy(using("boinor.core.elements:rv2coe", lambda f, r, v: f(1.0, r, v)[2]), "r: 3, v: 3 -> ()", false("boinor rv2coe inclination", "O(3)")),
    of_numpy(using("pymunk:moment_for_poly", lambda f, P: f(1.0, P.tolist())), "P: n 2 -> ()", true("pymunk moment_for_poly", "SO(2)"), false("pymunk moment_for_poly of a moved polygon", "T(2)"), n=(3, 5)),
    of_numpy(using("pymunk:area_for_poly", lambda f, P: f(P.tolist())), "P: n 2 -> ()", true("pymunk area_for_poly", "C(n)"), false("pymunk area_for_poly reflections", "O(2)"), n=(3, 5)),
    # graphics, topology, ecology
    of_numpy(color_difference("CIE 1976"), "a: n 3, b: n 3 -> n", true("colour delta_E 1976", "E(3)")),
    of_numpy(hue_plane_difference("CIE 1994"), "L: n, p: n 2, M: n, q: n 2 -> n", true("colour delta_E 1994 of hues", "O(2)")),
    of_numpy(hue_plane_difference("CIE 2000"), "L: n, p: n 2, M: n, q: n 2 -> n", false("colour delta_E 2000 of hues", "O(2)")),
    of_numpy(chroma, "L: n, p: n 2 -> n", true("colour Lab_to_LCHab chroma", "O(2)")),
    of_numpy(rips_total, "X: n 3 -> ()", true("gudhi RipsComplex", "E(3) x S(n)")),
    of_numpy(series_persistence, "x: n -> ()", false("gudhi CubicalComplex of a series", "S(n)"), n=(4, 7)),
    of_numpy(ripser_deaths, "X: n 3 -> ()", true("ripser deaths", "E(3) x S(n)"), single=True),
    of_numpy(herfindahl, "x: n -> ()", true("concentrationMetrics hhi", "S(n)"), draw="positive"),
    of_numpy("pointpats.centrography:std_distance", "P: n 2 -> ()", true("pointpats std_distance", "E(2) x S(n)")),
    of_numpy("pointpats.centrography:mean_center", "P: n 2 -> 2", true("pointpats mean_center", "E(2) x S(n)")),
    of_numpy("pointpats.centrography:manhattan_median", "P: n 2 -> 2", false("pointpats manhattan_median rotations", "O(2)"), n=5),
    of_torch(sphere_round_trip, "x: k m -> k m", true("torch_harmonics round trip", "C(m)"), false("torch_harmonics round trip along meridians", "C(k)"), k=8, m=16),
    of_torch(sphere_spectrum, "x: 8 m -> 6", true("torch_harmonics power", "C(m)"), m=16),
]
