//! What is answered for an id. `bench/upstream/item.ts` computes the same.

use std::fmt::Write;

/// An answer's status line, media type and body.
pub struct Item {
    pub status: &'static str,
    pub content_type: &'static str,
    pub body: String,
}

/// Returns an edition of what the service has under an id; one id in a hundred has nothing. All editions are equally
/// long.
pub fn item(key: &str, id: u64, edition: u32) -> Item {
    let seed = fnv1a(&format!("{key}/{id}"));
    let words = mix(seed, edition);
    if id % 100 == 99 {
        return Item {
            status: "404 Not Found",
            content_type: "application/problem+json",
            body: format!(
                r#"{{"title":"No such item","status":404,"instance":"/items/{id}","trace":"{:08x}"}}"#,
                mix(words, 1)
            ),
        };
    }
    // Whoever parses the number and the letter and writes them again may write them otherwise.
    let mut body = format!(
        r#"{{"id":{id},"name":"Café № {:08x}","price":{}.{}0,"text":""#,
        mix(words, 1),
        mix(seed, 2) % 1_000,
        mix(seed, 3) % 10,
    );
    for word in 0..12 + mix(seed, 4) % 24 {
        let space = if word == 0 { "" } else { " " };
        // Writing to a text does not fail.
        let _ = write!(body, "{space}{:08x}", mix(words, 5 + word));
    }
    body.push_str(r#""}"#);
    Item {
        status: "200 OK",
        content_type: "application/json",
        body,
    }
}

/// FNV-1a with 32 bits: <http://www.isthe.com/chongo/tech/comp/fnv/>.
fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// The finaliser of MurmurHash3, of the nth number of a sequence.
fn mix(seed: u32, n: u32) -> u32 {
    let mut hash = seed.wrapping_add(n.wrapping_mul(0x9e37_79b9));
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}
