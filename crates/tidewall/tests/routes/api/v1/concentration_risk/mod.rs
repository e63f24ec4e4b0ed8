mod thresholds;
