"""The compared problems for any scalar algebra: Lagrangian and constraint rows from (q, q', ops).

The chains are summed body by body with numeric parameters, as a user would write them.
"""

GRAVITY = 9.81


def pendulum(n):
    """n unit point masses on unit rods; angles from the downward vertical."""
    def lagrangian(q, v, ops):
        height, vx, vy, total = 0, 0, 0, 0
        for angle, rate in zip(q, v):
            height = height - ops.cos(angle)
            vx = vx + ops.cos(angle) * rate
            vy = vy + ops.sin(angle) * rate
            total = total + 0.5 * (vx * vx + vy * vy) - GRAVITY * height
        return total, []
    return n, lagrangian


def trailers(k):
    """A tractor with k trailers hitched on the axle before; no axle slides sideways."""
    def lagrangian(q, v, ops):
        n, inertia = k + 3, 0.1
        east, north = [0] * n, [0] * n
        east[0] = north[1] = 1
        total, rows = 0, []
        for axle in range(k + 1):
            heading, turning = q[2 + axle], v[2 + axle]
            if axle > 0:
                east[2 + axle], north[2 + axle] = ops.sin(heading), -ops.cos(heading)
            used = [i for i in range(n) if i < 2 or i <= 2 + axle]
            vx = sum(east[i] * v[i] for i in used if not is_zero(east[i]))
            vy = sum(north[i] * v[i] for i in used if not is_zero(north[i]))
            total = total + 0.5 * (vx * vx + vy * vy + inertia * turning * turning)
            rows.append([ops.sin(heading) * e - ops.cos(heading) * f for e, f in zip(east, north)])
        return total, rows
    return k + 3, lagrangian


def is_zero(x):
    return isinstance(x, int) and x == 0


def snakeboard(_size):
    """Board, rotor and two wheel pairs; coordinates (x, y, heading, rotor, wheels)."""
    mass, board, rotor, wheels, half = 6.0, 0.016, 0.072, 0.0013, 0.2

    def lagrangian(q, v, ops):
        heading, angle = q[2], q[4]
        total = 0.5 * (mass * (v[0] ** 2 + v[1] ** 2) + board * v[2] ** 2 + rotor * (v[2] + v[3]) ** 2
                       + wheels * (v[2] + v[4]) ** 2 + wheels * (v[2] - v[4]) ** 2)
        rows = [[-ops.sin(a), ops.cos(a), arm * ops.cos(angle), 0, 0]
                for a, arm in ((heading + angle, half), (heading - angle, -half))]
        return total, rows
    return 5, lagrangian


PROBLEMS = {f.__name__: f for f in (pendulum, trailers, snakeboard)}
