//! Lagrangian and Hamiltonian formulations of every kind, from one derivation engine.
