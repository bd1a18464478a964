//! Your bot: fill in `decide`. The rest is done.

mod perudo;

use perudo::{bid, run, Hello, Question};

/// Your call: a bid such as "3x5", or one of `question.words`.
///
/// `question.hand` is your dice, `question.dice` how many each seat holds, `question.quantity` and
/// `question.face` the standing bid (0 and 0 = none); protocol/SPEC.md has the rest. perudo.rs
/// helps: `legal_calls`, `legal_bids`, `minimum`, `count`, `unseen`, `may`, `parse_bid`.
fn decide(question: &Question) -> String {
    // For now: the smallest bid there is, and a doubt where there is none.
    let bids = (1..=6).filter_map(|face| Some((question.minimum(face)?, face)));
    match bids.min() {
        Some((quantity, face)) => bid(quantity, face),
        None => question.words[0].clone(),
    }
}

fn main() {
    run(decide, Hello { name: "template-rust".into(), ..Hello::default() })
}
