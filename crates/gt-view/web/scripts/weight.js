// Prints what the page weighs compressed, and fails where it is more than it may be.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const WEIGHT_KB_MAX = 300;
const folder = new URL('../dist', import.meta.url).pathname;

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
const rows = files.map((file) => {
  const bytes = readFileSync(file);
  return { name: relative(folder, file), plain: bytes.length, compressed: gzipSync(bytes, { level: 9 }).length };
});
rows.sort((a, b) => b.compressed - a.compressed);

const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(7);
for (const row of rows) console.log(`${kilobytes(row.compressed)} kB gzip ${kilobytes(row.plain)} kB  ${row.name}`);
const total = rows.reduce((sum, row) => sum + row.compressed, 0);
console.log(`${kilobytes(total)} kB gzip in all; at most ${WEIGHT_KB_MAX}`);
if (total > WEIGHT_KB_MAX * 1000) {
  console.error(`the page weighs more than ${WEIGHT_KB_MAX} kB compressed`);
  process.exitCode = 1;
}
