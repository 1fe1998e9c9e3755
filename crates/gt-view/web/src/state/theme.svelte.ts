// Light or dark: as the system has it, until the reader says otherwise.

import type { Theme } from '../overview/colors';

const KEY = 'gt-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

class ThemeChoice {
  #chosen = $state<Theme | null>(stored());
  #system = $state<Theme>(system.matches ? 'dark' : 'light');
  readonly current: Theme = $derived(this.#chosen ?? this.#system);

  constructor() {
    system.addEventListener('change', (event) => (this.#system = event.matches ? 'dark' : 'light'));
  }

  toggle(): void {
    this.#chosen = this.current === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, this.#chosen);
    } catch {
      // Without storage the choice holds until the page is left.
    }
  }
}

function stored(): Theme | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === 'light' || theme === 'dark' ? theme : null;
  } catch {
    return null;
  }
}

export const theme = new ThemeChoice();
