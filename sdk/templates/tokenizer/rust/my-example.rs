//! A tokenizer: each byte of a text is a token, and the value of the byte is the id. A special
//! token marks the beginning.

use inferbench::abi::{IFB_ENCODE_SPECIAL, IFB_E_DATA};
use inferbench::tokenizer::{Tokenizer, Vocabulary};
use inferbench::{text, Failure, Host, Plugin, Result, Text, Values};

const BEGINNING: u32 = 256;

struct MyExampleTokenizer;

impl Plugin for MyExampleTokenizer {
    const ID: Text = text!("my-example");
    const VERSION: Text = text!("0.1.0");
    const SUMMARY: Text = text!("A token for each byte.");
    const LICENSE: Text = text!("Apache-2.0");

    fn create(_host: Host, _values: &Values) -> Result<Self> {
        Ok(MyExampleTokenizer)
    }
}

impl Tokenizer for MyExampleTokenizer {
    fn vocabulary(&self) -> Result<Vocabulary> {
        // A single byte of 128 or more is not valid UTF-8, so random prompts must not contain such
        // ids.
        Ok(Vocabulary { size: 128, total_size: 257, added: 1 })
    }

    fn special_ids(&self) -> &[u32] {
        &[BEGINNING]
    }

    fn encode(&self, text: &[u8], flags: u32) -> Result<Vec<u32>> {
        let mut ids = Vec::with_capacity(text.len() + 1);
        if flags & IFB_ENCODE_SPECIAL != 0 {
            ids.push(BEGINNING);
        }
        ids.extend(text.iter().map(|byte| u32::from(*byte)));
        Ok(ids)
    }

    fn decode(&self, ids: &[u32], _flags: u32) -> Result<Vec<u8>> {
        let mut text = Vec::with_capacity(ids.len());
        for id in ids {
            match u8::try_from(*id) {
                Ok(byte) => text.push(byte),
                // The token that marks the beginning has no text, whatever the flags are.
                Err(_) if *id == BEGINNING => {}
                Err(_) => return Err(Failure::new(IFB_E_DATA, format!("there is no token {id}"))),
            }
        }
        Ok(text)
    }
}

inferbench::plugins!(inferbench::tokenizer::of::<MyExampleTokenizer>());
