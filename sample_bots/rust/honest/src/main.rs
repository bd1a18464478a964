//! Honest bids what its own hand makes likely and doubts what its hand makes unlikely.
//!
//! It believes its own dice and the binomial distribution for all others, nothing else. Every
//! language's honest decides alike, call by call, because the odds are computed with + - * / on
//! 64-bit floats in the order below, and no product is ever an operand of a sum.

mod perudo;
#[cfg(test)]
mod tests;

use perudo::{bid, run, Hello, Question};
use std::collections::HashMap;

/// It raises the quantity of a bid while the bid stays at least as likely as this.
const SURE: f64 = 0.75;
/// It doubts a bid that is more likely false than its own best bid is true, by more than this.
const DOUBT: f64 = 0.5;

struct Odds {
    exactly: Vec<f64>,
    at_least: Vec<f64>,
}

/// Of `dice` hidden dice each counts with 1/`sides`: P(exactly k) and P(at least k), k = 0..dice.
fn odds(dice: u32, sides: u32) -> Odds {
    let others = f64::from(sides - 1);
    let mut chance = 1.0;
    for _ in 0..dice {
        chance = chance * others / f64::from(sides);
    }
    let mut exactly = vec![chance];
    for k in 0..dice {
        chance = chance * f64::from(dice - k) / (f64::from(k + 1) * others);
        exactly.push(chance);
    }
    let mut at_least = exactly.clone();
    for k in (0..dice as usize).rev() {
        at_least[k] = at_least[k + 1] + exactly[k];
    }
    Odds { exactly, at_least }
}

/// The bot, with the odds that it has computed before.
#[derive(Default)]
struct Honest(HashMap<(u32, u32), Odds>);

impl Honest {
    /// P(exactly `quantity` dice count for `face`) and P(at least so many), given the own hand.
    fn likely(&mut self, question: &Question, quantity: u32, face: u32) -> (f64, f64) {
        let (own, unseen) = (question.count(face), question.unseen());
        if quantity > own + unseen {
            return (0.0, 0.0);
        }
        if quantity < own {
            return (0.0, 1.0);
        }
        let need = (quantity - own) as usize;
        let wild = question.wild;
        let sides = if wild == 0 || wild == face { 6 } else { 3 };
        let odds = self.0.entry((unseen, sides)).or_insert_with(|| odds(unseen, sides));
        (odds.exactly[need], if need > 0 { odds.at_least[need] } else { 1.0 })
    }

    /// Tabba and palifico whenever offered; else the best of bid, dudo and calza.
    fn decide(&mut self, question: &Question) -> String {
        for word in ["tabba", "palifico"] {
            if question.may(word) {
                return word.into();
            }
        }
        let (mut exact, is_true) = match question.quantity {
            0 => (0.0, 1.0),
            quantity => self.likely(question, quantity, question.face),
        };
        if !question.may("calza") {
            exact = 0.0;
        }
        if question.out_of_turn() {
            return if exact > 0.5 { "calza" } else { "pass" }.into();
        }

        // On each face the highest quantity it is sure of, or else the lowest; of these the
        // likeliest, then the highest quantity, then the highest face.
        let mut best = (-1.0, 0, 0);
        for face in 1..=6 {
            let Some(mut quantity) = question.minimum(face) else {
                continue;
            };
            while quantity < question.max_quantity && self.likely(question, quantity + 1, face).1 >= SURE
            {
                quantity += 1;
            }
            let here = (self.likely(question, quantity, face).1, quantity, face);
            if here > best {
                best = here;
            }
        }

        let (chance, quantity, face) = best;
        let is_false = 1.0 - is_true;
        if exact > 0.5 && exact > is_false && exact > chance {
            return "calza".into();
        }
        if question.may("dudo") && (face == 0 || is_false > chance + DOUBT) {
            return "dudo".into();
        }
        bid(quantity, face)
    }
}

impl perudo::Bot for Honest {
    fn call(&mut self, question: &Question) -> String {
        self.decide(question)
    }
}

fn main() {
    run(Honest::default(), Hello { name: "honest-rust".into(), out_of_turn: true, ..Hello::default() })
}
