//! perudo.rs against the vectors of the protocol, whose folder PERUDO_VECTORS names if it is not
//! where it is in the arena's sources.

use crate::perudo::{parse_bid, Answer, Hello, Message, Question, Setting};
use crate::Honest;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    let home = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../protocol/vectors");
    std::env::var_os("PERUDO_VECTORS").map_or(home.into(), PathBuf::from)
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(folder().join(name).with_extension("msgpack")).unwrap()
}

fn message(name: &str) -> Message {
    rmp_serde::from_slice(&bytes(name)).unwrap()
}

fn acts(name: &str) -> Vec<Question> {
    match message(name) {
        Message::Ask { acts, .. } => acts,
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn every_vector_is_the_same_from_bytes_and_from_text() {
    let mut honest = Honest::default();
    let mut seen = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "msgpack") {
            continue;
        }
        seen += 1;
        let bytes = fs::read(&path).unwrap();
        let text = fs::read_to_string(path.with_extension("json")).unwrap();
        let value: Value = rmp_serde::from_slice(&bytes).unwrap();
        assert_eq!(value, serde_json::from_str::<Value>(&text).unwrap());
        let typed: Message = rmp_serde::from_slice(&bytes).unwrap();
        assert_eq!(typed, serde_json::from_str(&text).unwrap());
        let ours = ["hello", "answer"].contains(&value["type"].as_str().unwrap());
        assert_eq!(typed == Message::Other, ours);
        if let Message::Ask { acts, .. } = typed {
            for act in acts {
                assert!(act.legal_calls().contains(&honest.decide(&act)));
            }
        }
    }
    assert!(seen >= 19);
}

#[test]
fn what_the_bot_sends_has_these_bytes() {
    let hello = Hello {
        token: "0123456789abcdef".into(),
        name: "me".into(),
        version: "1.2".into(),
        language: "Cobol".into(),
        games: 4,
        out_of_turn: true,
        past: true,
        ..Hello::default()
    };
    assert_eq!(rmp_serde::to_vec_named(&hello).unwrap(), bytes("hello"));
    let answers: [(&str, u32, &[&str]); 3] = [
        ("answer", 2, &["3x5"]),
        ("answer_batch", 31, &["3x2", "1x6", "dudo"]),
        ("answer_empty", 32, &[]),
    ];
    for (name, id, calls) in answers {
        let answer =
            Answer { kind: "answer", id, calls: calls.iter().map(|call| call.to_string()).collect() };
        assert_eq!(rmp_serde::to_vec_named(&answer).unwrap(), bytes(name));
    }
}

#[test]
fn a_ruleset_has_settings_of_every_kind() {
    let Message::Ask { starts, .. } = message("ask_first") else { panic!("no ask") };
    let rules = &starts[0].ruleset;
    assert_eq!(rules["name"], Setting::Text("standard".into()));
    assert_eq!(rules["players"], Setting::Range([2, 6]));
    assert_eq!(rules["dice"], Setting::Number(5));
    assert_eq!(rules["one_round"], Setting::Flag(false));
}

#[test]
fn the_helpers_know_what_is_in_a_question() {
    let act = &acts("ask")[0];
    assert_eq!(act.legal_bids()[..2], ["3x1", "4x1"]);
    assert_eq!(act.legal_calls().len(), 1 + 4 * 8 + 2 * 9);
    assert_eq!((act.count(3), act.count(1)), (3, 1));
    assert_eq!((act.unseen(), act.minimum(5)), (5, Some(2)));
    assert!(!act.out_of_turn());
    assert_eq!((parse_bid("12x3"), parse_bid("dudo")), (Some((12, 3)), None));

    let other = &acts("ask_out_of_turn")[0];
    assert!(other.out_of_turn());
    assert_eq!(other.minimum(5), None);
    assert_eq!(other.legal_calls(), ["calza", "pass"]);
}

#[test]
fn what_a_later_version_adds_is_ignored() {
    let mut value: Value = rmp_serde::from_slice(&bytes("ask_first")).unwrap();
    value["new"] = serde_json::json!({"a": [1, null, -2.5]});
    value["acts"][0]["new"] = "text".into();
    value["starts"][0]["ruleset"]["new"] = serde_json::json!([1, "two", {}]);
    let bytes = rmp_serde::to_vec_named(&value).unwrap();
    let Message::Ask { acts, starts, .. } = rmp_serde::from_slice(&bytes).unwrap() else {
        panic!("no ask")
    };
    assert_eq!((acts.len(), starts.len()), (1, 1));
}
