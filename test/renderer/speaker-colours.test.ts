import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

type Colour = readonly [red: number, green: number, blue: number];

const tokens = readFileSync(resolve(import.meta.dirname, '../../renderer/styles/tokens.css'), 'utf8');

/** Returns a token of a theme as linear light. */
function token(name: string, theme: 'light' | 'dark'): Colour {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(tokens) ?? [];
  const value = Number.parseInt((theme === 'light' ? light : dark) ?? '', 16);
  const linear = (shift: number): number => {
    const part = ((value >> shift) & 255) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [linear(16), linear(8), linear(0)];
}

const times = (rows: readonly Colour[], [red, green, blue]: Colour): Colour =>
  rows.map(([r, g, b]) => Math.max(0, r * red + g * green + b * blue)) as unknown as Colour;

/** WCAG 2.2, relative luminance and contrast ratio. */
const luminance = ([red, green, blue]: Colour): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** How colours look without red, green or blue cones: Machado, Oliveira and Fernandes 2009, severity 1. */
const visionMatrices: Readonly<Record<string, readonly Colour[]>> = {
  'normal vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Converts a colour to OKLab, in which distances match perception. */
function toOklab(colour: Colour): Colour {
  const [long, middle, short] = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    colour,
  ).map(Math.cbrt) as unknown as Colour;
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}

describe.each(['light', 'dark'] as const)('the colours of speakers, %s', (theme) => {
  const speakers = Array.from({ length: 9 }, (_, index) => token(`speaker-${index + 1}`, theme));

  test('are readable on every background of a segment', () => {
    const backgrounds = ['paper', 'playing', 'warn-soft'].map((name) => token(name, theme));
    const ratios = speakers.flatMap((speaker) =>
      backgrounds.map((background) => contrast(speaker, background)),
    );
    // WCAG 2.2, success criterion 1.4.3.
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5);
  });

  // Two colours that are hard to distinguish are about 0.02 apart.
  test.each([
    ['normal vision', 0.09],
    ['protanopia', 0.04],
    ['deuteranopia', 0.04],
    ['tritanopia', 0.04],
  ] as const)('can be distinguished with %s', (vision, minDistance) => {
    const labColours = speakers.map((speaker) => toOklab(times(visionMatrices[vision] ?? [], speaker)));
    const distances = labColours.flatMap((one, at) =>
      labColours.slice(at + 1).map((other) => Math.hypot(...minus(one, other))),
    );
    expect(distances).toHaveLength(36);
    expect(Math.min(...distances)).toBeGreaterThan(minDistance);
  });
});

const minus = (one: Colour, other: Colour): Colour => [
  one[0] - other[0],
  one[1] - other[1],
  one[2] - other[2],
];
