// What all files of the browser's tests share, begun once: a browser, the logs of all games, and a server over them.

import type { TestProject } from 'vitest/node';
import { LogFolder, serveBrowser, startServer } from './harness.js';

const POSITION = '4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - -';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where tests find the browser. */
    browserAddress: string;
    /** The page over the logs of all games. */
    gamesAddress: string;
  }
}

export default async function setup(project: TestProject) {
  const folder = new LogFolder();
  const server = await startServer(logsOfAllGames(folder));
  const browser = await serveBrowser();
  project.provide('browserAddress', browser.wsEndpoint());
  project.provide('gamesAddress', server.address);
  return async () => {
    await browser.close();
    await server.stop();
    folder.remove();
  };
}

/** In the order of `LOG`. */
function logsOfAllGames(folder: LogFolder): string[] {
  return [
    folder.search('chess.gtf', ['chess', '--position', POSITION, '--depth', '4']),
    folder.search('amazons.gtf', ['amazons', '--board', '6x6', '--depth', '2']),
    folder.search('tic-tac-toe.gtf', ['tic-tac-toe', '--depth', '9']),
    folder.search('connect-four.gtf', ['connect-four', '--depth', '6']),
    folder.search('checkers.gtf', ['chinese-checkers', '--players', '3', '--depth', '3']),
    folder.generate('wide.gtf', ['--depth', '1', '--branching', '1000000']),
  ];
}
