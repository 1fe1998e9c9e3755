// @ts-check
// Pictures of the main views, for README and manual: `npm run screenshots -- FOLDER`, or only some of them with their names
// after the folder (GT names the command, see tests/browser/harness.js).

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LogFolder, openBrowser, openPage, startGame, startServer } from '../tests/browser/harness.js';
import { palettePng } from './palette-png.js';

const POSITION = '4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - -';
const QUERY = 'let qsize = subtree:count(*)\nnode: type & QRootNode and qsize > 20\nselect node_id, qsize, best, @line order by qsize desc';
const query = encodeURIComponent(QUERY);

/** A game in progress, and the last move of the person. */
const GAME = { moves: 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6', last: ['d2', 'd4'], chosen: 'f3' };

/** `of` names the logs that a picture is of, or the game. */
/** @type {{ name: string, of?: 'diff' | 'play', search: string, wait: string, options?: import('playwright-core').BrowserContextOptions }[]} */
const SHOTS = [
  { name: 'icicle', search: '?onesided&below=3', wait: 'text=/rectangles for/' },
  { name: 'treemap', search: '?view=treemap&onesided&below=3', wait: 'text=/rectangles for/' },
  { name: 'explorer', search: '?view=explorer&below=3', wait: '[role=treegrid] .chosen' },
  { name: 'query', search: `?color=type&below=2&query=${query}`, wait: '[role=table] .row.link' },
  { name: 'charts', search: '?view=charts', wait: '.card svg[role=application]', options: { viewport: { width: 1280, height: 1000 } } },
  {
    name: 'dark',
    search: `?view=treemap&color=type&below=2&query=${query}`,
    wait: 'text=/rectangles for/',
    options: { colorScheme: 'dark' },
  },
  { name: 'narrow', search: '?panel=board&below=3', wait: 'svg.board', options: { viewport: { width: 390, height: 844 } } },
  { name: 'diff', of: 'diff', search: '?below=1', wait: 'aside tr.differs', options: { viewport: { width: 1280, height: 960 } } },
  { name: 'play', of: 'play', search: '', wait: 'main.play svg.board' },
];

const [into, ...wanted] = process.argv.slice(2);
const target = resolve(into ?? 'screenshots');
mkdirSync(target, { recursive: true });
const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const folder = new LogFolder();
const browser = await openBrowser();
/** @type {Map<string, Awaited<ReturnType<typeof startServer>>>} */
const servers = new Map();
try {
  for (const { name, of = 'chess', search, wait, options } of shots) {
    const server = servers.get(of) ?? (await serverOf(of));
    servers.set(of, server);
    const { context, page, problems } = await openPage(browser, options ?? {});
    await page.goto(server.address + (of === 'play' ? search : await withNode(server.address, search)));
    await page.locator(wait).first().waitFor();
    if (of === 'play') await playOn(page);
    else {
      await page.locator('.cm-content').waitFor({ state: 'attached' });
      await page.getByText('Counting …').first().waitFor({ state: 'detached' });
    }
    // The last movement.
    await page.waitForTimeout(1200);
    const path = join(target, `${name}.png`);
    const bytes = await smaller(await page.screenshot());
    writeFileSync(path, bytes);
    console.log(`${path}  ${Math.round(bytes.length / 1000)} kB`);
    if (problems.length) throw new Error(`${name}: ${problems.join('; ')}`);
    await context.close();
  }
} finally {
  await browser.close();
  for (const server of servers.values()) await server.stop();
  folder.remove();
}

/** @param {'chess' | 'diff' | 'play'} of */
function serverOf(of) {
  if (of === 'play')
    return startGame(['chess', '--clock', '5+3', '--seat', 'person', '--seat', 'strong,nodes=700000', '--moves', GAME.moves]);
  return startServer(of === 'diff' ? twoSearches() : [chess()]);
}

/**
 * Plays the person's move, waits for the answer, and chooses a piece.
 * @param {import('playwright-core').Page} page
 */
async function playOn(page) {
  const click = async (/** @type {string} */ place) => {
    const box = await page.locator(`[data-place="${place}"]`).boundingBox();
    if (box) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  };
  for (const place of GAME.last) await click(place);
  await page.getByText(/^Your move/).waitFor({ state: 'detached' });
  await page.getByText(/^Your move/).waitFor({ timeout: 60_000 });
  await click(GAME.chosen);
  await page.locator('.thinking [role=application] canvas').first().waitFor();
}

function chess() {
  return folder.search('chess.gtf', ['chess', '--position', POSITION, '--depth', '9']);
}

/** The same search with a full window for every move, and with a narrow one for all but the first. */
function twoSearches() {
  const search = (/** @type {string} */ algorithm) =>
    folder.search(`${algorithm}.gtf`, ['chess', '--position', POSITION, '--depth', '4', '--algorithm', algorithm]);
  return [search('alpha-beta'), search('negascout'), '--diff', '--only', 'best'];
}

/**
 * The same picture in few colours; the browser takes the file apart.
 * @param {Buffer} png
 */
async function smaller(png) {
  const page = await browser.newPage();
  const { width, height, text } = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const data = context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
      let letters = '';
      for (let place = 0; place < data.length; place += 8192) letters += String.fromCharCode(...data.subarray(place, place + 8192));
      return { width: image.width, height: image.height, text: btoa(letters) };
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await page.close();
  return palettePng(Buffer.from(text, 'base64'), width, height);
}

/**
 * An address with the node that is `below` plies down the tree, by way of the largest subtrees.
 * @param {string} address
 * @param {string} search
 */
async function withNode(address, search) {
  const params = new URLSearchParams(search);
  const plies = Number(params.get('below') ?? 0);
  params.delete('below');
  const { logs } = await (await fetch(`${address}api/logs`)).json();
  // The last one may be small: a search that was repeated with another window.
  const { tree } = largest(/** @type {{ tree: number, nodes: number }[]} */ (logs[0].trees), (each) => each.nodes);
  let node = 0;
  for (let ply = 0; ply < plies; ply++) {
    const { children } = await (await fetch(`${address}api/children?tree=${tree}&node=${node}`)).json();
    node = largest(/** @type {{ node: number, size: number }[]} */ (children), (each) => each.size).node;
  }
  params.set('tree', String(tree));
  params.set('node', String(node));
  return `?${params}`;
}

/**
 * @template T
 * @param {T[]} list
 * @param {(each: T) => number} size
 * @returns {T}
 */
function largest(list, size) {
  return list.reduce((a, b) => (size(b) > size(a) ? b : a));
}
