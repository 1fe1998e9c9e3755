//! Who may ask: programs and pages of this machine, by a name of this machine.
//!
//! A page from elsewhere can make a browser send requests to the loopback address. Its name for us is then in `Host`
//! (a foreign name that resolves to us), or its own in `Origin`; both are refused.

use axum::http::{HeaderMap, Method, header};

use crate::error::{Kind, Refusal};

pub(super) fn check(method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(host) = text(headers, header::HOST) else {
        return Err(Refusal::new(Kind::Foreign, "the request has no Host header"));
    };
    if !is_ours(host) {
        let sentence =
            format!("`{}` is not a name of this server: ask by localhost or a loopback address", shown(host));
        return Err(Refusal::new(Kind::Foreign, sentence).at("Host"));
    }
    if let Some(origin) = text(headers, header::ORIGIN)
        && origin.strip_prefix("http://") != Some(host)
    {
        let sentence = format!("requests of the page `{}` are not answered", shown(origin));
        return Err(Refusal::new(Kind::Foreign, sentence).at("Origin"));
    }
    // Browsers say where a request comes from; what another site asks for is refused even where it sends no Origin,
    // but for following a link.
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    let is_link =
        method == Method::GET && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    if matches!(site, Some("cross-site" | "same-site")) && !is_link {
        return Err(
            Refusal::new(Kind::Foreign, "requests of another page are not answered").at("Sec-Fetch-Site")
        );
    }
    Ok(())
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    // What is no text is no name of ours.
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Whether a host, with or without a port, is a name of the loopback address.
fn is_ours(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, port)) => (name, port.strip_prefix(':').unwrap_or(port)),
            None => return false,
        },
        None => host.split_once(':').unwrap_or((host, "")),
    };
    let is_port = port.is_empty() || port.parse::<u16>().is_ok();
    let is_loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_port && (is_loopback || name.eq_ignore_ascii_case("localhost"))
}

fn shown(text: &str) -> String {
    text.chars().take(60).collect::<String>().escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn only_names_of_this_machine_are_ours() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:7373", "127.1.2.3", "[::1]:7373", "[::1]"] {
            assert!(is_ours(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "10.0.0.1",
            "[::1",
            "localhost:x",
            "127.0.0.1:99999",
        ] {
            assert!(!is_ours(host), "{host}");
        }
    }
}
