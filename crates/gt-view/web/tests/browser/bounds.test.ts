// Values that are bounds, wherever a value is shown.

import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

/** A child of the root whose value is a bound of this kind. */
async function childWith(bound: 'lower' | 'upper' | 'exact'): Promise<{ node: number; best: number }> {
  const { logs } = await (await fetch(`${stage.address}api/logs`)).json();
  const { tree } = logs[0].trees.at(-1);
  for (let node = 0; node < 200; node++) {
    const { children } = await (await fetch(`${stage.address}api/children?tree=${tree}&node=${node}`)).json();
    const found = children.find((child: { bound: string }) => child.bound === bound);
    if (found) return { node: found.node, best: found.attributes.best };
  }
  throw new Error(`no node with a bound that is ${bound}`);
}

describe('bounds', () => {
  it.each([
    ['lower', '≥ '],
    ['upper', '≤ '],
    ['exact', ''],
  ] as const)('that are %s are shown with %j', async (bound, sign) => {
    const { node, best } = await childWith(bound);
    await stage.open(`?view=explorer&node=${node}`);
    const text = sign + best.toLocaleString('en-US');
    await stage.page.locator(`#row-${node}`).getByText(text, { exact: true }).first().waitFor();
    await stage.page.locator('aside dd').getByText(text, { exact: true }).first().waitFor();
    await stage.typeQuery(`node: node_id = ${node} select best`);
    await stage.page.keyboard.press('Control+Enter');
    await stage.page.getByRole('table', { name: 'matches' }).getByText(text, { exact: true }).waitFor();
  });

  it('are hatched where the picture shows values, and the legend says so', async () => {
    await stage.open('?color=best');
    await stage.pictureShown();
    const legend = stage.page.getByLabel('legend');
    await legend.getByText('≥ at least').waitFor();
    await legend.getByText('≤ at most').waitFor();
    await stage.page.getByLabel('colour by').selectOption('@height');
    await expect.poll(() => legend.textContent()).toContain('@height');
    await expect.poll(() => legend.getByText('≥ at least').count()).toBe(0);
  });

  it('are named by the arrows of the board', async () => {
    await stage.open('?node=1');
    const arrow = stage.page.locator('svg.board .arrow').first();
    await arrow.waitFor();
    expect(await arrow.getAttribute('aria-label')).toMatch(/nodes, best (≥ |≤ )?-?[\d,]+$/);
  });
});
