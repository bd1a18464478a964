//! The conversation with the referee: hello, welcome, then an answer to every ask until bye; the
//! messages as types; and what a bot wants to know about a question. Copy this file to write a bot
//! of your own; SPEC.md in protocol/ describes every message.
#![allow(dead_code)] // no bot uses everything

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::process::exit;

/// A bot: `call` and, if it wants to know, when games begin and end. A function will do.
pub trait Bot {
    /// The call: a bid such as "3x5", or one of `question.words`.
    fn call(&mut self, question: &Question) -> String;
    /// A game begins.
    fn started(&mut self, _start: &Start) {}
    /// A game is over.
    fn ended(&mut self, _end: &End) {}
}

impl<F: FnMut(&Question) -> String> Bot for F {
    fn call(&mut self, question: &Question) -> String {
        self(question)
    }
}

/// The hello.
#[derive(Serialize)]
pub struct Hello {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub protocol: u32,
    pub token: String,
    pub name: String,
    pub version: String,
    pub language: String,
    /// Most games the bot plays at once, 1 to 64; `question.game` tells them apart.
    pub games: u32,
    /// Whether it wants to be asked when another seat is on turn (calza, tabba).
    pub out_of_turn: bool,
    /// Whether it wants to be told the rounds that are over, in `question.past`.
    pub past: bool,
}

impl Default for Hello {
    fn default() -> Self {
        Hello {
            kind: "hello",
            protocol: 1,
            token: String::new(),
            name: String::new(),
            version: env!("CARGO_PKG_VERSION").into(),
            language: "Rust".into(),
            games: 64,
            out_of_turn: false,
            past: false,
        }
    }
}

#[derive(Serialize)]
pub struct Answer {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub id: u32,
    pub calls: Vec<String>,
}

/// What the referee sends.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message {
    Welcome(Welcome),
    Refused {
        reason: String,
    },
    Ask {
        id: u32,
        time_ms: u32,
        acts: Vec<Question>,
        starts: Vec<Start>,
        ends: Vec<End>,
    },
    Bye {
        reason: String,
    },
    #[serde(other)]
    Other,
}

/// The answer to the hello. Times in milliseconds, 0 = there is none.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Welcome {
    pub name: String,
    pub games: u32,
    pub arena: String,
    pub move_ms: u32,
    pub bank_ms: u32,
    pub increment_ms: u32,
}

/// What to call now: an act of an ask.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Question {
    pub game: u32,
    pub seat: usize,
    pub dice: Vec<u32>,
    pub round: u32,
    pub hand: Vec<u32>,
    pub palifico: bool,
    pub wild: u32,
    pub quantity: u32,
    pub face: u32,
    pub calls: Vec<(usize, String)>,
    pub min_quantity: [u32; 6],
    pub max_quantity: u32,
    pub words: Vec<String>,
    pub random: u32,
    pub bank_ms: u32,
    pub min_tabba: Option<[u32; 6]>,
    #[serde(default)]
    pub past: Vec<Past>,
}

/// A game begins.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Start {
    pub game: u32,
    pub seat: usize,
    pub names: Vec<String>,
    pub commitment: String,
    pub ruleset: BTreeMap<String, Setting>,
    pub dice: Vec<u32>,
}

/// The value of an option of the ruleset.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    Flag(bool),
    Number(u32),
    Text(String),
    Range([u32; 2]),
    Other(serde::de::IgnoredAny),
}

/// A game is over: places by seat, 1 = winner.
#[derive(Debug, PartialEq, Deserialize)]
pub struct End {
    pub game: u32,
    pub places: Vec<u32>,
    pub fault: String,
    pub detail: String,
    #[serde(default)]
    pub past: Vec<Past>,
}

/// A round that is over.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Past {
    pub round: u32,
    pub opener: usize,
    pub palifico: bool,
    pub hands: Vec<Vec<u32>>,
    pub calls: Vec<(usize, String)>,
    pub count: u32,
    pub dice_after: Vec<u32>,
}

/// The call that claims `quantity` dice of `face`: `bid(3, 5)` is "3x5".
pub fn bid(quantity: u32, face: u32) -> String {
    format!("{quantity}x{face}")
}

/// (quantity, face) of a call that is a bid, None for any other call.
pub fn parse_bid(call: &str) -> Option<(u32, u32)> {
    let (quantity, face) = call.split_once('x')?;
    Some((quantity.parse().ok()?, face.parse().ok()?))
}

impl Question {
    /// Whether you may say this word now.
    pub fn may(&self, word: &str) -> bool {
        self.words.iter().any(|other| other == word)
    }

    /// Whether it is another seat's turn: you may pass, and may not bid.
    pub fn out_of_turn(&self) -> bool {
        self.may("pass")
    }

    /// Dice in play that are not yours.
    pub fn unseen(&self) -> u32 {
        self.max_quantity - self.hand.len() as u32
    }

    /// Your own dice that count for a bid on `face` in this round.
    pub fn count(&self, face: u32) -> u32 {
        let counts = |die: &&u32| **die == face || **die == self.wild;
        self.hand.iter().filter(counts).count() as u32
    }

    /// The smallest quantity you may bid on `face`, None where no bid on it is legal.
    pub fn minimum(&self, face: u32) -> Option<u32> {
        let least = self.min_quantity[face as usize - 1];
        (least <= self.max_quantity).then_some(least)
    }

    /// Every legal bid, by face, then quantity. Without tabba bids.
    pub fn legal_bids(&self) -> Vec<String> {
        let on =
            |face| (self.min_quantity[face as usize - 1]..=self.max_quantity).map(move |q| bid(q, face));
        (1..=6).flat_map(on).collect()
    }

    /// Everything you may answer, words first. Without tabba bids; never empty.
    pub fn legal_calls(&self) -> Vec<String> {
        [self.words.clone(), self.legal_bids()].concat()
    }
}

/// Play until the referee says bye, then exit. The token of the hello is filled in here.
pub fn run(mut bot: impl Bot, hello: Hello) -> ! {
    let Some(endpoint) = std::env::var("ARENA_ENDPOINT").ok().filter(|text| !text.is_empty()) else {
        eprintln!("a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN");
        exit(2)
    };
    let token = std::env::var("ARENA_TOKEN").unwrap_or_default();
    if let Err(error) = talk(&mut bot, &endpoint, &Hello { token, ..hello }) {
        eprintln!("the conversation with the arena failed: {error}");
        exit(1)
    }
    exit(0)
}

fn talk(bot: &mut impl Bot, endpoint: &str, hello: &Hello) -> Result<(), Box<dyn std::error::Error>> {
    let context = zmq::Context::new();
    let socket = context.socket(zmq::DEALER)?;
    socket.set_linger(100)?;
    socket.connect(endpoint)?;
    socket.send(rmp_serde::to_vec_named(hello)?, 0)?;
    loop {
        match rmp_serde::from_slice(&socket.recv_bytes(0)?)? {
            Message::Refused { reason } => {
                eprintln!("the arena refused the bot: {reason}");
                exit(1)
            }
            Message::Bye { .. } => return Ok(()),
            Message::Ask { id, acts, starts, ends, .. } => {
                ends.iter().for_each(|end| bot.ended(end));
                starts.iter().for_each(|start| bot.started(start));
                let calls = acts.iter().map(|act| bot.call(act)).collect();
                let answer = Answer { kind: "answer", id, calls };
                socket.send(rmp_serde::to_vec_named(&answer)?, 0)?;
            }
            Message::Welcome(_) | Message::Other => {}
        }
    }
}
