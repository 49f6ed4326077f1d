//! The coefficients of the method of Dormand & Prince of order 5(4).
//!
//! Stages count from 0; stage 6 is f(t + h, x₁), the first stage of the next step.

use super::tableau::Row;

/// Stage 1.
pub const STAGE_1: Row<1> = Row {
    node: 1.0 / 5.0,
    stages: [0],
    weights: [1.0 / 5.0],
};

/// Stage 2.
pub const STAGE_2: Row<2> = Row {
    node: 3.0 / 10.0,
    stages: [0, 1],
    weights: [3.0 / 40.0, 9.0 / 40.0],
};

/// Stage 3.
pub const STAGE_3: Row<3> = Row {
    node: 4.0 / 5.0,
    stages: [0, 1, 2],
    weights: [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
};

/// Stage 4.
pub const STAGE_4: Row<4> = Row {
    node: 8.0 / 9.0,
    stages: [0, 1, 2, 3],
    weights: [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
    ],
};

/// Stage 5.
pub const STAGE_5: Row<5> = Row {
    node: 1.0,
    stages: [0, 1, 2, 3, 4],
    weights: [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
    ],
};

/// The solution of order 5.
pub const END: Row<5> = Row {
    node: 1.0,
    stages: [0, 2, 3, 4, 5],
    weights: [
        35.0 / 384.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
};

/// The difference to the embedded solution of order 4.
pub const ERROR: Row<6> = Row {
    node: 1.0,
    stages: [0, 2, 3, 4, 5, 6],
    weights: [
        71.0 / 57600.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ],
};

/// The last coefficient of the dense output (Shampine's choice, order 4).
pub const DENSE: Row<6> = Row {
    node: 1.0,
    stages: [0, 2, 3, 4, 5, 6],
    weights: [
        -12715105075.0 / 11282082432.0,
        87487479700.0 / 32700410799.0,
        -10690763975.0 / 1880347072.0,
        701980252875.0 / 199316789632.0,
        -1453857185.0 / 822651844.0,
        69997945.0 / 29380423.0,
    ],
};
