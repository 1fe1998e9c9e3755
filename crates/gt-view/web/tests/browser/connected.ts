// The browser that the tests share, and what it has saved.

import { buffer } from 'node:stream/consumers';
import { chromium, type Browser, type Download } from 'playwright-core';
import { inject } from 'vitest';

export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('browserAddress'));
}

/** The bytes of a file that the page saved. */
export async function savedBytes(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream());
}
