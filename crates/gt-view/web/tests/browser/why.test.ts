// Why a line was played or not, beside the board.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage({}, (folder) => [folder.search('chess.gtf', ['chess', '--depth', '4'])]);

const fold = () => stage.page.locator('aside details:not(.evaluation)');
const plies = () => fold().getByLabel('the line, ply by ply').locator('.ply button');

describe('why', () => {
  it('is asked when it is opened, and follows the chosen node', async () => {
    let asked = 0;
    stage.page.on('request', (request) => void (asked += Number(request.url().includes('/api/why'))));
    await stage.open('?node=2');
    await expect.poll(async () => (await stage.crumbs()).length).toBeGreaterThan(1);
    expect(asked).toBe(0);
    await fold().getByText('Why').click();
    await expect.poll(async () => ['root', ...(await plies().allTextContents())]).toEqual(await stage.crumbs());
    const before = await stage.crumbs();
    await expect.poll(() => fold().locator('.verdict').textContent()).toMatch(/\w+.*\./);
    // A ply leads to its node.
    await plies().first().click();
    await expect.poll(async () => (await stage.crumbs()).length).toBe(2);
    expect((await stage.crumbs())[1]).toBe(before[1]);
    await expect.poll(() => plies().allTextContents()).toEqual([before[1]]);
    // It stays open when the page is loaded again.
    await stage.page.reload();
    await expect.poll(() => plies().count()).toBe(1);
    expect(await stage.page.getByLabel('the line in each iteration').locator('tbody tr').count()).toBe(4);
  });

  it('says the same as the server, at the root about the move that was played', async () => {
    await stage.open();
    await fold().getByText('Why').click();
    const tree = await stage.page.getByLabel('tree', { exact: true }).inputValue();
    const { explanation } = await (await fetch(`${stage.address}api/why?tree=${tree}`)).json();
    await expect.poll(() => fold().locator('.verdict').textContent()).toBe(explanation.verdict);
    expect(await plies().allTextContents()).toEqual([explanation.line[0].move]);
  });

  it('writes moves as players do where the page does', async () => {
    await stage.open('?node=3&san');
    await fold().getByText('Why').click();
    await expect.poll(async () => ['root', ...(await plies().allTextContents())]).toEqual(await stage.crumbs());
    const told = fold().filter({ hasText: 'Why' });
    const written = await told.innerText();
    // The switch asks again.
    await stage.page.getByRole('button', { name: 'SAN' }).click();
    await expect.poll(() => plies().first().textContent()).toMatch(/^[a-h][1-8][a-h][1-8]$/);
    await expect.poll(async () => ['root', ...(await plies().allTextContents())]).toEqual(await stage.crumbs());
    expect(written).not.toMatch(/[a-h][1-8][a-h][1-8]/);
    expect(await told.innerText()).toMatch(/best reply [a-h][1-8][a-h][1-8]/);
  });

  it('is given up for the next node', async () => {
    // The first answer never comes.
    let held = 0;
    await stage.page.route(/api\/why.*node=1(&|$)/, () => void held++);
    await stage.open('?node=1');
    await fold().getByText('Why').click();
    await expect.poll(() => held).toBe(1);
    await fold().getByText('Looking').waitFor();
    await stage.page.getByRole('button', { name: 'parent' }).click();
    await expect.poll(() => fold().locator('.verdict').count()).toBe(1);
  });

  it('says why there is no explanation', async () => {
    await stage.page.route(/api\/why/, (route) =>
      route.fulfill({ status: 400, json: { error: { message: 'the line is <b>too</b> long', place: 'node' } } }),
    );
    await stage.open('?node=1');
    await fold().getByText('Why').click();
    await fold().getByRole('alert').getByText('the line is <b>too</b> long').waitFor();
  });

  it('is read at 390 pixels', async () => {
    await stage.page.setViewportSize({ width: 390, height: 844 });
    await stage.open('?panel=board&node=3');
    await fold().getByText('Why').click();
    await fold().locator('.verdict').waitFor();
    expect(await stage.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const cut =
      'Math.max(...[...document.querySelectorAll("aside details:not(.evaluation) td:not(.line)")].map((cell) => cell.scrollWidth - cell.clientWidth))';
    expect(await stage.page.evaluate(cut)).toBeLessThanOrEqual(0);
  });
});
