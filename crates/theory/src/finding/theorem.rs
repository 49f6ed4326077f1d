//! The theorems and computations that answers rest on, each with the words for it.

use super::phrase::named;

named! {
    /// A theorem or a computation, by a short name.
    Theorem {
        // Regularity.
        PairingNowhereSingular: "the Lagrangian is linear in {velocities}; its two-form there has determinant {determinant}, which never vanishes: first-order equations determine these velocities",
        PairingRegular: "the Lagrangian is linear in {velocities}; its two-form there has determinant {determinant}, which is not identically zero: first-order equations determine these velocities",
        PairingFullRank: "the Lagrangian is linear in {velocities}; its two-form there has full rank: first-order equations determine these velocities",
        HessianVanishesAlong: "the Hessian vanishes in the directions of {velocities}",
        HessianNowhereSingular: "the Hessian {place} has determinant {determinant}, which never vanishes",
        HessianSingularWithFrame: "the Hessian {place} has determinant {determinant}, which vanishes where the frame of the distribution does, and nowhere else",
        HessianRegular: "the Hessian {place} is regular at generic points",
        HessianSingular: "the Hessian {place} has determinant 0 everywhere",
        HessianFullRank: "the Hessian {place} has full rank at a point, by enclosures of its entries",
        HessianRankDrops: "the Hessian {place} is singular: its determinant vanishes at random points of prime fields on all branches",
        LeadingMinorsPositive: "all leading minors of the Hessian {place} are positive",
        LeadingMinorsPositiveExcept: "all leading minors of the Hessian {place} are positive, except where one of {except} vanishes",
        LeadingMinorZero: "the leading minor {order} of the Hessian is 0",
        LeadingMinorNotPositive: "the leading minor {order} of the Hessian is {minor}, which is never positive",
        // The distribution.
        Chow: "iterated brackets have ranks {ranks} at generic points and span all {dimension} directions (Chow)",
        GrowthStops: "the ranks of iterated brackets are {ranks} and stop at {last} of {dimension}: there are integrals",
        NoConstraints: "there are no constraints: D is all of TQ",
        Frobenius: "the brackets of a frame of D stay in D (Frobenius)",
        DrivenGenerating: "brackets of the allowed directions with the drift of the constraints span all directions of positions and time",
        DrivenIntegrals: "brackets of the allowed directions with the drift of the constraints leave functions of positions and time alone, {integrals} of them independent",
        // Steering.
        Accessible: "brackets of drift and controls have ranks {ranks} by their length and span all {dimension} directions of the state",
        NotAccessible: "the ranks of brackets of drift and controls are {ranks} and stop at {last} of {dimension}: functions of the state are constant whatever the controls do",
        // Brackets.
        CotangentBracket: "there are no constraints: the bracket is that of the cotangent bundle",
        JacobiatorVanishes: "D is closed under brackets, so the Jacobiator vanishes",
        JacobiatorOffD: "the Jacobiator is the part of a bracket of D that is off D",
        DiracClosed: "D is closed under brackets, hence so is H",
        // Symmetries, momenta, integrals.
        FieldsHold: "{declared} declared and {found} further fields leave the Lagrangian and the constraints alone",
        DeclaredFieldFails: "the declared field {field}",
        MomentaConserved: "the rate of the momentum of {fields} vanishes along every motion",
        IntegralsBesidesEnergy: "{further} besides the energy: the bracket of each with the Hamiltonian vanishes; {independent} of all {all} are independent",
        IntegralsBesidesConstraints: "{further} besides the energy and the position constraints: the bracket of each with the Hamiltonian vanishes; {independent} of all {all} are independent",
        LevelsNondegenerate: "common levels of two integrals with a bracket that does not vanish carry a nondegenerate two-form",
        // Chaplygin structure.
        NothingToConnect: "there are no constraints to define a connection",
        AffineConstraints: "the constraints have a part free of velocities",
        SymmetriesChange: "the fields {fields} are no symmetries of L and D",
        OrbitsNotTransversal: "the orbits of the symmetries ({fields}) are not transversal to D",
        OrbitsTransversal: "the symmetries ({fields}) leave L and D alone and TQ is the sum of D and their orbits",
        OrbitsNotWritten: "the reduced system is not written out: {error}",
        GroupAlongFibre: "{group} acts along the fibre ({fibre}) and leaves L and D alone; TQ is the sum of D and the fibre directions",
        FibreDetermined: "the constraints determine the velocities of the fibre ({fibre}); the reduced Lagrangian and the gyroscopic force do not depend on it",
        FibreDimension: "the fibre ({fibre}) has dimension {dimension}, but there are {constraints} independent constraints",
        FibreNotDetermined: "the constraints do not determine the velocities of the fibre ({fibre}): {error}",
        NotProjectable: "{what} is not projectable along the fibre",
        GeneratorsLeaveAlone: "the generators leave the Lagrangian and the distribution alone",
        FibreSilent: "the Lagrangian and the constraints do not contain the positions of the fibre",
        // Measures.
        Liouville: "a Hamiltonian flow keeps the Liouville volume",
        DensityNotClosed: "d ln N would be {form}, which is not closed",
        DensityExact: "d ln N is {form}; it is exact, and the divergence of the motion in the volume N vanishes",
        DensityQuadrature: "d ln N is {form}; it is closed and without periods, so that N is a quadrature, and the divergence of the motion in the volume N vanishes",
        DensityOnPieces: "d ln N is {form}; it is closed, and zeros of {poles} cut the circle of {circle}: on each piece between them it is exact, and there is a density, with a constant factor of its own for each piece",
        DensityPeriod: "d ln N is {form}, which is closed, but ln N changes by {change} around {way}: no density is single valued",
        DensityPeriodByNumbers: "d ln N is {form}, which is closed, but ln N changes by {change} around {way}: an enclosure of the integral excludes zero, and no density is single valued",
        DensityPeriodByNumbersAt: "d ln N is {form}, which is closed, but ln N changes by {change} around {way} at {at}: an enclosure of the integral excludes zero, and no density is single valued",
        DensityContradiction: "the derivatives of ln N that the motion asks for along D contradict each other on a bracket",
        LeafwiseLiouville: "D is integrable: on each of its leaves the motion is Hamiltonian and keeps the Liouville volume",
        // Hamiltonization.
        HamiltonianAlready: "there are no constraints: the motion is Hamiltonian as it is",
        HamiltonianOnLeaves: "D is integrable, and on each of its leaves the motion is Hamiltonian as it is, with multiplier 1",
        TwoBaseCoordinates: "with two base coordinates the gyroscopic form is dF ^ Theta",
        PureTrace: "the gyroscopic tensor is of pure trace",
        SymmetrisedCondition: "the gyroscopic force of dF ^ Theta is the one of the system, although the forms differ",
        MultiplierExact: "F = ln f is exact",
        MultiplierExactOnCover: "F = ln f is exact, on the cover on which f is single valued",
        MultiplierExactOnSomeCover: "F = ln f is exact, on the cover on which f is single valued; whether it is single valued as it stands is not known",
        MultiplierClosed: "F = ln f is the integral of a closed form",
        MultiplierClosedOnCover: "F = ln f is the integral of a closed form, on the cover on which f is single valued",
        MultiplierClosedOnSomeCover: "F = ln f is the integral of a closed form, on the cover on which f is single valued; whether it is single valued as it stands is not known",
        OtherFibre: "with the fibre ({fibre})",
        MultiplierNotClosed: "the only candidate for dF is not closed",
        NotPureTrace: "the gyroscopic tensor is not of pure trace, and the symmetrised condition fails",
        NotPureTraceBy: "the gyroscopic tensor is not of pure trace (its component {momentum} on ({first}, {second}) is off by {defect}), and the symmetrised condition fails",
        MagneticNotClosed: "the magnetic term of the eliminated momenta is not closed",
        // Hamilton-Jacobi.
        CompleteSolution: "a complete solution was found by {method} and passes the {test} test",
        LevelsOfIntegrals: "γ parametrises common levels of proven first integrals, which every motion stays on",
        IndependentIntegrals: "the first integrals are independent functions of the momenta, so that every motion of the branch is reached",
        TooFewConstants: "{constants} constants for {velocities} velocities",
        CompleteFamily: "every motion of the branch is reached",
        IncompleteFamily: "the constants of the family are not independent",
        BothTermsAnnihilate: "i_v dγ + d(H∘γ) annihilates D, so that γ carries every motion of v to a motion, as both terms do",
        LiftsMotions: "γ carries every motion of v to a motion",
        ConstantByBrackets: "d(H∘γ) vanishes on D, which generates everything by brackets",
        // Vakonomic motion.
        FreeMotion: "there are no constraints: both motions are the free one",
        NoReaction: "the reaction vanishes on every motion, so that μ = 0 is a multiplier",
        MomentumIsMultiplier: "the momentum along the fibre is a multiplier: M p = 0 and X(p) = λ − N p",
        HolonomicIdeal: "the forms of the constraints generate a closed ideal on space and time, so that they are holonomic",
        Holonomic: "the distribution is closed under brackets, so that the constraints are holonomic",
        MultipliersCarried: "the affine set of multipliers solves M μ = 0 and is carried along by μ' = λ − N μ",
        SeriesConsistent: "at generic states the Taylor coefficients of M μ = 0 are consistent (their ranks modulo a prime), up to the order where they add nothing; the multipliers have dimension {dimension}",
        ConditionsContradict: "the conditions on μ contradict each other by {value} at {at}",
        FamiliesCarried: "the listed families are carried along by the motion with their multipliers",
        // Equilibria and steady motions.
        EigenvaluesRight: "the linear system has {roots} eigenvalues with positive real part, by the signs in Routh's table",
        EigenvaluesOffAxis: "the characteristic polynomial is even and, by Sturm's chain, not all of its roots lie on the imaginary axis: one of each pair has a positive real part",
        EigenvaluesLeft: "all eigenvalues of the linear system have negative real part, by the signs in Routh's table",
        FamilyAttracts: "the eigenvalue 0 has the multiplicity {along} of the family, and all others have negative real part, by the signs in Routh's table: motions nearby come to a member of the family (Lyapunov and Malkin)",
        EnergyMinimum: "the energy has a strict minimum there: its second variation is positive definite on all {directions} directions of the phase space (Lagrange and Dirichlet)",
        EnergyMinimumAcrossOrbit: "the energy has a strict minimum there, modulo the orbit of the symmetries: its second variation is positive definite on the {directions} directions across the orbit that the constraints allow",
        EnergyMomentumMinimum: "the energy less the momenta of the motion has a strict extremum there, modulo the orbit of the symmetries: its second variation is definite on the {directions} directions across the orbit with the same momenta (the energy-momentum method)",
        // Presymplectic chains.
        FieldOnFinalSet: "on the final set the field solves i_X Ω = α and is tangent to it",
        FieldOfFinalSet: "a field moves the points of the final set by the rates that the equation asks for and is tangent to it",
        ImmersionLosesRank: "the immersion loses rank",
        NotHalf: "the dimension {dimension} is not half of {whole}",
        LagrangianSubmanifold: "the form pulls back to zero, and the dimension is half",
        SingularHessian: "the velocity Hessian is singular: N_L does not project onto an open set of T*Q",
        ProjectsOpenly: "the projection to T*Q has full rank, so that the Lagrangian submanifold is the graph of a Hamiltonian field near generic points",
        ProjectsThinly: "the projection to T*Q has rank {rank} of {dimension}",
    }
}

named! {
    /// What there may be none of: said only with a search that came to its end.
    Absence {
        ConservedMomentum: "each of the momenta changes along some motion; their rates are below, and there are no further symmetries",
        OtherHamiltonization: "no other fibre gives one",
        CommonMotions: "every branch of M μ = 0 and its derivatives ends at rest or in a contradiction",
        OtherFamilies: "every other branch of M μ = 0 and its derivatives ends at rest or in a contradiction",
        OtherEquilibria: "every other branch of the equations of rest ends in a contradiction, for generic parameters and modulo full turns of angles",
        OtherSteadyMotions: "every other branch of the equations of steady motion along these symmetries ends at rest or in a contradiction, for generic parameters and modulo full turns of angles",
        FinalSet: "`{function} = 0` has no solution, nor has any other branch an end",
        FinalPoint: "`{function} = 0` has no solution",
    }
}
