//! Reads an answer of HTTP/1.1: whole, of a known length, in chunks, or until the connection closes.

use memchr::memmem::find;

/// The longest answer that is read, in bytes, header included.
pub const LONGEST: usize = 64 * 1024;

/// An answer whose body is complete.
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

/// What came is no HTTP.
pub struct NotHttp;

/// Returns the answer if all of it was received.
pub fn parse(received: &[u8], is_closed: bool) -> Result<Option<Answer>, NotHttp> {
    let Some(length) = find(received, b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = str::from_utf8(&received[..length]).map_err(|_| NotHttp)?;
    let mut lines = head.split("\r\n");
    let status = status_of(lines.next().unwrap_or_default())?;
    let fields: Vec<_> = lines.filter_map(|line| line.split_once(':')).collect();
    let value = |name: &str| {
        let mut named = fields
            .iter()
            .filter(|(field, _)| field.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.trim())
    };
    let rest = &received[length + 4..];
    let body = if value("transfer-encoding").is_some_and(|it| it.eq_ignore_ascii_case("chunked")) {
        joined(rest)?
    } else if let Some(length) = value("content-length") {
        rest.get(..length.parse().map_err(|_| NotHttp)?)
            .map(Vec::from)
    } else {
        is_closed.then(|| rest.to_vec())
    };
    Ok(body.map(|body| Answer { status, body }))
}

fn status_of(line: &str) -> Result<u16, NotHttp> {
    let (version, rest) = line.split_once(' ').ok_or(NotHttp)?;
    if !version.starts_with("HTTP/1.") {
        return Err(NotHttp);
    }
    rest.get(..3)
        .and_then(|code| code.parse().ok())
        .ok_or(NotHttp)
}

/// Joins chunks (RFC 9112, section 7.1); none while the last one has not come.
fn joined(mut rest: &[u8]) -> Result<Option<Vec<u8>>, NotHttp> {
    let mut body = Vec::new();
    while let Some(end) = find(rest, b"\r\n") {
        let line = str::from_utf8(&rest[..end]).map_err(|_| NotHttp)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| NotHttp)?;
        let data = end + 2;
        // Trailers are not used; the empty line after the last chunk ends the answer.
        if size == 0 {
            return Ok(find(&rest[end..], b"\r\n\r\n").map(|_| body));
        }
        let Some(chunk) = rest.get(data..data + size) else {
            return Ok(None);
        };
        body.extend_from_slice(chunk);
        rest = rest.get(data + size + 2..).unwrap_or_default();
    }
    Ok(None)
}
