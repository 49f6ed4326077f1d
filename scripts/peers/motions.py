"""The right-hand sides of the compared motions for any scalar algebra: rates from (t, x, ops).

`ops` has sin and cos; systems of equations are solved by the unrolled elimination below. Starts,
horizons and references come from our side, so that there is one copy of them.
"""

GRAVITY = 9.81


def solve(matrix, rhs):
    """LDL^T of a symmetric positive matrix."""
    n = len(rhs)
    lower = [[0.0] * n for _ in range(n)]
    pivots = []
    for j in range(n):
        pivots.append(matrix[j][j] - sum(lower[j][k] * lower[j][k] * pivots[k] for k in range(j)))
        for i in range(j + 1, n):
            rest = matrix[i][j] - sum(lower[i][k] * lower[j][k] * pivots[k] for k in range(j))
            lower[i][j] = rest / pivots[j]
    y = list(rhs)
    for i in range(n):
        y[i] = y[i] - sum(lower[i][k] * y[k] for k in range(i))
    y = [a / pivot for a, pivot in zip(y, pivots)]
    for i in reversed(range(n)):
        y[i] = y[i] - sum(lower[k][i] * y[k] for k in range(i + 1, n))
    return y


def pendulum(n):
    """A chain of unit masses on unit rods; absolute angles and their rates."""
    def rates(t, x, ops):
        angle, rate = x[:n], x[n:]
        weight = [[float(n - max(i, j)) for j in range(n)] for i in range(n)]
        matrix = [[weight[i][j] * ops.cos(angle[i] - angle[j]) if i != j else weight[i][i]
                   for j in range(n)] for i in range(n)]
        rhs = [-weight[i][i] * GRAVITY * ops.sin(angle[i])
               - sum(weight[i][j] * ops.sin(angle[i] - angle[j]) * rate[j] * rate[j]
                     for j in range(n) if j != i) for i in range(n)]
        return list(rate) + solve(matrix, rhs)
    return rates


def sleigh_under(torque):
    """Chaplygin's sleigh: knife edge, heading, forward speed, turning rate."""
    a, inertia = 0.2, 0.29

    def rates(t, x, ops):
        _, _, heading, v, w = x
        return [v * ops.cos(heading), v * ops.sin(heading), w, a * w * w,
                (torque(t, ops) - a * v * w) / inertia]
    return rates


def disk(t, x, ops):
    """The vertical disk that rolls: contact point, two angles, their rates."""
    turn, spin, veer = x[3:]
    return [spin * ops.cos(turn), spin * ops.sin(turn), spin, veer, 0.0, 0.0]


def snakeboard(t, x, ops):
    """Board, rotor and wheels under torques; s is the speed along the allowed direction."""
    mass, board, rotor, wheel, r = 6.0, 0.016, 0.072, 0.0013, 0.2
    total, lever = board + rotor + 2 * wheel, mass * r * r
    _, _, heading, _, angle, s, spin, steer = x
    cosine, sine, drive = ops.cos(angle), ops.sin(angle), ops.sin(3.0 * t)
    matrix = [[lever * cosine * cosine + total * sine * sine, rotor * sine], [rotor * sine, rotor]]
    rhs = [-(total - lever) * sine * cosine * steer * s, 0.05 * drive - rotor * cosine * steer * s]
    forward = r * cosine * s
    return [forward * ops.cos(heading), forward * ops.sin(heading), sine * s, spin, steer,
            *solve(matrix, rhs), -5.4 * drive]


def chaplygin_ball(t, x, ops):
    """Chaplygin's ball, reduced to its momentum K and the vertical g."""
    def dot(a, b):
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

    def cross(a, b):
        return [a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))]
    k, g = x[:3], x[3:]
    inverse = [1 / 1.3, 1 / 1.4, 1 / 1.5]
    ak, ag = ([a * b for a, b in zip(inverse, y)] for y in (k, g))
    c = dot(g, ak) / (1.0 - dot(g, ag))
    w = [a + c * b for a, b in zip(ak, ag)]
    return cross(k, w) + cross(g, w)


def trailers(k):
    """A driven tractor with k trailers: position, headings, speed, turning rate."""
    inertia = 0.1

    def rates(t, x, ops):
        heading, v, w = x[2:3 + k], x[3 + k], x[4 + k]
        bend = [a - b for a, b in zip(heading, heading[1:])]
        g, h = [1.0], []
        for e in bend:
            h.append(g[-1] * ops.sin(e))
            g.append(g[-1] * ops.cos(e))
        turning = [w] + [v * a for a in h]
        g_rate, h_rate = [0.0], []
        for i, e in enumerate(bend):
            rate = turning[i] - turning[i + 1]
            h_rate.append(g_rate[i] * ops.sin(e) + g[i] * ops.cos(e) * rate)
            g_rate.append(g_rate[i] * ops.cos(e) - g[i] * ops.sin(e) * rate)
        mass = sum(a * a for a in g) + inertia * sum(a * a for a in h)
        bias = sum(a * b for a, b in zip(g[1:], g_rate[1:])) + inertia * sum(a * b for a, b in zip(h, h_rate))
        force, torque = 0.5 * ops.sin(t), 0.02 * ops.cos(0.5 * t)
        return [v * ops.cos(heading[0]), v * ops.sin(heading[0]), *turning,
                (force - bias * v) / mass, torque / inertia]
    return rates


MOTIONS = {
    **{f"pendulum{n}": pendulum(n) for n in (1, 2, 4, 8, 16)},
    "sleigh": sleigh_under(lambda t, ops: 0.0),
    "sleigh_forced": sleigh_under(lambda t, ops: 0.5 * ops.cos(2.0 * t)),
    "disk": disk,
    "snakeboard": snakeboard,
    "chaplygin_ball": chaplygin_ball,
    "trailers3": trailers(3),
}
