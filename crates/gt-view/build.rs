//! Builds the page and puts it beside the crate's code, compressed.
//!
//! ```text
//! GT_VIEW_PAGE ─────────────────────────────────┐ (a page that was built elsewhere)
//! web/ ──copy──▶ OUT_DIR/web ──npm──▶ dist/ ────┴──gzip──▶ OUT_DIR/page/*.gz + page.rs
//! ```
//!
//! Without npm, or without `web/`, the build succeeds, with a warning and a page that says how to get the real one.
//! Nothing is written outside of `OUT_DIR`, but what vite leaves among the packages: where `web/` has them installed, they
//! are used from there.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Names a folder with a page that was built elsewhere.
const PAGE_VARIABLE: &str = "GT_VIEW_PAGE";
/// What is in `web/`, or a developer may have there, that does not go into the page.
const NOT_SOURCES: [&str; 7] =
    ["node_modules", "dist", "tests", "test-results", "screenshots", "coverage", ".vite"];

fn main() -> Outcome<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={PAGE_VARIABLE}");
    println!("cargo::rustc-check-cfg=cfg(has_page)");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let page = match std::env::var_os(PAGE_VARIABLE).filter(|value| !value.is_empty()) {
        Some(folder) => Some(prebuilt(Path::new(&folder))?),
        None => match build(Path::new("web"), &out.join("web")) {
            Ok(dist) => Some(dist),
            Err(why) => {
                println!(
                    "cargo::warning=the viewer's page is not built: {why}; `gt view` will say so in the browser"
                );
                None
            }
        },
    };
    if page.is_some() {
        println!("cargo::rustc-cfg=has_page");
    }
    embed(page.as_deref(), &out)
}

fn prebuilt(folder: &Path) -> Outcome<PathBuf> {
    println!("cargo::rerun-if-changed={}", folder.display());
    if !folder.join("index.html").is_file() {
        return Err(
            format!("{PAGE_VARIABLE} names {}, and there is no index.html in it", folder.display()).into()
        );
    }
    Ok(folder.to_owned())
}

/// Builds the page from its sources; the folder it is in, or why there is none.
fn build(sources: &Path, work: &Path) -> Outcome<PathBuf> {
    if !sources.join("package-lock.json").is_file() {
        // So that it is noticed when the sources come.
        println!("cargo::rerun-if-changed=.");
        return Err("there is no folder web/ with its sources".into());
    }
    watch(sources)?;
    clear(work)?;
    copy(sources, work)?;
    if !borrow_packages(sources, work) {
        install_packages(work)?;
    }
    npm(work, &["run", "build"])?;
    let dist = work.join("dist");
    if !dist.join("index.html").is_file() {
        return Err("`npm run build` left no dist/index.html".into());
    }
    Ok(dist)
}

/// Links to the packages that a developer has installed beside the sources, if they are those of the lock file: npm
/// writes its own list last, so one that is newer is whole.
#[cfg(unix)]
fn borrow_packages(sources: &Path, work: &Path) -> bool {
    let modified = |name: &str| fs::metadata(sources.join(name)).and_then(|file| file.modified());
    let (list, lock) = (modified("node_modules/.package-lock.json"), modified("package-lock.json"));
    if !matches!((list, lock), (Ok(list), Ok(lock)) if list > lock) {
        return false;
    }
    let packages = work.join("node_modules");
    if packages.is_symlink() || packages.exists() {
        return packages.is_symlink();
    }
    let installed = fs::canonicalize(sources.join("node_modules"));
    installed.and_then(|installed| std::os::unix::fs::symlink(installed, &packages)).is_ok()
}

/// Elsewhere a link takes rights that a build may lack.
#[cfg(not(unix))]
fn borrow_packages(_: &Path, _: &Path) -> bool {
    false
}

/// Installs the packages beside the copy, unless those of this lock file are there already.
fn install_packages(work: &Path) -> Outcome<()> {
    let packages = work.join("node_modules");
    if packages.is_symlink() {
        fs::remove_file(&packages)?;
    }
    let lock = fs::read(work.join("package-lock.json"))?;
    let installed = work.join("installed-lock.json");
    if fs::read(&installed).is_ok_and(|old| old == lock) && packages.is_dir() {
        return Ok(());
    }
    let _ = fs::remove_file(&installed);
    npm(work, &["ci", "--no-audit", "--no-fund"])?;
    fs::write(&installed, &lock)?;
    Ok(())
}

/// Watches all sources, but not what npm puts beside them.
fn watch(sources: &Path) -> Outcome<()> {
    for entry in fs::read_dir(sources)? {
        let entry = entry?;
        if is_source(&entry.path()) {
            println!("cargo::rerun-if-changed={}", entry.path().display());
        }
    }
    Ok(())
}

fn is_source(path: &Path) -> bool {
    path.file_name().is_some_and(|name| NOT_SOURCES.iter().all(|other| name != *other))
}

/// Removes an earlier copy, but for the packages, which take long to install.
fn clear(work: &Path) -> Outcome<()> {
    fs::create_dir_all(work)?;
    for entry in fs::read_dir(work)? {
        let path = entry?.path();
        let is_kept = path.ends_with("node_modules") || path.ends_with("installed-lock.json");
        if path.is_dir() && !is_kept {
            fs::remove_dir_all(&path)?;
        } else if !is_kept {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn copy(source: &Path, target: &Path) -> Outcome<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let path = entry?.path();
        let Some(name) = path.file_name().filter(|_| is_source(&path)) else { continue };
        if path.is_dir() {
            copy(&path, &target.join(name))?;
        } else {
            fs::copy(&path, target.join(name))?;
        }
    }
    Ok(())
}

fn npm(folder: &Path, arguments: &[&str]) -> Outcome<()> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = match Command::new(program).args(arguments).current_dir(folder).output() {
        Ok(output) => output,
        Err(error) => return Err(format!("npm cannot be started ({error})").into()),
    };
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    for line in &lines[lines.len().saturating_sub(20)..] {
        println!("cargo::warning={line}");
    }
    Err(format!("`npm {}` failed", arguments.join(" ")).into())
}

/// Writes every file of the page compressed, and a table of them.
fn embed(page: Option<&Path>, out: &Path) -> Outcome<()> {
    let target = out.join("page");
    let _ = fs::remove_dir_all(&target);
    fs::create_dir_all(&target)?;
    let mut files = Vec::new();
    if let Some(page) = page {
        list(page, &mut files)?;
        files.sort();
    }
    let mut table = String::from("&[\n");
    for (number, file) in files.iter().enumerate() {
        let name = file.strip_prefix(page.unwrap_or(Path::new("")))?.to_string_lossy().replace('\\', "/");
        let packed = target.join(format!("{number}.gz"));
        fs::write(&packed, gzip(&fs::read(file)?)?)?;
        let (path, kind) = (format!("/{name}"), content_type(&name));
        writeln!(
            table,
            "    File {{ path: {path:?}, content_type: {kind:?}, gzip: include_bytes!({packed:?}) }},"
        )?;
    }
    table.push_str("]\n");
    fs::write(out.join("page.rs"), table)?;
    Ok(())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn gzip(bytes: &[u8]) -> Outcome<Vec<u8>> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(bytes)?;
    Ok(packer.finish()?)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
