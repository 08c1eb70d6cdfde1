import { parseArgs } from 'node:util';
import { Api } from '../support/api.ts';
import type { Check } from './check.ts';
import { checks } from './checks.ts';

/**
 * Holds any service against the API's document: `run.ts --base URL --key KEY [--create] [--pay]`.
 *
 * By itself it only asks questions that cost nothing and leave nothing behind. `--create` adds the checks that make
 * jobs and delete them before anything is charged; `--pay` adds those that have a second of sound transcribed.
 */
const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    key: { type: 'string' },
    create: { type: 'boolean', default: false },
    pay: { type: 'boolean', default: false },
  },
});
const { base, key = process.env['LONGHAND_API_KEY'], create, pay } = values;

if (base === undefined || key === undefined) {
  console.error('Usage: --base URL --key KEY [--create] [--pay]; LONGHAND_API_KEY may give the key.');
  process.exitCode = 2;
} else {
  process.exitCode = (await holdAgainst(new Api({ baseUrl: base, key }, null))) ? 0 : 1;
}

async function holdAgainst(api: Api): Promise<boolean> {
  const wanted = checks.filter(isWanted);
  let failed = 0;
  for (const check of wanted) {
    const reason = await check.run(api).then(() => null, String);
    console.log(`${reason === null ? 'ok    ' : 'not ok'} part ${check.part}: ${check.rule}`);
    if (reason === null) continue;
    failed++;
    console.log(`       ${reason.replaceAll('\n', '\n       ')}`);
  }
  console.log(`${wanted.length - failed} kept, ${failed} broken, ${checks.length - wanted.length} not tried`);
  return failed === 0;
}

function isWanted({ cost }: Check): boolean {
  return cost === 'free' || (cost === 'creates' ? create || pay : pay);
}
