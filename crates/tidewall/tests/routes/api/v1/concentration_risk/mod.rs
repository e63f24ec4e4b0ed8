mod analyze;
mod blast_radius;
mod simulate;
mod thresholds;
