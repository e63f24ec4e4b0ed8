mod reports;
