mod growth;
mod mistakes;
mod sample;
