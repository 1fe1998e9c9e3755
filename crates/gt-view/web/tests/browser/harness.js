// @ts-check
// What the browser's tests and the screenshots share: logs made with `gt`, a server over them, a headless browser.
//
//     GT=target/release/gt       the command (default: the workspace's release or debug build)
//     GT_PAGE=dist               takes the page's files from this folder instead of those inside of the command
//     CHROMIUM=/usr/bin/chromium the browser (default: the first of BROWSERS that is on the path)

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
});

/** The command `gt`. */
export function command() {
  const root = new URL('../../../../../', import.meta.url).pathname;
  const target = process.env['CARGO_TARGET_DIR'] ?? join(root, 'target');
  const candidates = [process.env['GT'], join(target, 'release/gt'), join(target, 'debug/gt')];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) throw new Error('no `gt` found: build it, or name it in the variable GT');
  return resolve(found);
}

/** A folder for logs, and what makes them. */
export class LogFolder {
  folder = mkdtempSync(join(tmpdir(), 'gt-view-'));

  /** @param {string} name @param {string[]} options */
  search(name, options) {
    return this.run(name, (file) => ['search', ...options, '--log', file]);
  }

  /** @param {string} name @param {string[]} options */
  generate(name, options) {
    return this.run(name, (file) => ['gen', ...options, '-o', file]);
  }

  /** @param {string} name @param {(file: string) => string[]} make */
  run(name, make) {
    const file = join(this.folder, name);
    execFileSync(command(), make(file), { stdio: 'pipe' });
    return file;
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Starts `gt view` on a free port.
 * @param {string[]} logs
 */
export function startServer(logs) {
  return start(['view', ...logs]);
}

/**
 * Starts `gt play` on a free port.
 * @param {string[]} options
 */
export function startGame(options) {
  return start(['play', ...options, '--no-open']);
}

/** @param {string[]} options */
async function start(options) {
  const child = spawn(command(), [...options, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((found, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`gt ${options[0]} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const named = /http:\/\/\S+/.exec(line)?.[0];
      if (named) found(named);
    });
  });
  return {
    address: /** @type {string} */ (address),
    stop: () =>
      new Promise((stopped) => {
        child.removeAllListeners('exit');
        child.once('exit', stopped);
        child.kill('SIGINT');
      }),
  };
}

/** The one without a window takes half the processor's time. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'google-chrome'];

function browserPath() {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = process.env['CHROMIUM'] ?? paths.find((path) => existsSync(path));
  if (!found) throw new Error(`no browser found: install one of ${BROWSERS.join(', ')}, or name it in the variable CHROMIUM`);
  return found;
}

const launched = () => ({ executablePath: browserPath(), args: FLAGS });

export function openBrowser() {
  return chromium.launch(launched());
}

/** A browser that other processes connect to. */
export function serveBrowser() {
  return chromium.launchServer(launched());
}

/**
 * A page that has noted what went wrong in it and whom it asked.
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  /** @type {string[]} */
  const problems = [];
  /** @type {Set<string>} */
  const hosts = new Set();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A call that is refused is part of some tests; the browser notes it as an error of its own.
    const refused = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !refused) problems.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    // What the page made itself is asked of nobody.
    if (protocol !== 'blob:') hosts.add(host);
  });
  const folder = process.env['GT_PAGE'];
  if (folder)
    await context.route(
      (url) => !url.pathname.startsWith('/api/'),
      (route) => serveFrom(folder, route),
    );
  return { context, page, problems, hosts };
}

/**
 * Answers with a file of a folder, under the server's own policy.
 * @param {string} folder
 * @param {import('playwright-core').Route} route
 */
async function serveFrom(folder, route) {
  const { origin, pathname } = new URL(route.request().url());
  const file = join(folder, pathname === '/' ? 'index.html' : pathname);
  const policy = await policyOf(origin);
  const headers = { 'content-type': TYPES[extname(file)] ?? '', ...(policy ? { 'content-security-policy': policy } : {}) };
  const answer = existsSync(file) ? { body: readFileSync(file), headers } : { status: 404 };
  // The page may have been closed while its last file was read.
  await route.fulfill(answer).catch(() => {});
}

/** @type {Map<string, Promise<string | null>>} */
const policies = new Map();

/** @param {string} origin */
function policyOf(origin) {
  const known =
    policies.get(origin) ??
    fetch(`${origin}/`).then(
      (answer) => answer.headers.get('content-security-policy'),
      () => null,
    );
  policies.set(origin, known);
  return known;
}
