//! What may be said on the command line.

use crate::form_argument::FormParser;
use crate::method_argument::MethodParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use rattleback::control::optimal::{Ends, Scheme};
use rattleback::mechanics::Form;
use rattleback::mechanics::discrete::{Placement, Retraction};
use rattleback::session::Route;
use rattleback::simulation::Method;
use std::path::PathBuf;

/// Nonholonomic mechanics from a page of text.
///
/// A model file states coordinates, a Lagrangian and constraints; rattleback derives the exact
/// equations of motion in the formulation that you ask for and follows the motion.
#[derive(Debug, Parser)]
#[command(name = "rattleback", version, after_help = OVERVIEW)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const OVERVIEW: &str = "\
Examples:
  rattleback new sleigh                       write a starter model to sleigh.mech
  rattleback check sleigh.mech                report every problem, and what kind of system it is
  rattleback derive sleigh.mech               the equations of motion with their multipliers
  rattleback derive sleigh.mech --form hamel  the same motion in a frame of the constraints
  rattleback simulate sleigh.mech --plot sleigh.svg   follow the motion and draw it

Exit code: 0 success, 1 a computation failed, 2 bad input.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a commented starter model.
    #[command(after_help = "\
Examples:
  rattleback new sleigh          writes sleigh.mech here
  rattleback new models/sleigh   writes models/sleigh.mech; the system is called sleigh

An existing file is never overwritten.")]
    New {
        /// The name of the system, with the folder to write it to.
        name: PathBuf,
    },
    /// Report every problem in a model, and say what kind of system it is.
    #[command(after_help = "\
Examples:
  rattleback check chaplygin_sleigh.mech
  rattleback check chaplygin_sleigh.mech --set m=2 --set \"theta'=1\"
  rattleback check chaplygin_sleigh.mech --json | jq .kind.degrees_of_freedom

Problems go to standard error with their places, the summary to standard output.")]
    Check(ModelArguments),
    /// Derive the exact equations of motion in one formulation.
    #[command(after_help = "\
Examples:
  rattleback derive snakeboard.mech
  rattleback derive snakeboard.mech --form chaplygin
  rattleback derive snakeboard.mech --form almost-poisson --json
  rattleback derive snakeboard.mech --format latex > equations.tex
  rattleback derive snakeboard.mech --set m=2 --set \"theta'=1/2\"
  rattleback derive - < snakeboard.mech

Without --form: euler-lagrange without constraints, euler-poincare or lagrange-poincare where there
are group factors, lagrange-dalembert with constraints, higher-order where accelerations occur.")]
    Derive(DeriveArguments),
    /// Follow one motion from the start state.
    #[command(after_help = "\
Examples:
  rattleback simulate rattleback.mech
  rattleback simulate rattleback.mech --until 20 -o spin.csv --plot spin.svg
  rattleback simulate central_force.mech --method yoshida6 --step 0.01
  rattleback simulate chaplygin_sleigh.mech --stop \"theta = 1\" --event \"x = 0.1 : rising\"
  rattleback simulate driven_pendulum.mech -o push.csv
  rattleback simulate driven_pendulum.mech --input u=push.csv:hold   the push from a table
  rattleback simulate double_pendulum_cart.mech --section \"x = 0 : rising\" -o section.csv --plot section.svg
  rattleback simulate double_pendulum_cart.mech --until 50 --lyapunov 2
  rattleback simulate chaplygin_sleigh.mech --set \"theta'=2\" --json | jq .final

The form and the method suit the system unless you choose: a frame of the constraints where there are
constraints, so that nothing drifts. Rows are `step` apart (fixed-step methods: every step).")]
    Simulate(SimulateArguments),
    /// The linear system about a state: A, B, C, D, eigenvalues, controllability, regulator.
    #[command(after_help = "\
Examples:
  rattleback linearize cart_pole.mech
  rattleback linearize cart_pole.mech --at equilibrium --json | jq .eigenvalues
  rattleback linearize cart_pole.mech --at \"theta = 0, theta' = 0\"
  rattleback linearize heavy_top.mech --at steady
  rattleback linearize double_pendulum_cart.mech --along -o along.csv
  rattleback linearize central_force.mech --along --periodic --set \"until=2*pi*1.25^1.5\"

