import { describe, expect, it } from 'vitest';
import {
  LanguageDetection,
  languageProbabilities,
} from '../../../../../electron/on-device/engine/whisper/language-detection.ts';

const heard = (en: number, de: number): ReadonlyMap<string, number> =>
  new Map([
    ['en', en],
    ['de', de],
  ]);

const continued = (sums: Readonly<Record<string, number>>): LanguageDetection =>
  new LanguageDetection(
    { windows: 5, sums },
    new Map([
      ['en', 1],
      ['zh', 2],
    ]),
  );

describe('the probabilities of languages', () => {
  it('depend only on the scores of languages', () => {
    const scores = Float32Array.of(50, 1, 2, 99);
    const languages = new Map([
      ['en', 1],
      ['de', 2],
    ]);
    const probabilities = languageProbabilities(scores, languages);
    expect(probabilities.get('de')).toBeCloseTo(Math.E / (1 + Math.E), 6);
    expect(probabilities.get('en')! + probabilities.get('de')!).toBeCloseTo(1, 6);
  });
});

describe('the language of a recording', () => {
  it('is unknown before the first window', () => {
    const detection = new LanguageDetection();
    expect(detection.language).toBeNull();
    expect(detection.isDecided).toBe(false);
  });

  it('is decided by the first window when it is certain', () => {
    const detection = new LanguageDetection();
    detection.addWindow(heard(0.95, 0.05));
    expect(detection).toMatchObject({ language: 'en', isDecided: true });
  });

  it('is decided by later windows when the first is uncertain', () => {
    const detection = new LanguageDetection();
    detection.addWindow(heard(0.55, 0.45));
    expect(detection).toMatchObject({ language: 'en', isDecided: false });
    detection.addWindow(heard(0.1, 0.9));
    expect(detection).toMatchObject({ language: 'de', isDecided: false });
  });

  it('is not one that a model lacks which continues the work of another', () => {
    const detection = continued({ zh: 3.1, yue: 1.7, en: 0.2 });
    expect(detection).toMatchObject({ language: 'zh', isDecided: true });
    expect(detection.snapshot).toEqual({ windows: 5, sums: { zh: 3.1, en: 0.2 } });
  });

  it('is detected again if it was one that the model lacks which continues', () => {
    const detection = continued({ en: 0.02, yue: 4.9, zh: 0.01 });
    expect(detection).toMatchObject({ language: null, isDecided: false });
    detection.addWindow(new Map([['zh', 0.9]]));
    expect(detection).toMatchObject({ language: 'zh', isDecided: true });
  });

  it('is decided after the last window in any case', () => {
    const detection = new LanguageDetection();
    for (let i = 0; i < 5; i++) detection.addWindow(heard(0.6, 0.4));
    expect(detection).toMatchObject({ language: 'en', isDecided: true });
  });
});
