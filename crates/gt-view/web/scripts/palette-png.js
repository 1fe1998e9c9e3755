// @ts-check
// Makes a PNG small: 256 colours instead of 16 million, chosen by median cut. What is drawn here has few.

import { crc32, deflateSync } from 'node:zlib';

const COLORS_MAX = 256;
/** Colours that share these bits of each part are counted as one. */
const KEPT_BITS = 5;

/**
 * @param {Uint8Array} pixels red, green, blue, alpha of each pixel, row by row
 * @param {number} width
 * @param {number} height
 */
export function palettePng(pixels, width, height) {
  const { palette, indexOf } = choosePalette(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf[bucket(pixels, 4 * (y * width + x))] ?? 0;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a pixel, each a number of the palette.
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @param {Uint8Array} pixels @param {number} place */
function bucket(pixels, place) {
  const shift = 8 - KEPT_BITS;
  const part = (/** @type {number} */ offset) => (pixels[place + offset] ?? 0) >> shift;
  return (part(0) << (2 * KEPT_BITS)) | (part(1) << KEPT_BITS) | part(2);
}

/**
 * The colours, and which of them each bucket has.
 * @param {Uint8Array} pixels
 */
function choosePalette(pixels) {
  /** @typedef {{ key: number, count: number, color: number[] }} Entry */
  /** @type {Map<number, Entry>} */
  const entries = new Map();
  for (let place = 0; place < pixels.length; place += 4) {
    const key = bucket(pixels, place);
    const entry = entries.get(key) ?? { key, count: 0, color: [0, 0, 0] };
    entry.count++;
    for (const part of [0, 1, 2]) entry.color[part] = (entry.color[part] ?? 0) + (pixels[place + part] ?? 0);
    entries.set(key, entry);
  }
  for (const entry of entries.values()) entry.color = entry.color.map((sum) => sum / entry.count);

  /** @type {Entry[][]} */
  const boxes = [[...entries.values()]];
  while (boxes.length < COLORS_MAX) {
    const widest = boxes.map((box, place) => ({ place, ...spread(box) })).sort((a, b) => b.worth - a.worth)[0];
    if (!widest || widest.worth === 0) break;
    const box = /** @type {Entry[]} */ (boxes[widest.place]);
    box.sort((a, b) => (a.color[widest.part] ?? 0) - (b.color[widest.part] ?? 0));
    boxes.splice(widest.place, 1, ...halves(box));
  }
  const indexOf = new Uint8Array(1 << (3 * KEPT_BITS));
  const palette = boxes.map((box, place) => {
    for (const entry of box) indexOf[entry.key] = place;
    const total = box.reduce((sum, entry) => sum + entry.count, 0);
    return [0, 1, 2].map((part) => Math.round(box.reduce((sum, entry) => sum + (entry.color[part] ?? 0) * entry.count, 0) / total));
  });
  return { palette, indexOf };
}

/** Along which part a box is widest, and how much there is to gain. @param {{ count: number, color: number[] }[]} box */
function spread(box) {
  const widths = [0, 1, 2].map((part) => {
    const values = box.map((entry) => entry.color[part] ?? 0);
    return values.length > 1 ? Math.max(...values) - Math.min(...values) : 0;
  });
  const width = Math.max(...widths);
  const total = box.reduce((sum, entry) => sum + entry.count, 0);
  return { part: widths.indexOf(width), worth: width * Math.sqrt(total) };
}

/**
 * @template {{ count: number }} T
 * @param {T[]} box
 */
function halves(box) {
  const half = box.reduce((sum, entry) => sum + entry.count, 0) / 2;
  let sum = 0;
  let cut = box.findIndex((entry) => (sum += entry.count) >= half) + 1;
  cut = Math.min(Math.max(cut, 1), box.length - 1);
  return [box.slice(0, cut), box.slice(cut)];
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(checksum(body));
  return Buffer.concat([length, body, check]);
}

/** The checksum of PNG, which older versions of Node.js do not have. @param {Buffer} bytes */
function checksum(bytes) {
  if (typeof crc32 === 'function') return crc32(bytes);
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return (rest ^ 0xffffffff) >>> 0;
}
