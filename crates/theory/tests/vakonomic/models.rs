//! Systems whose class is known (VE part 2).

pub const DISK: &str = "system disk\nparam m = 2, R = 1/2, I = 1/4, J = 1/8\nassume m > 0, R > 0, I > 0, J > 0\n\
    coord theta, phi, x, y\nkinetic m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2\n\
    constraint x' = R*cos(phi)*theta'\nconstraint y' = R*sin(phi)*theta'\n";
pub const PARTICLE: &str = "system particle\nparam m = 1\nassume m > 0\ncoord x, y, z\n\
    kinetic m/2*(x'^2 + y'^2 + z'^2)\nconstraint z' = -x*y'\n";
pub const HEISENBERG: &str = "system heisenberg\nparam m = 1\nassume m > 0\ncoord x, y, z\n\
    kinetic m/2*(x'^2 + y'^2 + z'^2)\nconstraint z' = y*x' - x*y'\n";
pub const KNIFE: &str = "system knife\nparam m = 1, J = 7/10\nassume m > 0, J > 0\ncoord x, theta, y\n\
    kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\nconstraint y' = tan(theta)*x'\n";
pub const CARRIAGE: &str = "system carriage\nparam m = 3, R = 2/5, J = 3/5, I = 1/20, w = 7/10\n\
    assume m > 0, R > 0, J > 0, I > 0, w > 0\ncoord psi1, theta, x, y, psi2\n\
    kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2 + I/2*(psi1'^2 + psi2'^2)\n\
    constraint x' = R*cos(theta)*psi1'\nconstraint y' = R*sin(theta)*psi1'\nconstraint psi2' = w/R*theta'\n";
pub const VESELOVA: &str = "system veselova\nparam I1 = 13/10, I2 = 7/5, I3 = 8/5\n\
    assume I1 > 0, I2 > 0, I3 > 0\ncoord theta, phi, psi\n\
    let w1 = psi'*sin(theta)*sin(phi) + theta'*cos(phi)\n\
    let w2 = psi'*sin(theta)*cos(phi) - theta'*sin(phi)\nlet w3 = psi'*cos(theta) + phi'\n\
    kinetic (INERTIA)/2\nconstraint psi' + cos(theta)*phi' = 0\n";
pub const SPHERE: &str = "system sphere\nparam I = 2/5, m = 1\nassume I > 0, m > 0\ncoord theta, psi, phi, x, y\n\
    kinetic I/2*(theta'^2 + psi'^2 + phi'^2 + 2*cos(theta)*phi'*psi') + m/2*(x'^2 + y'^2)\n\
    constraint x' = theta'*sin(phi) - psi'*cos(phi)*sin(theta)\n\
    constraint y' = -theta'*cos(phi) - psi'*sin(phi)*sin(theta)\n";

pub fn equal_veselova() -> String {
    VESELOVA.replace("INERTIA", "I1*(w1^2 + w2^2 + w3^2)")
}
