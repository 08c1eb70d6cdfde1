import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, setGlobalDispatcher } from 'undici';
import {
  Api,
  codeOf,
  UndescribedResponseError,
  type Reply,
  type Sending,
  type Target,
} from '../support/api.ts';
import type { WireJob } from '../support/document.ts';
import { InconclusiveError, type Check } from './check.ts';
import { checkGroups, checks } from './checks.ts';
import { lineOf, summaryOf, type Finding } from './report.ts';

/**
 * Checks any service against the API's document: `npm run conformance -- --base URL --key KEY [--create] [--pay]`.
 *
 * By default it only reads: nothing is created or charged. `--create` adds the checks that create jobs and delete them
 * before anything is charged, `--pay` also those that transcribe a second of audio. If the service has an
 * `/openapi.json`, each response is checked against that as well.
 *
 * Exits with 0 when no check fails, 1 when one does, 2 when the service could not be checked: wrong arguments,
 * an unreachable service, a rejected key.
 */

const usage = `Checks whether a service follows the API.

  npm run conformance -- --base URL --key KEY [--create] [--pay]

  --base URL   the service's base address, such as https://api.example.com
  --key KEY    a key of the account; or set LONGHAND_API_KEY
  --create     also creates jobs, and deletes each before anything is charged
  --pay        also transcribes recordings of a second or two: at most 5 credits
  --help       shows this help

Without --create and --pay it only reads.`;

const maxWaitSeconds = 60;
const maxWaits = 5;
/** Enough to transcribe a second of audio, even with a long queue. */
const maxWorkMinutes = 15;
/** Time limit of a request. */
const maxSilenceMs = 60_000;

/** A client that waits and retries as a busy service asks, up to a limit. */
class PatientApi extends Api {
  override async until(id: string, ...statuses: readonly string[]): Promise<WireJob> {
    const timeout = sleep(maxWorkMinutes * 60_000, null, { ref: false }).then((): never => {
      throw new InconclusiveError(`a job was not done within ${maxWorkMinutes} minutes`);
    });
    return Promise.race([super.until(id, ...statuses), timeout]);
  }

  override async send(method: string, path: string, sending?: Sending): Promise<Reply> {
    for (let waits = 0; ; waits++) {
      const reply = await super.send(method, path, sending);
      if (codeOf(reply) !== 'rate_limited' || waits === maxWaits) return reply;
      const seconds = Math.min(maxWaitSeconds, Number(reply.header('retry-after') ?? 5) || 5);
      console.log(`  (asked to slow down: waiting for ${seconds} s)`);
      await sleep(seconds * 1000);
    }
  }
}

interface RunOptions {
  readonly target: Target;
  readonly create: boolean;
  readonly pay: boolean;
}

/**
 * Parses the arguments; `null` for help.
 *
 * @throws Error with a message for invalid arguments.
 */
function parseOptions(args: readonly string[]): RunOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      base: { type: 'string' },
      key: { type: 'string' },
      create: { type: 'boolean', default: false },
      pay: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { base, key = process.env['LONGHAND_API_KEY'], create, pay, help } = values;
  if (help) return null;
  if (base === undefined) throw new Error('Name the service with --base.');
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    throw new Error(`“${base}” is not the address of a service.`);
  }
  if (key === undefined || key === '') throw new Error('Give a key with --key or LONGHAND_API_KEY.');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('The key has characters that no request can carry.');
  return { target: { baseUrl: base.replace(/\/+$/, ''), key }, create: create || pay, pay };
}

/** Returns why the service cannot be checked at all; `null` if it can. */
async function findObstacle(api: Api): Promise<string | null> {
  try {
    const reply = await api.list();
    if (reply.status === 200) return null;
    if (reply.status === 401) return 'The service refuses this key (401).';
    return `The service answers ${reply.status} where its records should be. Is the base address right?`;
  } catch (error) {
    if (error instanceof UndescribedResponseError) return null;
    const reason = error instanceof Error ? error.message : String(error);
    return `Nobody answers at ${api.target.baseUrl}: ${reason}`;
  }
}

async function tryCheck(check: Check, api: Api): Promise<Finding> {
  try {
    await check.run(api);
    return { check, outcome: 'passed', reason: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { check, outcome: error instanceof InconclusiveError ? 'inconclusive' : 'failed', reason };
  }
}

/** Runs the checks one after the other and prints each. Ends early once `stop` is aborted. */
async function runChecks(api: Api, { create, pay }: RunOptions, stop: AbortSignal): Promise<boolean> {
  const isWanted = ({ cost }: Check): boolean =>
    cost === 'free' || (cost === 'creates' && create) || (cost === 'pays' && pay);
  const findings: Finding[] = [];
  for (const { title, checks: all } of checkGroups) {
    const wanted = all.filter(isWanted);
    if (wanted.length > 0 && !stop.aborted) console.log(`\n${title}`);
    for (const check of wanted) {
      if (stop.aborted) break;
      const finding = await tryCheck(check, api);
      findings.push(finding);
      console.log(lineOf(finding));
    }
  }
  const checked = new Set(findings.map(({ check }) => check));
  const unchecked = checks.filter((check) => !checked.has(check));
  console.log(`\n${summaryOf(findings, unchecked)}`);
  return findings.every(({ outcome }) => outcome !== 'failed') && !stop.aborted;
}

async function main(): Promise<number> {
  let options: RunOptions | null;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  if (options === null) {
    console.log(usage);
    return 0;
  }
  const { target, create, pay } = options;
  const effects = pay
    ? 'Jobs are made and deleted, and 5 credits at most are spent.'
    : create
      ? 'Jobs are made and deleted; nothing is charged.'
      : 'Only reading: nothing is made or charged.';
  console.log(`${target.baseUrl}\n${effects} In brackets: the parts of the interface’s document.`);
  setGlobalDispatcher(new Agent({ headersTimeout: maxSilenceMs, bodyTimeout: maxSilenceMs }));
  const api = new PatientApi(target, null);
  const obstacle = await findObstacle(api);
  if (obstacle !== null) {
    console.error(obstacle);
    return 2;
  }
  const isDescribed = (await api.description()) !== null;
  console.log(
    isDescribed
      ? 'Each response is also checked against the service’s /openapi.json.'
      : 'The service has no description; its responses are only checked against the document.',
  );
  // The current check still deletes its jobs.
  const stop = new AbortController();
  process.once('SIGINT', () => {
    console.log('Stopping after this check.');
    stop.abort();
  });
  return (await runChecks(api, options, stop.signal)) ? 0 : 1;
}

process.exitCode = await main();
