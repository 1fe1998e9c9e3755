//! Who may ask: programs and pages of this machine, by a name of this machine.
//!
//! A page from elsewhere can make a browser send requests to the loopback address. Its name for us is then in `Host`
//! (a foreign name that resolves to us), or its own in `Origin`; both are refused.

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{Kind, Refusal};

/// Lets a request of this machine through, and gives every refusal its sentence.
pub(super) async fn guarded(request: Request, next: Next) -> Response {
    if let Err(refusal) = check(&request) {
        return refusal.into_response();
    }
    let method = request.method().clone();
    let response = next.run(request).await;
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        return other_method(&method, response);
    }
    response
}

/// What the routes refuse for its method: the same with a sentence.
fn other_method(method: &Method, response: Response) -> Response {
    let Some(allowed) = response.headers().get(header::ALLOW).cloned() else { return response };
    let method: String = method.as_str().chars().take(20).collect();
    let names = allowed.to_str().unwrap_or("").replace(',', ", ");
    let sentence = format!("{} is not for this call: it takes {names}", method.escape_debug());
    let mut refused = Refusal::new(Kind::Method, sentence).into_response();
    refused.headers_mut().insert(header::ALLOW, allowed);
    refused
}

fn check(request: &Request) -> Result<(), Refusal> {
    let (method, headers) = (request.method(), request.headers());
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(Refusal::new(Kind::Foreign, "a request has one Host header, not none or several"));
    };
    let host = host.to_str().unwrap_or(NO_TEXT);
    // An address as a proxy gets it names a host of its own.
    let named = request.uri().authority().map(|authority| authority.as_str());
    if let Some(foreign) = [Some(host), named].into_iter().flatten().find(|host| !is_ours(host)) {
        let sentence = format!(
            "`{}` is not a name of this server: ask by localhost or a loopback address",
            shown(foreign)
        );
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
        *method == Method::GET && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    if matches!(site, Some("cross-site" | "same-site")) && !is_link {
        return Err(
            Refusal::new(Kind::Foreign, "requests of another page are not answered").at("Sec-Fetch-Site")
        );
    }
    Ok(())
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or(NO_TEXT))
}

/// Stands for a header that is no text: no name of ours.
const NO_TEXT: &str = "?";

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
