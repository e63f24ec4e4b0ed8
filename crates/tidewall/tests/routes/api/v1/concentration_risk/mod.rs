mod analyze;
mod blast_radius;
mod comparison;
mod rates;
mod simulate;
mod simulations;
mod thresholds;
