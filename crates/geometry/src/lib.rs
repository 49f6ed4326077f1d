//! Vector fields, forms, distributions, frames, connections and Lie groups.
