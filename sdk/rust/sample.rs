//! The sample that a backend receives.

use crate::abi::*;
use crate::guard::{Failure, Result};
use crate::view;
use std::borrow::Cow;

/// A sample of the dataset: the content of a request. Its texts are valid during 'a, the lifetime
/// of the request. In a text that is not UTF-8, U+FFFD replaces the wrong bytes.
pub struct Sample<'a>(pub(crate) &'a ifb_sample);

// The unsafe blocks are sound because the host guarantees that everything to which the sample
// points is readable, and does not change, during 'a.
impl<'a> Sample<'a> {
    /// Returns the prompt of shape TEXT. For every other shape, and for a part that is not text,
    /// returns a Failure with a message for the user.
    pub fn prompt_text(&self) -> Result<Cow<'a, str>> {
        let prompt = self.0.prompt;
        let refused = || Failure::unsupported("this backend takes plain text prompts only");
        if self.0.shape != IFB_PROMPT_TEXT || prompt.count == 0 {
            return Err(refused());
        }
        let part = unsafe { &*prompt.first };
        if part.kind != IFB_PART_TEXT {
            return Err(refused());
        }
        Ok(unsafe { view(ifb_str { data: part.data.data.cast(), size: part.data.size }) })
    }
    /// Returns the length of the prompt in tokens, as the client counted it; None: not counted.
    pub fn input_tokens(&self) -> Option<i64> {
        Some(self.0.input_tokens).filter(|n| *n >= 0)
    }
    /// Returns the requested length of the answer in tokens; None: the server decides.
    pub fn output_tokens(&self) -> Option<i64> {
        Some(self.0.output_tokens).filter(|n| *n >= 0)
    }
    /// Returns the model that replaces the backend's model, or an empty text.
    pub fn model(&self) -> Cow<'a, str> {
        unsafe { view(self.0.model) }
    }
    /// Returns a JSON object whose members the backend lays over the body of the request, or an
    /// empty text.
    pub fn overrides(&self) -> Cow<'a, str> {
        unsafe { view(self.0.overrides) }
    }
    /// Returns the sample with all its members.
    pub fn raw(&self) -> &'a ifb_sample {
        self.0
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{bytes_of, str_of};
    use std::mem::size_of;

    /// Calls `to` with a sample that has one text part, a prompt of 7 tokens and no other lengths.
    pub(crate) fn sample<R>(prompt: &str, to: impl FnOnce(&ifb_sample) -> R) -> R {
        let nothing = str_of("");
        let part = ifb_part {
            struct_size: size_of::<ifb_part>() as u32,
            kind: IFB_PART_TEXT,
            mime: std::ptr::null(),
            data: bytes_of(prompt.as_bytes()),
            uri: nothing,
            name: nothing,
        };
        to(&ifb_sample {
            shape: IFB_PROMPT_TEXT,
            prompt: ifb_part_list { first: &part, count: 1, stride: part.struct_size },
            input_tokens: 7,
            ..IFB_SAMPLE_INIT
        })
    }

    #[test]
    fn an_unknown_length_is_none() {
        sample("a", |of| {
            let sample = Sample(of);
            assert_eq!(sample.prompt_text().unwrap(), "a");
            assert_eq!((sample.input_tokens(), sample.output_tokens()), (Some(7), None));
        });
    }

    #[test]
    fn another_shape_and_another_part_are_refused() {
        let failure = Sample(&IFB_SAMPLE_INIT).prompt_text().unwrap_err();
        assert_eq!(failure.code(), IFB_E_UNSUPPORTED);
        sample("a", |of| {
            let image = ifb_part { kind: IFB_PART_IMAGE, ..unsafe { *of.prompt.first } };
            let prompt = ifb_part_list { first: &image, ..of.prompt };
            let failure = Sample(&ifb_sample { prompt, ..*of }).prompt_text().unwrap_err();
            assert_eq!(failure.code(), IFB_E_UNSUPPORTED);
        });
    }
}
