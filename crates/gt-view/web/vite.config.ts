import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// `npm run dev` and `npm run preview` pass the API on to a server that was started with `gt view LOG --port 8017`.
const server = process.env['GT_SERVER'] ?? 'http://127.0.0.1:8017';

export default defineConfig({
  plugins: [svelte({ configFile: false, preprocess: vitePreprocess() })],
  base: './',
  build: {
    target: 'es2022',
    // Without the polyfill the page needs no inline script, and the server's policy forbids one.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // Times of the build's own parts are not for the reader of a build's output.
    rolldownOptions: { checks: { pluginTimings: false, bundlerTimings: false } },
  },
  server: { proxy: { '/api': server } },
  preview: { proxy: { '/api': server } },
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], environment: 'node' } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['tests/browser/shared.ts'],
          // One file after the other in one process, which loads what they need once.
          fileParallelism: false,
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // A shared machine may stall for seconds. A test that passes at the second try is named in the output.
          expect: { poll: { timeout: 10_000 } },
          retry: 1,
        },
      },
    ],
  },
});
