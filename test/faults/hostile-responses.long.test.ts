import { expect, it } from 'vitest';
import { groups, meetHostileResponses } from './hostile-kit.ts';

it.each(groups)(
  'odd responses concern only their own item ($index)',
  async ({ cases, upload }) => {
    expect(await meetHostileResponses(cases, upload)).toEqual([]);
  },
  120_000,
);