With constraints the state is made of independent positions and velocities; the directions of a group
element R are R~1, R~2, …. About a steady motion A is that of the frame that moves with it. A model with controls and a `cost` that is least at the state gets the regulator
of that cost.")]
    Linearize(LinearizeArguments),
    /// Solve the optimal-control or boundary-value problem that a model poses with its ends.
    #[command(after_help = "\
Examples:
  rattleback control cart_pole_swing_up.mech
  rattleback control sleigh_parking.mech -o path.csv --plot path.svg
  rattleback control two_link_manipulator.mech --scheme midpoint --nodes 18
  rattleback control snakeboard_transfer.mech --starts 2           several first iterates, the best is reported
  rattleback control sleigh_parking.mech --guess path.csv --json | jq .cost
  rattleback control cart_pole_swing_up.mech --feedback -o law.csv     with the gains along the path

The model says where the path ends (`goal`, `periodic`, `via`, `terminal`), what it costs (`cost`), and what is
free. Without --nodes the mesh is refined until the cost is known to --tol. Outputs that the model declares
`flat` are proven to be so, and the problem is solved by them too. Exit code 1 where there is no solution: the
best iterate is written all the same.")]
    Control(ControlArguments),
    /// The model as a discrete system: its discrete Lagrangian, Hamiltonians, map and action.
    Discrete(DiscreteArguments),
    /// Nonholonomic and vakonomic motion from the same start, side by side.
    #[command(after_help = "\
Examples:
  rattleback compare rolling_disk.mech
  rattleback compare rolling_disk.mech --set mu1=0.3 --plot both.svg -o both.csv
  rattleback compare rolling_disk.mech --form hamel --with lagrange-dalembert   two forms of one motion

The vakonomic motion starts with the multipliers that the model or --set gives (mu1, mu2, …), else 0.")]
    Compare(CompareArguments),
    /// Follow many motions on all cores: grids and random samples of parameters and start values.
    #[command(after_help = "\
Examples:
  rattleback ensemble chaplygin_sleigh.mech --vary \"m=0.5:2:11\" --vary \"theta'=0:3:31\" -o grid.parquet
  rattleback ensemble chaplygin_sleigh.mech --sample \"theta'~normal(0,1)\" -n 10000 -o cloud.parquet
  rattleback ensemble chaplygin_sleigh.mech --vary \"m=1,2,4\" --sample \"x'~uniform(0.5,1.5)\" -n 1000 --json
  rattleback ensemble chaplygin_sleigh.mech --sample \"theta'~normal(0,1)\" -n 10000 -o cloud.parquet --resume
  rattleback ensemble chaplygin_sleigh.mech --vary \"m=0.5:2:11\" --stop \"theta = 1\" --event \"x = 0.1\" -o stops.csv

Members are all points of the grid that --vary spans, with -n draws of every --sample at each. A member
that fails is recorded with its status and does not stop the others. Ctrl-C keeps the finished members;
--resume goes on from there.")]
    Ensemble(EnsembleArguments),
    /// Write the equations as source code, or as LaTeX, for use elsewhere.
    #[command(after_help = "\
Examples:
  rattleback export chaplygin_sleigh.mech --to c > sleigh.c
  rattleback export chaplygin_sleigh.mech --to rust --form hamel -o sleigh.rs
  rattleback export chaplygin_sleigh.mech --to python -o sleigh.py
  rattleback export chaplygin_sleigh.mech --to latex --standalone -o sleigh.tex

The source needs nothing but the standard library of its language. Parameters are arguments; their
values in the model, and --set, are the defaults. The form is that of `derive` unless you choose.")]
    Export(ExportArguments),
    /// Say what is true of a system: every verdict with its evidence.
    #[command(after_help = "\
Examples:
  rattleback analyze knife_edge.mech
  rattleback analyze snakeboard.mech --only measure,hamiltonization
  rattleback analyze snakeboard.mech --json | jq .measure.density.text
  rattleback analyze snakeboard.mech --format latex > structure.tex
  rattleback analyze knife_edge.mech --effort 10
  rattleback analyze knife_edge.mech --timeout 60

Topics are judged in parallel. Effort counts work, not seconds: the same model gets the same verdicts on every
machine, and less effort leaves more undecided. A timeout, or Ctrl-C, cancels what is not finished by then.")]
    Analyze(AnalyzeArguments),
    /// Write model files in the standard layout, comments kept.
    #[command(after_help = "\
