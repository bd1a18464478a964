//! The smallest bot: any legal call, all equally likely.

mod perudo;

use perudo::{run, Hello, Question};

fn call(question: &Question) -> String {
    let calls = question.legal_calls();
    calls[question.random as usize % calls.len()].clone()
}

fn main() {
    run(call, Hello { name: "random-rust".into(), ..Hello::default() })
}
