fn cpu() -> f64 { let s = std::fs::read_to_string("/proc/self/schedstat").unwrap(); s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e6 }
fn main() {
    let n: usize = std::env::args().nth(2).map_or(1, |n| n.parse().unwrap());
    let mut best = std::time::Duration::MAX;
    for _ in 0..n {
        let t = std::time::Instant::now();
        let c0 = cpu();
        let dir = std::env::args().nth(1).filter(|d| d != "-");
        let c = match &dir { Some(d) => tidewall_catalogue::Catalogue::from_dir(d.as_ref()), None => tidewall_catalogue::Catalogue::embedded() };
        let e = t.elapsed();
        best = best.min(e);
        match c { Ok(_) => println!("ok {e:?} own cpu {}", cpu() - c0), Err(e) => { println!("{e}"); println!("{}", e.as_slice().len()) } }
    }
    println!("{best:?}");
}