Examples:
  rattleback fmt knife_edge.mech
  rattleback fmt --check *.mech          exit code 1 if a file is not in the standard layout
  rattleback fmt - < knife_edge.mech     from standard input to standard output")]
    Fmt {
        /// Change nothing; name the files that would change and exit with 1 if there are any.
        #[arg(long)]
        check: bool,
        /// The model files; `-` is standard input, and the result goes to standard output.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Write what a shell needs to complete commands and options.
    #[command(after_help = "\
Examples:
  rattleback completions bash > ~/.local/share/bash-completion/completions/rattleback
  rattleback completions zsh > ~/.zfunc/_rattleback
  rattleback completions fish > ~/.config/fish/completions/rattleback.fish")]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write a page for `man`.
    #[command(after_help = "\
Examples:
  rattleback man > rattleback.1
  rattleback man simulate > rattleback-simulate.1
  man ./rattleback-simulate.1")]
    Man {
        /// The command that the page is about; without it that of the program.
        command: Option<String>,
    },
}

/// A model and how to read it.
#[derive(Debug, Args)]
pub struct ModelArguments {
    /// The model file; `-` is standard input.
    #[arg(value_name = "MODEL.mech")]
    pub model: PathBuf,
    /// Change a parameter, a start value such as theta'=2, or `until` or `step`; repeatable.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Write JSON for a machine.
    #[arg(long)]
    pub json: bool,
}

/// A model and what to derive from it.
#[derive(Debug, Args)]
pub struct DeriveArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The formulation.
    #[arg(long, value_name = "FORM", value_parser = FormParser)]
    pub form: Option<Form>,
    /// The formulation of the same motion that has the shortest formulas, and the lengths of the others.
    #[arg(long, conflicts_with = "form")]
    pub shortest: bool,
    /// How formulas are written. With --json, `mathml` is written beside text and LaTeX.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write every formula in components and solved for the rates, however long.
    #[arg(long)]
    pub full: bool,
    /// With `--format latex`: a whole document, ready for an engine.
    #[arg(long)]
    pub standalone: bool,
    /// Plain letters and primes instead of Greek letters and dots in text.
    #[arg(long)]
    pub ascii: bool,
}

/// How a page is written.
#[derive(Debug, Args)]
pub struct PageArguments {
    /// How the page is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// With `--format latex`: a whole document, ready for an engine.
    #[arg(long)]
    pub standalone: bool,
}

/// A model and where to linearise it.
#[derive(Debug, Args)]
pub struct LinearizeArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Where: `start`, `equilibrium` or `steady` (the equilibrium or steady motion nearest to the start), or values
    /// such as \"theta = 0\"; what they leave out is taken from the start.
    #[arg(long, value_name = "WHERE", default_value = "start")]
    pub at: String,
    /// Close the loop: the laws of the inputs are part of the system.
    #[arg(long)]
    pub closed: bool,
    /// Linearise along the motion from the start, one row per sample.
    #[arg(long, conflicts_with = "at")]
    pub along: bool,
    /// With --along: the motion is periodic and the time of the model is one period; show the monodromy matrix and
    /// Floquet's multipliers. The laws of the inputs are part of the system.
    #[arg(long, requires = "along", conflicts_with = "output")]
    pub periodic: bool,
    /// Write the rows of --along to this file: .csv or .parquet; `-` is standard output as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the model with the regulator as its `input` to this file.
    #[arg(long, value_name = "FILE.mech")]
    pub write: Option<PathBuf>,
    #[command(flatten)]
    pub page: PageArguments,
}

