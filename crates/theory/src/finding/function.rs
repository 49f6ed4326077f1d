//! The functions whose vanishing is asked about, each with the words for it.

use super::phrase::named;

named! {
    /// What a function is.
    Function {
        Residual: "the residual",
        // Regularity.
        HessianDeterminant: "the determinant of the Hessian {place}",
        PairingDeterminant: "the determinant of the two-form",
        // The distribution and the bracket.
        ConstraintsOnBrackets: "the constraint forms on brackets of fields of D",
        ConstraintOnBracket: "constraint form {form} on the bracket [Z{first}, Z{second}]",
        Jacobiator: "Jac({of})",
        // Symmetries, momenta, integrals.
        LagrangianAlongLift: "the derivative of L along its lift",
        ConstraintsOnMoved: "a constraint form on its bracket with D",
        ConstraintsOnField: "a constraint form on it",
        EquivarianceDefect: "the defect of {{J_i, J_j}} = -c^k_ij J_k",
        MomentumRate: "the rate of the momentum",
        MomentumRateWithReaction: "the rate of the momentum, with the reaction,",
        BracketWithHamiltonian: "its bracket with the Hamiltonian",
        BracketOfIntegrals: "the bracket of integrals {first} and {second}",
        // Chaplygin structure.
        ChangeOfSystem: "the change of the Lagrangian or of the constraints along the fields",
        Transversality: "the determinant of the constraint forms on the fields",
        AlongFibre: "the derivative along the fibre `{factor}`",
        LiftPairing: "the defect <hl(P), hl(v)> - P.v",
        LiftedEnergy: "the difference of the energy of a lifted motion and the reduced Hamiltonian",
        LiftedConstraints: "the residual of the constraints on a lifted motion",
        GyroscopicForce: "the gyroscopic force",
        // Measures and Hamiltonization.
        ExteriorDerivative: "the component ({first}, {second}) of its exterior derivative",
        DensityDefect: "the difference",
        TraceDefect: "the part of the gyroscopic tensor that is no trace",
        SymmetrisedDefect: "a component of the condition",
        MagneticDerivative: "a component of its derivative",
        Period: "the change of ln N",
        // Hamilton-Jacobi.
        OffMomenta: "the part of γ that is not g♭v with v in D",
        CurlOnD: "dγ on D",
        EnergyAlongD: "the derivative of H∘γ along D",
        LiftDefect: "i_v dγ + d(H∘γ) on D",
        EnergySlope: "the differential of H∘γ",
        FamilyDeterminant: "det ∂γ_a/∂c_b",
        IntegralDeterminant: "det ∂F_a/∂P_b",
        CurlOnBase: "dγ* on the base",
        GeneralizedCurl: "dγ*(∂_α, ∂_β) - γ([h_α, h_β])",
        PrincipalEquation: "S_t + H(q, S_q)",
        LeviCivita: "the expression of Levi-Civita",
        ConstraintsOnCurve: "the residual of the constraints along the curve",
        EquationsOnCurve: "the residual of the equations of motion with these reactions",
        FreeEquationsOnCurve: "the residual of the equations without reactions",
        EnergyRate: "the rate of the energy",
        // Vakonomic motion.
        Reaction: "a reaction",
        MomentumDefect: "the defect of the momentum along the fibre as a multiplier",
        ConstraintsTurning: "a coefficient of M",
        BracketOfDistribution: "a constraint form on a bracket of D",
        MultiplierMisfit: "what is left of the conditions on μ when μ is eliminated",
        MultiplierGap: "the residual of the multipliers",
        // Phase spaces.
        JacobiIdentity: "a Jacobiator of the bracket",
        GyroscopicTerm: "the gyroscopic force Λ r'",
        PulledBackForm: "a component of the form pulled back",
        PulledBackDifference: "the difference of the form and its pullback",
        HamiltonGap: "the difference from Hamilton's equations on N_L",
        ChainGap: "the residual of the equation and of tangency",
    }
}
