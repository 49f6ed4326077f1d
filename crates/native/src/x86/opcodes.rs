//! Which instruction does what, scalar and four lanes wide.

use super::operand::{Binary, FusedForm, FusedKind};
use crate::Lanes;
use iced_x86::Code;

/// The instruction for an operation of two operands.
pub(super) fn binary_code(op: Binary, lanes: Lanes) -> Code {
    use Code::*;
    match (op, lanes) {
        (Binary::Add, Lanes::One) => VEX_Vaddsd_xmm_xmm_xmmm64,
        (Binary::Sub, Lanes::One) => VEX_Vsubsd_xmm_xmm_xmmm64,
        (Binary::Mul, Lanes::One) => VEX_Vmulsd_xmm_xmm_xmmm64,
        (Binary::Div, Lanes::One) => VEX_Vdivsd_xmm_xmm_xmmm64,
        (Binary::And, Lanes::One) => VEX_Vandpd_xmm_xmm_xmmm128,
        (Binary::Or, Lanes::One) => VEX_Vorpd_xmm_xmm_xmmm128,
        (Binary::Xor, Lanes::One) => VEX_Vxorpd_xmm_xmm_xmmm128,
        (Binary::Add, Lanes::Four) => VEX_Vaddpd_ymm_ymm_ymmm256,
        (Binary::Sub, Lanes::Four) => VEX_Vsubpd_ymm_ymm_ymmm256,
        (Binary::Mul, Lanes::Four) => VEX_Vmulpd_ymm_ymm_ymmm256,
        (Binary::Div, Lanes::Four) => VEX_Vdivpd_ymm_ymm_ymmm256,
        (Binary::And, Lanes::Four) => VEX_Vandpd_ymm_ymm_ymmm256,
        (Binary::Or, Lanes::Four) => VEX_Vorpd_ymm_ymm_ymmm256,
        (Binary::Xor, Lanes::Four) => VEX_Vxorpd_ymm_ymm_ymmm256,
    }
}

/// The instruction for a fused operation.
pub(super) fn fused_code(kind: FusedKind, form: FusedForm, lanes: Lanes) -> Code {
    use Code::*;
    use FusedForm::*;
    use FusedKind::*;
    match (kind, form, lanes) {
        (MulAdd, F132, Lanes::One) => VEX_Vfmadd132sd_xmm_xmm_xmmm64,
        (MulAdd, F213, Lanes::One) => VEX_Vfmadd213sd_xmm_xmm_xmmm64,
        (MulAdd, F231, Lanes::One) => VEX_Vfmadd231sd_xmm_xmm_xmmm64,
        (NegMulAdd, F132, Lanes::One) => VEX_Vfnmadd132sd_xmm_xmm_xmmm64,
        (NegMulAdd, F213, Lanes::One) => VEX_Vfnmadd213sd_xmm_xmm_xmmm64,
        (NegMulAdd, F231, Lanes::One) => VEX_Vfnmadd231sd_xmm_xmm_xmmm64,
        (MulSub, F132, Lanes::One) => VEX_Vfmsub132sd_xmm_xmm_xmmm64,
        (MulSub, F213, Lanes::One) => VEX_Vfmsub213sd_xmm_xmm_xmmm64,
        (MulSub, F231, Lanes::One) => VEX_Vfmsub231sd_xmm_xmm_xmmm64,
        (NegMulSub, F132, Lanes::One) => VEX_Vfnmsub132sd_xmm_xmm_xmmm64,
        (NegMulSub, F213, Lanes::One) => VEX_Vfnmsub213sd_xmm_xmm_xmmm64,
        (NegMulSub, F231, Lanes::One) => VEX_Vfnmsub231sd_xmm_xmm_xmmm64,
        (MulAdd, F132, Lanes::Four) => VEX_Vfmadd132pd_ymm_ymm_ymmm256,
        (MulAdd, F213, Lanes::Four) => VEX_Vfmadd213pd_ymm_ymm_ymmm256,
        (MulAdd, F231, Lanes::Four) => VEX_Vfmadd231pd_ymm_ymm_ymmm256,
        (NegMulAdd, F132, Lanes::Four) => VEX_Vfnmadd132pd_ymm_ymm_ymmm256,
        (NegMulAdd, F213, Lanes::Four) => VEX_Vfnmadd213pd_ymm_ymm_ymmm256,
        (NegMulAdd, F231, Lanes::Four) => VEX_Vfnmadd231pd_ymm_ymm_ymmm256,
        (MulSub, F132, Lanes::Four) => VEX_Vfmsub132pd_ymm_ymm_ymmm256,
        (MulSub, F213, Lanes::Four) => VEX_Vfmsub213pd_ymm_ymm_ymmm256,
        (MulSub, F231, Lanes::Four) => VEX_Vfmsub231pd_ymm_ymm_ymmm256,
        (NegMulSub, F132, Lanes::Four) => VEX_Vfnmsub132pd_ymm_ymm_ymmm256,
        (NegMulSub, F213, Lanes::Four) => VEX_Vfnmsub213pd_ymm_ymm_ymmm256,
        (NegMulSub, F231, Lanes::Four) => VEX_Vfnmsub231pd_ymm_ymm_ymmm256,
    }
}