/// A model and how its problem is solved.
#[derive(Debug, Args)]
pub struct ControlArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub page: PageArguments,
    /// The number of intervals; the cost is then that of the discrete problem.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub nodes: Option<usize>,
    /// hermite-simpson, midpoint, trapezoid, variational (the plant by its discrete Lagrangian), gauss4, gauss6 or radau5.
    #[arg(long, value_name = "SCHEME", default_value = "hermite-simpson")]
    pub scheme: Scheme,
    /// `direct`, `indirect` (the necessary conditions, from the direct solution) or `both`, which compares them where there
    /// are no bounds.
    #[arg(long, value_name = "ROUTE", default_value = "both")]
    pub route: RouteArgument,
    /// On groups, for the schemes midpoint and variational: `half-step` or `node` (the end velocities are those of the first and last
    /// interval).
    #[arg(long, value_name = "ENDS", default_value = "half-step")]
    pub ends: EndsArgument,
    /// On groups, for the schemes midpoint and variational: the map by which the velocity of an interval moves elements.
    #[arg(long, value_enum, value_name = "MAP", default_value = "cayley")]
    pub retraction: RetractionName,
    /// How many first iterates are tried: the model's own, then scattered ones with a fixed seed.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = positive)]
    pub starts: usize,
    /// The relative error of the cost at which refinement ends.
    #[arg(long, value_name = "R", default_value_t = 1e-6)]
    pub tol: f64,
    /// Start from an earlier result, written by -o.
    #[arg(long, value_name = "FILE")]
    pub guess: Option<PathBuf>,
    /// Solve within the extremals whose costates have these values, such as "p_x = 0, p_y = 0"; lambda1 is the costate of
    /// the first position. The family must be one that the conditions of optimality keep, which is proven first.
    #[arg(long, value_name = "ANSATZ")]
    pub ansatz: Option<String>,
    /// Add the linear-quadratic regulator along the path: its gains, and where its closed loop ends from disturbed starts.
    #[arg(long)]
    pub feedback: bool,
    /// Write the path to this file, one row per node: .csv or .parquet.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw the path to this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

/// Which routes are taken.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RouteArgument {
    /// Discretise, then optimise.
    Direct,
    /// The necessary conditions.
    Indirect,
    /// One held against the other.
    Both,
}

impl From<RouteArgument> for Route {
    fn from(argument: RouteArgument) -> Self {
        match argument {
            RouteArgument::Direct => Route::Direct,
            RouteArgument::Indirect => Route::Indirect,
            RouteArgument::Both => Route::Both,
        }
    }
}

/// How velocities on intervals meet those at the ends.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EndsArgument {
    /// Half steps.
    HalfStep,
    /// The velocities of the first and last interval.
    Node,
}

impl From<EndsArgument> for Ends {
    fn from(argument: EndsArgument) -> Self {
        match argument {
            EndsArgument::HalfStep => Ends::HalfStep,
            EndsArgument::Node => Ends::Node,
        }
    }
}

/// A count of at least one.
fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("give at least 1".into()),
        Ok(n) => Ok(n),
        Err(_) => Err("give a whole number".into()),
    }
}

/// A model and how to follow its motion.
#[derive(Debug, Args)]
pub struct SimulateArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub motion: MotionArguments,
    #[command(flatten)]
    pub inputs: InputArguments,
    /// Write the rows to this file: .csv or .parquet; `-` is standard output as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw the motion to this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// What to draw, separated by commas: coordinates, velocities, path, phase, energy, constraints or
    /// errors (on a logarithmic axis), observed, momenta, a NAME over time, or NAME:NAME.
    #[arg(long, value_name = "WHAT,…", requires = "plot")]
    pub plot_what: Option<String>,
    /// A Poincare section: one row where this crosses zero, instead of rows in time.
    #[arg(long, value_name = "EVENT")]
    pub section: Option<String>,
    /// The K largest Lyapunov exponents of the motion.
    #[arg(long, value_name = "K")]
    pub lyapunov: Option<usize>,
    #[command(flatten)]
    pub events: EventArguments,
}

/// A model and how it is made discrete.
#[derive(Debug, Args)]
#[command(after_help = DISCRETE)]
pub struct DiscreteArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The rule: left, right, midpoint, trapezoid, gauss4|6|8, lobatto4|6, or exact.
    #[arg(long, value_name = "RULE", default_value = "midpoint")]
    pub rule: String,
    /// The step; a constant expression such as pi/10.
    #[arg(long, value_name = "h", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Take Jacobi's action over so many steps.
    #[arg(long, value_name = "k")]
    pub steps: Option<usize>,
    /// Where the action is wanted: every coordinate, as in "x = 0.3, y = 1".
    #[arg(
        long,
        value_name = "POINT",
        requires = "steps",
        allow_hyphen_values = true
    )]
    pub at: Option<String>,
    /// The action at the beginning: `start` for motions from the start position, or "S = EXPR".
    #[arg(long, value_name = "S", default_value = "start", requires = "steps")]
    pub from: String,
    /// Draw the action and its caustics, for one and two coordinates.
    #[arg(long, value_name = "FILE.svg", requires = "steps")]
    pub plot: Option<PathBuf>,
    /// The retraction on groups.
    #[arg(long, value_enum, value_name = "MAP", default_value = "cayley")]
    pub retraction: RetractionName,
    /// Where velocity constraints are placed in a step.
    #[arg(long, value_enum, value_name = "WHERE", default_value = "midpoint")]
    pub placement: PlacementName,
    #[command(flatten)]
    pub page: PageArguments,
}

