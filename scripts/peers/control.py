"""Optimal control with CasADi, beside `rattleback control`: the same problems, Hermite-Simpson on as many intervals.

usage: python scripts/peers/control.py SOLVER PROBLEM N     (SOLVER: ipopt, fatrop)

IPOPT gets states and controls at the nodes and controls in the middle of each interval, which is the discrete problem
of `--scheme hermite-simpson`. FATROP wants explicit steps: the rule of Runge and Kutta with controls held over the step.
"""

import json
import sys

from timing import clock

import casadi as ca
import numpy as np

FREE = ca.inf


def cart_pole():
    m1, m2, l, g = 1.0, 0.3, 0.5, 9.81
    x, u = ca.SX.sym("x", 4), ca.SX.sym("u", 1)
    s, c = ca.sin(x[1]), ca.cos(x[1])
    swing = m2*(l*x[3]**2 + g*c)*s
    cart = (u + swing)/(m1 + m2*s**2)
    rates = ca.vertcat(x[2], x[3], cart, -(cart*c + g*s)/l)
    return {"f": (x, u, rates, u**2), "T": 2.0, "start": [0]*4, "goal": [1, np.pi, 0, 0],
            "states": [2] + [FREE]*3, "controls": [20], "guess": None}


def sleigh_parking():
    m, inertia, a = 1.0, 0.25, 0.2
    x, u = ca.SX.sym("x", 5), ca.SX.sym("u", 2)
    theta, v, w = x[2], x[3], x[4]
    rates = ca.vertcat(v*ca.cos(theta), v*ca.sin(theta), w, a*w**2 + u[0]/m,
                       (u[1] - m*a*v*w)/(inertia + m*a**2))
    return {"f": (x, u, rates, ca.sumsqr(u)), "T": 4.0, "start": [0]*5, "goal": [0, 1, 0, 0, 0],
            "states": [FREE]*5, "controls": [FREE]*2,
            "guess": lambda s: [0.3*np.sin(2*np.pi*s), s, 0.5*np.sin(np.pi*s), 0, 0]}


def snakeboard_transfer():
    m, board, rotor, wheels, r = 6.0, 0.016, 0.072, 0.0013, 0.2
    total = board + rotor + 2*wheels
    x, u = ca.SX.sym("x", 8), ca.SX.sym("u", 2)
    theta, phi, s, psi_rate, phi_rate = x[2], x[4], x[5], x[6], x[7]
    c, d = ca.cos(phi), ca.sin(phi)
    # Along the distribution: s is the rate of the turn over sin(phi).
    inertia = m*r**2*c**2 + total*d**2
    push = -(total - m*r**2)*d*c*phi_rate*s
    turn = u[0] - rotor*c*phi_rate*s
    determinant = inertia*rotor - (rotor*d)**2
    rates = ca.vertcat(r*c*s*ca.cos(theta), r*c*s*ca.sin(theta), d*s, psi_rate, phi_rate,
                       rotor*(push - d*turn)/determinant, (inertia*turn - rotor*d*push)/determinant,
                       u[1]/(2*wheels))
    return {"f": (x, u, rates, u[0]**2 + 100*u[1]**2), "T": 8.0, "start": [0]*8, "goal": [1] + [0]*7,
            "states": [FREE]*4 + [1.2] + [FREE]*3, "controls": [FREE]*2,
            "guess": lambda s: [s, 0, 0.2*np.sin(2*np.pi*s), 0.5*np.sin(4*np.pi*s), 0.5*np.sin(2*np.pi*s), 0.5, 0, 0]}


def rigid_body():
    """Attitude by a quaternion, the last rate without a torque."""
    i1, i2, i3 = 1.0, 2.0, 3.0
    x, u = ca.SX.sym("x", 7), ca.SX.sym("u", 2)
    q, (a, b, c) = x[:4], ca.vertsplit(x[4:])
    turn = ca.vertcat(-q[1]*a - q[2]*b - q[3]*c, q[0]*a + q[2]*c - q[3]*b,
                      q[0]*b + q[3]*a - q[1]*c, q[0]*c + q[1]*b - q[2]*a)/2
    rates = ca.vertcat(turn, ((i2 - i3)*b*c + u[0])/i1, ((i3 - i1)*c*a + u[1])/i2, (i1 - i2)*a*b/i3)
    angle = np.sqrt(0.38)
    axis = np.array([0.5, -0.3, 0.2])/angle
    goal = [np.cos(angle/2), *(np.sin(angle/2)*axis)]
    # The norm is kept by the equations: three of four entries say where it ends.
    return {"f": (x, u, rates, ca.sumsqr(u)), "T": 3.0, "start": [1] + [0]*6, "goal": [None] + goal[1:] + [0]*3,
            "states": [FREE]*7, "controls": [FREE]*2,
            "guess": lambda s: [np.cos(s*angle/2), *(np.sin(s*angle/2)*axis), 0, 0, 0]}


def chain():
    """Six unit masses on circles, coupled to their neighbours and the walls, pushed at both ends."""
    n = 6
    x, u = ca.SX.sym("x", 2*n), ca.SX.sym("u", 2)
    q = [0, *ca.vertsplit(x[:n]), 0]
    pull = [ca.sin(q[i - 1] - q[i]) + ca.sin(q[i + 1] - q[i]) for i in range(1, n + 1)]
    pull[0] += u[0]
    pull[-1] += u[1]
    return {"f": (x, u, ca.vertcat(x[n:], *pull), ca.sumsqr(u)), "T": 8.0, "start": [0]*(2*n),
            "goal": [0.3]*n + [0]*n, "states": [FREE]*(2*n), "controls": [5, 5], "guess": None}


