//! The JSON functions that a protocol needs: they write strings, and find values by their path.
//! There is no tree and no recursion.

/// Appends `text` as a JSON string with its quotes.
pub fn append_string(to: &mut String, text: &str) {
    to.push('"');
    for c in text.chars() {
        match c {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            c if c < ' ' => to.push_str(&format!("\\u{:04x}", c as u32)),
            c => to.push(c),
        }
    }
    to.push('"');
}

/// Returns the JSON text of the value at `path`, for example "choices.0.text"; None if there is no
/// value at this path. A search reads only the path to the value, so it does not detect errors
/// elsewhere in the document.
pub fn find<'a>(document: &'a [u8], path: &str) -> Option<&'a [u8]> {
    let mut value = trim(document);
    for step in path.split('.') {
        value = member(value, step)?;
    }
    Some(value)
}

/// Returns the text of a JSON string; None if `value` is not a string or is malformed.
pub fn text(value: &[u8]) -> Option<String> {
    if value.len() < 2 || value[0] != b'"' || string_end(value, 0)? != value.len() {
        return None;
    }
    let mut out = Vec::with_capacity(value.len());
    let mut at = 1;
    while at + 1 < value.len() {
        if value[at] != b'\\' {
            out.push(value[at]);
            at += 1;
            continue;
        }
        let escape = value[at + 1];
        at += 2;
        out.push(match escape {
            b'"' | b'\\' | b'/' => escape,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let mut code = hex(value, at)?;
                at += 4;
                let follows = value.get(at..at + 2) == Some(b"\\u");
                if (0xD800..0xDC00).contains(&code) && follows {
                    let low = hex(value, at + 2)?;
                    if (0xDC00..0xE000).contains(&low) {
                        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                        at += 6;
                    }
                }
                // Half a surrogate pair is not a character.
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            _ => return None,
        });
    }
    Some(String::from_utf8_lossy(&out).into_owned())
}

/// Returns a whole number; None if `value` is not a whole number.
pub fn integer(value: &[u8]) -> Option<i64> {
    std::str::from_utf8(value).ok()?.parse().ok()
}

/// Returns the members of a JSON object in their order: the name, and the JSON text of the value.
/// Empty if `value` is not an object or is malformed.
pub fn members(value: &[u8]) -> Vec<(String, &[u8])> {
    let mut out = Vec::new();
    let whole = value.first() == Some(&b'{')
        && walk(trim(value), |name, _, found| {
            out.push((text(name).unwrap_or_default(), found));
            true
        })
        .is_some();
    if !whole {
        out.clear();
    }
    out
}

/// Returns the JSON texts of the elements of an array; None if `value` is not an array or is
/// malformed.
pub fn elements(value: &[u8]) -> Option<Vec<&[u8]>> {
    let mut out = Vec::new();
    if value.first() != Some(&b'[') {
        return None;
    }
    walk(trim(value), |_, _, found| {
        out.push(found);
        true
    })?;
    Some(out)
}

fn hex(value: &[u8], at: usize) -> Option<u32> {
    let digits = value.get(at..at + 4)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn blank(c: u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\n' | b'\r')
}

fn trim(mut text: &[u8]) -> &[u8] {
    while matches!(text.first(), Some(c) if blank(*c)) {
        text = &text[1..];
    }
    while matches!(text.last(), Some(c) if blank(*c)) {
        text = &text[..text.len() - 1];
    }
    text
}

/// Returns the position after the string that begins at `at`; None if the string does not end.
fn string_end(text: &[u8], at: usize) -> Option<usize> {
    let mut i = at + 1;
    while i < text.len() {
        match text[i] {
            b'\\' => i += 2,
            b'"' => return Some(i + 1),
            _ => i += 1,
        }
    }
    None
}

/// Returns the position after the value that begins at `at`; None if the value does not end.
fn value_end(text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    let mut i = at;
    while i < text.len() {
        match text[i] {
            b'"' => i = string_end(text, i)?,
            b'{' | b'[' => {
                depth += 1;
                i += 1;
            }
            b'}' | b']' | b',' if depth == 0 => return Some(i),
            b'}' | b']' => {
                depth -= 1;
                i += 1;
            }
            _ => i += 1,
        }
        if depth == 0 && matches!(text[i - 1], b'}' | b']' | b'"') {
            return Some(i);
        }
    }
    // A value that is neither a string nor in brackets may end with the text.
    if depth == 0 {
        Some(i)
    } else {
        None
    }
}

fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && blank(text[at]) {
        at += 1;
    }
    at
}