const DISCRETE: &str = "\
Examples:
  rattleback discrete central_force.mech --rule trapezoid --step 0.1
  rattleback discrete central_force.mech --steps 7 --at \"r = 1, theta = 1\"
  rattleback discrete central_force.mech --steps 5 --at \"r = 1, theta = 0.5\" --from \"S = 0.2*theta^2\"
  rattleback discrete central_force.mech --rule exact --steps 1 --at \"r = 1, theta = 0.1\"   by boundary-value solves
  rattleback discrete cubic_splines.mech --rule lobatto4          accelerations: midpoint, trapezoid, lobatto4, gauss4, …
  rattleback discrete sampled_oscillator.mech --steps 20 --json   a model of maps: bellman and lqr

A Lagrangian in x and next(x) is discrete itself, without rule and step. With controls and a cost the page has
Bellman's equation and the regulator of the plant, sampled where it is continuous.";

/// What to look for along motions.
#[derive(Debug, Args)]
pub struct EventArguments {
    /// Report where this crosses zero: an expression or LHS = RHS, with `: rising` or `: falling`
    /// behind it where one direction is meant; repeatable.
    #[arg(long, value_name = "EVENT")]
    pub event: Vec<String>,
    /// End where this crosses zero; repeatable.
    #[arg(long, value_name = "EVENT")]
    pub stop: Vec<String>,
}

/// A model and two motions of it.
#[derive(Debug, Args)]
pub struct CompareArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub motion: MotionArguments,
    #[command(flatten)]
    pub inputs: InputArguments,
    /// The formulation of the second motion.
    #[arg(long, value_name = "FORM", value_parser = FormParser, default_value = "vakonomic")]
    pub with: Form,
    /// Write the rows of both motions to this file: .csv or .parquet; `-` is standard output as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw both motions and their distance to this SVG file.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// What to draw, as for `simulate`.
    #[arg(long, value_name = "WHAT,…", requires = "plot")]
    pub plot_what: Option<String>,
}

/// A model and its variations.
#[derive(Debug, Args)]
pub struct EnsembleArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub motion: MotionArguments,
    #[command(flatten)]
    pub inputs: InputArguments,
    /// A grid over a parameter or a start value: NAME=FROM:TO:COUNT or NAME=V1,V2,…; repeatable.
    #[arg(long, value_name = "NAME=RANGE")]
    pub vary: Vec<String>,
    /// A random parameter or start value: NAME~normal(MEAN,DEVIATION), NAME~uniform(FROM,TO) or
    /// NAME~lognormal(MU,SIGMA); repeatable.
    #[arg(long, value_name = "NAME~LAW")]
    pub sample: Vec<String>,
    /// Random draws at each point of the grid.
    #[arg(short = 'n', long = "draws", value_name = "N", default_value_t = 1)]
    pub draws: usize,
    /// The seed of the random draws.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Write one row per member to this file: .parquet or .csv.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Go on with the file of an interrupted run.
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Threads; all cores unless told. The results do not depend on it.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub events: EventArguments,
}

/// What feeds controls.
#[derive(Debug, Args)]
pub struct InputArguments {
    /// Feed a control from the columns `t` and NAME of a table, instead of its `input`; behind a colon
    /// `linear` (default), `hold` or `cubic`; repeatable.
    #[arg(long, value_name = "NAME=FILE.csv[:KIND]")]
    pub input: Vec<String>,
}