PROBLEMS = {"cart_pole_swing_up": cart_pole, "sleigh_parking": sleigh_parking,
            "snakeboard_transfer": snakeboard_transfer, "underactuated_rigid_body": rigid_body, "chain": chain}


def between(low, high, share):
    return [a if b is None else a + share*(b - a) for a, b in zip(low, high)]


def line(problem, n):
    """The first iterate at the nodes: the problem's own, or straight."""
    guess = problem["guess"] or (lambda s: between(problem["start"], problem["goal"], s))
    return [guess(k/n) for k in range(n + 1)]


def node_bounds(problem, k, n):
    """Bounds of the state of a node, whole at the start and where the goal says so."""
    low, high = [-b for b in problem["states"]], list(problem["states"])
    fixed = {0: problem["start"], n: problem["goal"]}.get(k, [])
    for i, value in enumerate(fixed):
        if value is not None:
            low[i] = high[i] = value
    return low, high


def simpson(problem, n):
    """The discrete problem of Hermite and Simpson, all intervals by one function."""
    x, u, rates, cost = problem["f"]
    f = ca.Function("f", [x, u], [rates, cost])
    nx, nu, h = x.numel(), u.numel(), problem["T"]/n
    a, b = ca.SX.sym("a", nx), ca.SX.sym("b", nx)
    ua, um, ub = (ca.SX.sym(name, nu) for name in ("ua", "um", "ub"))
    (fa, ca_), (fb, cb) = f(a, ua), f(b, ub)
    fm, cm = f((a + b)/2 + h/8*(fa - fb), um)
    step = ca.Function("step", [a, ua, um, b, ub], [b - a - h/6*(fa + 4*fm + fb), h/6*(ca_ + 4*cm + cb)])
    z = ca.MX.sym("z", nx + 2*nu, n)
    last = ca.MX.sym("last", nx + nu)
    nodes = ca.horzcat(z[:nx + nu, :], last)
    gaps, costs = step.map(n)(nodes[:nx, :-1], nodes[nx:, :-1], z[nx + nu:, :], nodes[:nx, 1:], nodes[nx:, 1:])
    guess = line(problem, n)
    first, low, high = [], [], []
    for k in range(n + 1):
        below, above = node_bounds(problem, k, n)
        often = 2 if k < n else 1
        first += list(guess[k]) + [0.0]*(often*nu)
        low += below + [-c for c in problem["controls"]]*often
        high += above + problem["controls"]*often
    nlp = {"x": ca.veccat(z, last), "f": ca.sum2(costs), "g": ca.vec(gaps)}
    return nlp, {"x0": first, "lbx": low, "ubx": high, "lbg": 0, "ubg": 0}


def stages(problem, n):
    """Explicit steps with controls held, stage by stage."""
    x, u, rates, cost = problem["f"]
    f = ca.Function("f", [x, u], [rates, cost])
    nx, nu, h = x.numel(), u.numel(), problem["T"]/n
    k1, c1 = f(x, u)
    k2, c2 = f(x + h/2*k1, u)
    k3, c3 = f(x + h/2*k2, u)
    k4, c4 = f(x + h*k3, u)
    step = ca.Function("step", [x, u], [x + h/6*(k1 + 2*k2 + 2*k3 + k4), h/6*(c1 + 2*c2 + 2*c3 + c4)])
    states = [ca.MX.sym(f"x{k}", nx) for k in range(n + 1)]
    controls = [ca.MX.sym(f"u{k}", nu) for k in range(n)]
    rows, equal, low, high, total = [], [], [], [], 0

    def bound(value, below, above):
        for i, (a, b) in enumerate(zip(below, above)):
            if a > -FREE or b < FREE:
                rows.append(value[i])
                equal.append(a == b)
                low.append(a)
                high.append(b)

    for k in range(n + 1):
        if k < n:
            ahead, here = step(states[k], controls[k])
            rows.append(states[k + 1] - ahead)
            equal += [True]*nx
            low += [0]*nx
            high += [0]*nx
            total += here
        bound(states[k], *node_bounds(problem, k, n))
        if k < n:
            bound(controls[k], [-c for c in problem["controls"]], problem["controls"])
    guess = line(problem, n)
    variables, first = [], []
    for k in range(n + 1):
        variables.append(states[k])
        first += list(guess[k])
        if k < n:
            variables.append(controls[k])
            first += [0.0]*nu
    nlp = {"x": ca.vertcat(*variables), "f": total, "g": ca.vertcat(*rows)}
    return nlp, {"x0": first, "lbg": low, "ubg": high}, equal


def main():
    solver, name, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
    begun = clock()
    problem = PROBLEMS[name]()
    if solver == "fatrop":
        nlp, numbers, equal = stages(problem, n)
        options = {"expand": True, "structure_detection": "auto", "equality": equal, "fatrop.print_level": 0,
                   "fatrop.tol": 1e-8, "fatrop.max_iter": 1000}
    else:
        nlp, numbers = simpson(problem, n)
        options = {"ipopt.print_level": 0, "ipopt.sb": "yes", "ipopt.tol": 1e-8, "ipopt.max_iter": 1000}
    program = ca.nlpsol("program", solver, nlp, {"print_time": False, **options})
    built = clock() - begun
    begun = clock()
    found = program(**numbers)
    solve = clock() - begun
    said = program.stats()
    print(json.dumps({"total_s": built + solve, "solve_s": solve, "iterations": said.get("iter_count"),
                      "cost": float(found["f"]), "solved": bool(said.get("success"))}))


main()
