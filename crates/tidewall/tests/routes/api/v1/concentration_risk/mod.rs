mod analyze;
mod simulate;
mod thresholds;