/// How to follow motions.
#[derive(Debug, Args)]
pub struct MotionArguments {
    /// The formulation to integrate in.
    #[arg(long, value_name = "FORM", value_parser = FormParser)]
    pub form: Option<Form>,
    /// The method: taylor, dop853, dopri5, rk4, gauss2|4|6|8, radau5, verlet,
    /// yoshida4|6|8, suzuki4|6|8, munthe-kaas4|8, commutator-free4, variational-RULE with RULE one of left, right,
    /// midpoint, trapezoid, gauss4|6|8, lobatto4|6, and chaplygin-symplectic.
    #[arg(long, value_name = "METHOD", value_parser = MethodParser, hide_possible_values = true)]
    pub method: Option<Method>,
    /// The end time; a constant expression such as 2*pi.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// The step of fixed-step methods, the spacing of the rows otherwise.
    #[arg(long, value_name = "h", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// The relative tolerance of adaptive methods.
    #[arg(
        long,
        value_name = "r",
        default_value_t = 1e-9,
        allow_negative_numbers = true
    )]
    pub rtol: f64,
    /// The absolute tolerance of adaptive methods.
    #[arg(
        long,
        value_name = "a",
        default_value_t = 1e-12,
        allow_negative_numbers = true
    )]
    pub atol: f64,
    /// The most steps of an adaptive method.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub max_steps: u64,
    /// Let constraints and group elements drift instead of moving the state back after each step.
    #[arg(long)]
    pub no_projection: bool,
    /// The retraction of variational methods on groups.
    #[arg(long, value_enum, value_name = "MAP", default_value = "cayley")]
    pub retraction: RetractionName,
    /// Where variational methods place velocity constraints in a step.
    #[arg(long, value_enum, value_name = "WHERE", default_value = "midpoint")]
    pub placement: PlacementName,
}

/// A retraction by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RetractionName {
    /// Rational; it reaches no half turn.
    Cayley,
    /// The exponential, for steps up to half a turn.
    Exp,
}

impl From<RetractionName> for Retraction {
    fn from(name: RetractionName) -> Self {
        match name {
            RetractionName::Cayley => Retraction::Cayley,
            RetractionName::Exp => Retraction::Exponential,
        }
    }
}

/// A placement of velocity constraints by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PlacementName {
    /// At the middle of the step: order 2.
    Midpoint,
    /// At its end: order 1.
    Node,
}

impl From<PlacementName> for Placement {
    fn from(name: PlacementName) -> Self {
        match name {
            PlacementName::Midpoint => Placement::Midpoint,
            PlacementName::Node => Placement::Node,
        }
    }
}

/// A model and the language to write it in.
#[derive(Debug, Args)]
pub struct ExportArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The language.
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub to: Language,
    /// The formulation.
    #[arg(long, value_name = "FORM", value_parser = FormParser)]
    pub form: Option<Form>,
    #[command(flatten)]
    pub inputs: InputArguments,
    /// With `--to latex`: a whole document, ready for an engine.
    #[arg(long)]
    pub standalone: bool,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What equations are exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// C99.
    C,
    /// Rust.
    Rust,
    /// Python 3.
    Python,
    /// A LaTeX fragment.
    Latex,
}

/// A model and what to say of it.
#[derive(Debug, Args)]
pub struct AnalyzeArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Only these topics, separated by commas; repeatable.
    #[arg(long, value_name = "TOPIC", value_delimiter = ',')]
    pub only: Vec<String>,
    /// How much work the searches of one topic may spend, as a multiple of the usual.
    #[arg(
        long,
        value_name = "X",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub effort: f64,
    /// Cancel after so many seconds: what is not decided by then stays undecided.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub timeout: Option<f64>,
    /// Not an option any more.
    #[arg(
        long,
        hide = true,
        value_name = "SECONDS",
        allow_negative_numbers = true
    )]
    pub budget: Option<String>,
    /// How the page is written: text or latex.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// With `--format latex`: a whole document, ready for an engine.
    #[arg(long)]
    pub standalone: bool,
    /// Plain letters and primes instead of Greek letters and dots in text.
    #[arg(long)]
    pub ascii: bool,
}

/// How formulas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Plain text.
    Text,
    /// LaTeX.
    Latex,
    /// MathML.
    Mathml,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples() {
        for command in Arguments::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string);
            assert!(
                help.is_some_and(|h| h.contains("Examples:")),
                "{}",
                command.get_name()
            );
        }
    }
}
