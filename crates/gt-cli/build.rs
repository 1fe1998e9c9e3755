//! Names the commit that `gt --version` tells of: that of the checkout, or of the package the sources came in.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = match packaged_commit().or_else(checked_out_commit) {
        Some(commit) => format!("{version} ({})", &commit[..commit.len().min(10)]),
        None => version,
    };
    println!("cargo::rustc-env=GT_VERSION={version}");
}

/// `cargo package` leaves the commit in a file.
fn packaged_commit() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let sha = text.split("\"sha1\"").nth(1)?.split('"').nth(1)?;
    sha.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| sha.to_owned())
}

fn checked_out_commit() -> Option<String> {
    // Sources without a repository of their own may lie inside of another one, whose commits say nothing of them.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let own = Path::new("../..").canonicalize().ok()?;
    if Path::new(&top).canonicalize().ok()? != own {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
