// What an evaluation sees, beside the board: terms, and maps painted on the squares.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

const fold = () => stage.page.locator('details.evaluation');
const terms = () => fold().getByLabel('terms of the evaluation');
const map = () => fold().getByLabel('map on the board');

describe('evaluation', () => {
  it('is asked when it is opened, follows the chosen node, and says what the server says', async () => {
    let asked = 0;
    stage.page.on('request', (request) => void (asked += Number(request.url().includes('/api/evaluation'))));
    await stage.open('?log=1&node=2');
    await stage.page.locator('svg.board').waitFor();
    expect(asked).toBe(0);
    await fold().getByText('Evaluation').click();
    const shown = () => terms().locator('tfoot td').allTextContents();
    const values = async (node: number) => {
      const answer = await (await fetch(`${stage.address}api/evaluation?log=1&tree=1&node=${node}`)).json();
      return [String(answer.values[0]), '', String(answer.values[1])];
    };
    await expect.poll(shown).toEqual(await values(2));
    await stage.page.getByRole('button', { name: 'parent' }).click();
    await expect.poll(() => stage.at.get('node')).toBe('1');
    await expect.poll(shown).toEqual(await values(1));
    // It stays open when the page is loaded again.
    await stage.page.reload();
    await expect.poll(shown).toEqual(await values(1));
  });

  it('can be another one', async () => {
    await stage.open('?log=1&node=1');
    await fold().getByText('Evaluation').click();
    await expect.poll(() => terms().locator('tbody tr').count()).toBe(9);
    await fold().getByLabel('evaluation', { exact: true }).selectOption('mobility');
    await expect.poll(() => terms().locator('tbody th').allTextContents()).toEqual(['mobility']);
  });

  it.each([
    ['chess', 0, 'attacks'],
    ['amazons', 1, 'territory'],
    ['tic-tac-toe', 2, 'open-lines-x'],
    ['connect four', 3, 'open-lines-o'],
    ['Chinese checkers', 4, 'pieces'],
  ])('paints a map of %s on the board', async (_, log, name) => {
    await stage.open(`?log=${log}&node=1`);
    await fold().getByText('Evaluation').click();
    await map().selectOption(name);
    await stage.page.getByRole('img', { name: `map: ${name}` }).waitFor();
    const answer = await (await fetch(`${stage.address}api/evaluation?log=${log}&node=1&tree=${stage.at.get('tree') ?? 0}`)).json();
    expect(answer.maps.map((each: { name: string }) => each.name)).toContain(name);
    expect(await stage.page.locator('svg.board .map text, svg.board .numbers text').count()).toBeGreaterThan(5);
    await map().selectOption('');
    await expect.poll(() => stage.page.locator('svg.board .map').count()).toBe(0);
  });

  it('goes through the maps by the key m, and not while something is typed', async () => {
    await stage.open('?log=1&node=1');
    await fold().waitFor();
    await stage.page.keyboard.press('m');
    await map().waitFor();
    const chosen = () => map().inputValue();
    expect(await chosen()).toBe('');
    const names = await map()
      .locator('option')
      .evaluateAll((options) => options.map((each) => (each as { value?: string }).value));
    for (const name of [...names.slice(1), '']) {
      await stage.page.keyboard.press('m');
      await expect.poll(chosen).toBe(name);
    }
    await stage.page.getByPlaceholder(/node number/).fill('m');
    expect(await chosen()).toBe('');
  });

  it('says why there is none', async () => {
    await stage.page.route(/api\/evaluation/, (route) =>
      route.fulfill({ status: 400, json: { error: { message: 'no <b>such</b> thing', place: 'node' } } }),
    );
    await stage.open('?log=1&node=1');
    await fold().getByText('Evaluation').click();
    await fold().getByRole('alert').getByText('no <b>such</b> thing').waitFor();
  });

  it('fits 390 pixels', async () => {
    await stage.page.setViewportSize({ width: 390, height: 844 });
    await stage.open('?panel=board&node=1');
    await fold().getByText('Evaluation').click();
    await terms().waitFor();
    expect(await stage.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});
