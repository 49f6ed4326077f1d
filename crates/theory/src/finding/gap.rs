//! What is in the way of an answer, each with the words for it.

use super::phrase::named;

named! {
    /// What is in the way.
    Gap {
        NotLookedAt: "not looked at",
        Cancelled: "it was cancelled before it came to an end",
        ProgramFailed: "the program failed here; please report this model",
        NoSystemForValues: "there is no such system for the values given: {error}",
        Contradiction: "{contradiction}",
        Pieces: "the functions of the model come in pieces, at {places}, and what holds at one point need not hold on the other pieces",
        HigherDerivatives: "the Lagrangian has derivatives beyond velocities",
        ExternalForce: "an external force acts on the system",
        DependsOnTime: "the system depends on time",
        AffineConstraints: "the constraints have a part free of velocities",
        VelocityForce: "a force depends on the velocities",
        NotQuadratic: "the Lagrangian is not quadratic in the velocities",
        LinearTerm: "the Lagrangian has a term linear in the velocities",
        AuxiliaryStates: "auxiliary states move by rates of their own",
        NonlinearConstraints: "the constraints are not linear in the velocities",
        // Equilibria and steady motions.
        GroupEntriesMixed: "the equations mix rows and columns of {group}",
        AngleBesideItsSine: "{angle} stands beside its own sine or cosine",
        NothingFound: "no equilibrium or steady motion was found",
        NotRealHere: "its conditions are not shown to hold for the values given",
        NoLinearSystem: "there is no linear system at this state",
        TooManyStates: "the linear system has {states} states, too many for exact arithmetic",
        OneWay: "the free rates decide, and the start does not give them: the modes across it do not grow where {conditions}",
        NothingTransverse: "there is nothing across the orbit to judge",
        SpectrumOnAxis: "no eigenvalue is known to have a positive real part, and those on the imaginary axis do not decide",
        SpectrumUnknown: "the spectrum is not known",
        SecondVariationIndefinite: "the second variation of the energy less the momenta is not definite",
        SecondVariationUnknown: "the second variation of the energy could not be worked out",
        EnergyDoesNotApply: "the energy does not decide: {why}",
        // Steering.
        NoControls: "there are no controls",
        NoStartPoint: "there is no start",
        BracketsStop: "the ranks of brackets of drift and controls are {ranks} of {dimension} there; longer brackets were not looked at",
        // Searches.
        NoSmallCoefficients: "some coefficients are neither small fractions nor short functions of the parameters",
        NoFieldValues: "a function has no values in a prime field",
        HiddenRelations: "between functions that occur there may be relations that prime fields do not know",
        TooFewPoints: "too few points of a prime field were found where all roots exist",
        // Regularity.
        TooManyMinors: "the Hessian {place} is too large for its minors",
        MinorUnknown: "a leading minor could not be worked out",
        MinorSignUnknown: "the assumptions do not tell the sign of the leading minor {order}, {minor}",
        // Symmetries, momenta, integrals.
        NoField: "no field was found that leaves L and D alone",
        DeclaredFieldOpen: "the declared field {field}",
        NoMomentum: "there is no momentum to judge",
        MomentumOpen: "the momentum of {field}",
        MomentaChange: "each of the momenta that were found changes along some motion; their rates are below. There may be further ones",
        OrbitFields: "the fields of D along the orbits: {error}",
        NoAccelerations: "the equations do not determine the accelerations",
        NoIntegral: "no first integral besides the energy was found",
        NoLevels: "there are no integrals to restrict to",
        FewIntegrals: "fewer than two integrals are known",
        CommutingIntegrals: "no two of the integrals that were found have a bracket that is known not to vanish",
        // Chaplygin structure.
        ChaplyginOrder: "Chaplygin reduction is for Lagrangians in positions and velocities",
        NoFibre: "of {fibres} sets of coordinates or group factors that were tried none is a fibre that the constraints determine and nothing depends on; other actions were not tried: declare `symmetry` or `fibre`",
        NoFibreNorFields: "of {fibres} sets of coordinates or group factors that were tried none is a fibre that the constraints determine and nothing depends on, and no translations or rotations (fields with coefficients of degree {degree}) that were found act across D; other actions were not tried: declare `symmetry` or `fibre`",
        FibreVelocities: "the velocities of the fibre ({fibre}): {error}",
        ReducedMetric: "the reduced metric: {error}",
        OrbitsAlongSlice: "the orbits are not transversal to D along the slice: {error}",
        NoSlice: "no coordinates or group factors could be held to make a slice across the orbits",
        // Measures.
        FirstOrderMotion: "the motion is of first order, on the positions, where this is not judged",
        DensityNotIntegrated: "d ln N is {form}, which is closed, but its integral was not found in closed form, and no path to integrate it along numerically: the space has group factors, or the form is singular wherever it was tried",
        DensityMaybePeriodic: "d ln N is {form}, which is closed, but it is not known whether its integral is single valued",
        DensityMaybePeriodicAround: "d ln N is {form}, which is closed, but it is not known whether its integral is single valued: around {way}, {why}",
        DensityAcrossLeaves: "ln N is determined along the leaves of D only, and no continuation across them was found",
        // Hamiltonization.
        NoReduction: "there is no reduction to judge",
        OtherFibres: "for the fibre that was chosen it fails; others may do better",
        MostFibres: "only {most} fibres were tried",
        NotAllFibres: "not all fibres were tried",
        MultiplierNotIntegrated: "dF is closed, but F was not found in closed form, nor a path to integrate it along",
        // Hamilton-Jacobi.
        NoCompleteFamily: "solutions were found, but no complete family",
        ForceNotBalanced: "an external force acts, and no family with coefficients that were tried balances it",
        NoSolution: "neither separation, in these coordinates or in linear, polar, spherical or parabolic ones, nor elimination nor first integrals linear or quadratic in the momenta led to a solution",
        NoDeterminant: "the determinant could not be worked out",
        // Vakonomic motion.
        NoFamiliesLookedFor: "no families were looked for",
        SomeMotionsOpen: "not every motion is vakonomic, but whether some are is open",
        SomeTimedMotionsOpen: "not every motion is vakonomic, but whether some are is open: the motion depends on time",
        FamilyNotCertified: "a family could not be certified",
        FamilyNotReal: "no real state of a family was found",
        MostBranches: "the search for families of common motions was cut short after {branches} branches",
        EquationTooLong: "an equation with {terms} terms was too long to split",
        EquationNotSolved: "`{equation} = 0` could not be solved",
        LongEquationNotSolved: "an equation with {terms} terms could not be solved",
        OnlyAtPoint: "the conditions look contradictory at one point and consistent at others",
        MultipliersMiss: "the solved multipliers miss their equation",
        // Presymplectic chains.
        NoEndAfterBranches: "no end after {branches} branches",
        NoEndAfterSteps: "no end after {steps} steps",
    }
}
