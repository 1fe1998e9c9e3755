// What axe-core finds: nothing, in any view, narrow or wide, light or dark. In the dark only the colours differ.

import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { setStage } from './stage';

const stage = setStage();

/** Each view with what shows that it is there. */
const VIEWS: [search: string, shown: string][] = [
  ['', 'text=/rectangles for/'],
  ['?after=200&node=199', 'text=/searching/'],
  ['?view=treemap&color=type', 'text=/rectangles for/'],
  ['?view=explorer', '[role=treegrid] .row'],
  ['?view=charts', '.card svg[role=application]'],
];

/** Looking at five views takes a while on a busy machine. */
const ALL_VIEWS_MS = 240_000;

describe('accessibility', () => {
  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(
        `has no violations, ${width} pixels wide, ${colorScheme}`,
        async () => {
          await stage.page.setViewportSize({ width, height: 800 });
          await stage.page.emulateMedia({ colorScheme });
          const told: string[] = [];
          for (const [search, shown] of VIEWS) {
            await stage.open(search);
            await stage.page.locator(shown).first().waitFor();
            // What passes is not listed: to name each of its elements takes longer than to check them.
            const axe = new AxeBuilder({ page: stage.page }).options({ resultTypes: ['violations'] });
            if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
            const { violations } = await axe.analyze();
            told.push(...violations.map(({ id, nodes }) => `${search} ${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`));
          }
          expect(told).toEqual([]);
        },
        ALL_VIEWS_MS,
      );
    }
  }

  it('lets everything be reached with the keyboard alone', async () => {
    await stage.open();
    await stage.pictureShown();
    const wanted = ['colour by', 'nodes searched', 'play the search', 'height of the query', 'first child'];
    const names = new Set<string>();
    for (let step = 0; step < 200 && !wanted.every((name) => names.has(name)); step++) {
      await stage.page.keyboard.press('Tab');
      names.add(
        await stage.page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '',
        ),
      );
    }
    expect([...names]).toEqual(expect.arrayContaining(wanted));
    expect([...names].some((name) => name.startsWith('icicle of the tree'))).toBe(true);
  });
});
