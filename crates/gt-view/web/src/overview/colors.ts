// Colours that are told apart without colour vision: all scales rise in lightness, or differ in it on both sides of
// the middle, and categories carry letters as well.

export type Rgb = readonly [number, number, number];
export type Theme = 'light' | 'dark';

/** Orange below, blue above, the page's own tone between. */
const DIVERGING: Record<Theme, readonly string[]> = {
  light: ['#8a3b00', '#c9660a', '#f0a860', '#f3ede4', '#8dbce6', '#2f7fc4', '#0b3f7d'],
  dark: ['#ffc078', '#e8892b', '#9c5a1c', '#343b46', '#2c679f', '#4f9fe6', '#a8d6ff'],
};

/** Dark violet to yellow, lightness rising evenly. */
const SEQUENTIAL = ['#33205c', '#3a4a8c', '#2a7590', '#219c83', '#68bd5b', '#c2d243', '#f7e35a'];

/** Eight tones of distinct lightness; more categories share them and differ by their letters. */
const CATEGORIES: Record<Theme, readonly string[]> = {
  light: ['#2b7fc0', '#e8a33d', '#1f9a7a', '#d9cf3c', '#6b6fb5', '#7cc3ec', '#c4501a', '#dc9cc2'],
  dark: ['#3f8fd2', '#e8a33d', '#2aa585', '#d9cf4a', '#8084cc', '#8accf0', '#d8632a', '#e3a9cb'],
};

/** Of two merged trees: the same in both, changed, only in A, only in B. Tones and lightness differ, and each but the first has a pattern. */
export const DIFFERENCES: Record<Theme, readonly string[]> = {
  light: ['#dfe3e8', '#f2cf3a', '#d5600f', '#1f5fae'],
  dark: ['#39424e', '#f7e27a', '#d4600f', '#5aa9f0'],
};

/** A rectangle without a value. */
export const UNKNOWN: Record<Theme, string> = { light: '#d5d9df', dark: '#454c58' };

const STEPS = 256;

/** `STEPS` colours from one end of a scale to the other. */
export function ramp(kind: 'diverging' | 'sequential', theme: Theme): string[] {
  const stops = (kind === 'diverging' ? DIVERGING[theme] : SEQUENTIAL).map(parse);
  return Array.from({ length: STEPS }, (_, step) => hex(between(stops, step / (STEPS - 1))));
}

export function category(index: number, theme: Theme): string {
  const tones = CATEGORIES[theme];
  return tones[index % tones.length] as string;
}

/** Black or white, whichever is read more easily on this colour. */
export function inkOn(color: string): string {
  return luminance(parse(color)) > 0.3 ? '#10151c' : '#ffffff';
}

/** Relative luminance as WCAG defines it, from 0 to 1. */
export function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
}

export function parse(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function hex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function between(stops: readonly Rgb[], share: number): Rgb {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const index = Math.min(Math.floor(place), stops.length - 2);
  const [from, to] = [stops[index] as Rgb, stops[index + 1] as Rgb];
  const mix = (part: 0 | 1 | 2) => from[part] + (to[part] - from[part]) * (place - index);
  return [mix(0), mix(1), mix(2)];
}