/// Calls `visit` with the name (a JSON string; empty for an array), the index and the value of each
/// member or element, until `visit` returns false. Returns None if `container` is neither an object
/// nor an array, or is malformed.
fn walk<'a>(
    container: &'a [u8],
    mut visit: impl FnMut(&'a [u8], usize, &'a [u8]) -> bool,
) -> Option<()> {
    let (object, close) = match container.first()? {
        b'{' => (true, b'}'),
        b'[' => (false, b']'),
        _ => return None,
    };
    let mut at = skip_blanks(container, 1);
    if container.get(at) == Some(&close) {
        return Some(());
    }
    for index in 0.. {
        let mut name = &container[..0];
        if object {
            if container.get(at) != Some(&b'"') {
                return None;
            }
            let end = string_end(container, at)?;
            name = &container[at..end];
            at = skip_blanks(container, end);
            if container.get(at) != Some(&b':') {
                return None;
            }
            at = skip_blanks(container, at + 1);
        }
        let end = value_end(container, at)?;
        let value = trim(&container[at..end]);
        if value.is_empty() {
            return None;
        }
        if !visit(name, index, value) {
            return Some(());
        }
        at = skip_blanks(container, end);
        match container.get(at) {
            Some(&b',') => at = skip_blanks(container, at + 1),
            Some(c) if *c == close => return Some(()),
            _ => return None,
        }
    }
    None
}

/// Finds a member of an object by its name, or an element of an array by its index.
fn member<'a>(container: &'a [u8], step: &str) -> Option<&'a [u8]> {
    let object = container.first() == Some(&b'{');
    let mut found = None;
    // The text after the member may be malformed.
    let _ = walk(container, |name, index, value| {
        let same = match object {
            true => &name[1..name.len() - 1] == step.as_bytes(),
            false => step.parse() == Ok(index),
        };
        if same {
            found = Some(value);
        }
        !same
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &[u8] =
        br#" {"a": [1, {"b": "x\"}y"}], "c" : {"d":-5 }, "e": "\u00e9\ud83d\ude00\n", "f": null} "#;

    fn found(path: &str) -> Option<&'static [u8]> {
        find(DOCUMENT, path)
    }

    #[test]
    fn a_value_is_found_by_its_path() {
        assert_eq!(found("a.0"), Some(&b"1"[..]));
        assert_eq!(found("a.1.b").and_then(text), Some("x\"}y".to_string()));
        assert_eq!(found("c.d").and_then(integer), Some(-5));
        assert_eq!(found("e").and_then(text), Some("\u{e9}\u{1f600}\n".to_string()));
        assert_eq!(found("f"), Some(&b"null"[..]));
    }

    #[test]
    fn members_and_elements_come_in_their_order() {
        let object = found("c").map(members).unwrap_or_default();
        assert_eq!(object, [("d".to_string(), &b"-5"[..])]);
        let array = found("a").and_then(elements).unwrap_or_default();
        assert_eq!(array, [&b"1"[..], &br#"{"b": "x\"}y"}"#[..]]);
        assert_eq!((members(b"{}").len(), elements(b"[ ]")), (0, Some(vec![])));
        for bad in ["", "[1]", "{\"a\": 1", "{\"a\" 1}", "{\"a\": 1,}", "{1: 2}"] {
            assert!(members(bad.as_bytes()).is_empty(), "{bad}");
        }
        for bad in ["", "{}", "[1", "[1,]", "[,1]"] {
            assert_eq!(elements(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        for path in ["g", "a.2", "a.b", "c.d.e", "a.1.b.0", ""] {
            assert_eq!(found(path), None, "{path}");
        }
    }

    #[test]
    fn a_text_cut_anywhere_or_changed_anywhere_ends() {
        for path in ["a.1.b", "c.d", "e", "f", "g"] {
            for end in 0..DOCUMENT.len() {
                find(&DOCUMENT[..end], path).and_then(text);
                let mut changed = DOCUMENT.to_vec();
                for byte in [b'"', b'\\', b'{', b']', b',', 0xFF] {
                    changed[end] = byte;
                    find(&changed, path).and_then(text);
                }
            }
        }
    }

    #[test]
    fn a_string_is_written_so_that_it_can_be_read() {
        let mut written = String::new();
        append_string(&mut written, "a\"\\\n\u{1}\u{e9}");
        assert_eq!(written, "\"a\\\"\\\\\\u000a\\u0001\u{e9}\"");
        assert_eq!(text(written.as_bytes()), Some("a\"\\\n\u{1}\u{e9}".to_string()));
    }
}
