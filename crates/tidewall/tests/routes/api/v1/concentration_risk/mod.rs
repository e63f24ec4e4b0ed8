mod analyze;
mod blast_radius;
mod rates;
mod simulate;
mod simulations;
mod thresholds;
