//! Tables and plots of motions.
