import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { windowLanguages } from '../../electron/contract/languages.ts';
import { i18n, loadTexts } from '../../renderer/i18n.ts';
import { cachedTexts } from '../../renderer/ui/text/use-cached-texts.ts';

beforeAll(async () => {
  for (const language of windowLanguages) await loadTexts(language);
});

const anyName = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('{{name}}', '$t(queue.title)', '<b>', '$&', ''),
);

test.each(windowLanguages)('cached texts in %s equal those of the window', (language) => {
  const t = i18n.getFixedT(language);
  const words = cachedTexts(t);
  fc.assert(
    fc.property(anyName, anyName, fc.nat(), (name, action, count) => {
      expect(words('list.unknown')).toBe(t('list.unknown'));
      for (const key of ['list.moreActions', 'library.select', 'addSheet.include'] as const)
        expect(words(key, { name })).toBe(t(key, { name }));
      expect(words('list.actionOn', { action, name })).toBe(t('list.actionOn', { action, name }));
      expect(words('row.queuePosition', { count, ordinal: true })).toBe(
        t('row.queuePosition', { count, ordinal: true }),
      );
      expect(words('unit.words', { count })).toBe(t('unit.words', { count }));
    }),
  );
});

test('a language has a single cache', () => {
  const t = i18n.getFixedT('en');
  expect(cachedTexts(t)).toBe(cachedTexts(t));
});
