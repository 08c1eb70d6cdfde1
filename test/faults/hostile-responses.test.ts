import { expect, it } from 'vitest';
import { groups, hostileCases, meetHostileResponses } from './hostile-kit.ts';

it('there are ten thousand odd responses', () => {
  expect(hostileCases.length).toBeGreaterThan(10_000);
});

it('a Location that cannot be decoded concerns only its own item', async () => {
  const odd = '/api/v1/transcriptions/%zz';
  const oddLocations = hostileCases.filter(
    (one) => one.endpoint === 'create' && one.which === 0 && one.odd === odd,
  );
  expect(oddLocations).toHaveLength(1);
  expect(await meetHostileResponses(oddLocations, 'alone')).toEqual([]);
});

it.each(groups.slice(0, 5))(
  'odd responses concern only their own item ($index)',
  async ({ cases, upload }) => {
    expect(await meetHostileResponses(cases, upload)).toEqual([]);
  },
  120_000,
);
