"""Accelerations by SymPy's KanesMethod, from bodies and frames instead of the model's Lagrangian.

The parameters come from the model file; the rigid bodies are set up here a second time, so that a
model is also checked against the mechanics that it claims to describe.
"""

import mpmath
import sympy as sm
from sympy.physics import mechanics as me

from mech import TIME


class Kane:
    """The linear system for the rates of one model's velocities, as numeric functions of (q, q')."""

    def __init__(self, model, build):
        self.model = model
        q = model.coordinates
        u = [me.dynamicsymbols(f"u{i}") for i in range(len(q))]
        speeds = dict(zip(model.velocities, u))
        inertial = me.ReferenceFrame("N")
        bodies, loads, constraints, dependent = build(model, inertial, speeds)
        method = me.KanesMethod(
            inertial, q_ind=q, kd_eqs=[x - v for x, v in zip(u, model.velocities)],
            u_ind=[x for i, x in enumerate(u) if i not in dependent], u_dependent=[u[i] for i in dependent],
            velocity_constraints=[c.subs(speeds) for c in constraints])
        method.kanes_equations(bodies, loads)
        self.order = [u.index(x) for x in method.u]
        plain = sm.symbols(f"s0:{2 * len(q)}")
        table = dict(zip(q + u, plain))
        matrices = [method.mass_matrix_full.subs(speeds).xreplace(table), method.forcing_full.subs(speeds).xreplace(table)]
        self.system = sm.lambdify([plain], matrices, "mpmath", cse=True)

    def at(self, q, v):
        """The accelerations, in the order of the coordinates."""
        solution = mpmath.lu_solve(*self.system([*q, *v]))
        rates = solution[len(q):]
        return [rates[self.order.index(i)] for i in range(len(q))]


def point(inertial, origin, name, position, speeds):
    """A point at a position in the inertial frame, with its velocity in the generalised speeds."""
    p = origin.locatenew(name, position)
    p.set_vel(inertial, position.dt(inertial).subs(speeds))
    return p


def pendulum_chain(model, inertial, speeds):
    """Four particles on massless rods; gravity along -z."""
    m, l, g = (model.names[k] for k in "mlg")
    origin = me.Point("O")
    position, bodies, loads = 0 * inertial.x, [], []
    for i, angle in enumerate(model.coordinates):
        position = position + l * (sm.sin(angle) * inertial.x - sm.cos(angle) * inertial.z)
        p = point(inertial, origin, f"P{i}", position, speeds)
        bodies.append(me.Particle(f"bob{i}", p, m))
        loads.append((p, -m * g * inertial.z))
    return bodies, loads, [], []


def chaplygin_sleigh(model, inertial, speeds):
    """A rigid body on a blade; its centre of mass lies ahead of the blade."""
    m, J, a = (model.names[k] for k in "mJa")
    x, y, theta = model.coordinates
    body_frame = inertial.orientnew("B", "Axis", (theta, inertial.z))
    body_frame.set_ang_vel(inertial, speeds[theta.diff(TIME)] * inertial.z)
    origin = me.Point("O")
    centre = point(inertial, origin, "C", x * inertial.x + y * inertial.y + a * body_frame.x, speeds)
    body = me.RigidBody("sleigh", centre, body_frame, m, (me.inertia(body_frame, 0, 0, J), centre))
    blade = (x * inertial.x + y * inertial.y).dt(inertial)
    return [body], [], [blade.dot(body_frame.y)], [1]


def rolling_disk(model, inertial, speeds):
    """A disk whose point of contact is at rest: heading about z, lean about the heading, spin about the axle."""
    m, R, g, diameter, axle = (model.names[k] for k in ("m", "R", "g", "Id", "Ia"))
    x, y, phi, theta, psi = model.coordinates
    heading = inertial.orientnew("A", "Axis", (phi, inertial.z))
    lean = heading.orientnew("B", "Axis", (theta, heading.x))
    turning = phi.diff(TIME) * inertial.z + theta.diff(TIME) * heading.x
    spin = turning + psi.diff(TIME) * lean.y
    disk = lean.orientnew("D", "Axis", (psi, lean.y))
    disk.set_ang_vel(inertial, spin.subs(speeds))
    origin = me.Point("O")
    contact = x * inertial.x + y * inertial.y
    centre = point(inertial, origin, "C", contact + R * lean.z, speeds)
    inertia = me.inertia(disk, diameter, axle, diameter)
    body = me.RigidBody("disk", centre, disk, m, (inertia, centre))
    slip = (contact + R * lean.z).dt(inertial) + spin.cross(-R * lean.z)
    constraints = [slip.dot(heading.x), slip.dot(heading.y)]
    return [body], [(centre, -m * g * inertial.z)], constraints, [0, 1]


BUILDERS = {f.__name__: f for f in (pendulum_chain, chaplygin_sleigh, rolling_disk)}
