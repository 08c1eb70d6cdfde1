import { expect, it } from 'vitest';
import {
  InFlightRequests,
  type InFlightRequest,
} from '../../../../../electron/core/queue/scheduling/in-flight-requests.ts';

const request = (service: string, kind: InFlightRequest['kind']): InFlightRequest => ({
  service,
  kind,
  purpose: 'continue',
  controller: new AbortController(),
});

/** Two uploads and a poll to one service, a poll to another. */
function someRequests() {
  const all = new Map([
    [1, request('on-device', 'upload')],
    [2, request('on-device', 'upload')],
    [3, request('on-device', 'poll')],
    [4, request('https://cloud.example', 'poll')],
  ]);
  const inFlight = new InFlightRequests();
  for (const [id, one] of all) inFlight.add(id, one, 0);
  const aborted = () => [...all].flatMap(([id, { controller }]) => (controller.signal.aborted ? [id] : []));
  return { inFlight, all, aborted };
}

it('counts the requests to a service, of one kind or of both', () => {
  const { inFlight } = someRequests();
  expect(inFlight.size).toBe(4);
  expect(inFlight.count('on-device')).toBe(3);
  expect(inFlight.count('on-device', 'upload')).toBe(2);
  expect(inFlight.count('on-device', 'poll')).toBe(1);
  expect(inFlight.count('https://cloud.example', 'upload')).toBe(0);
});

it('forgets a request that has ended', () => {
  const { inFlight } = someRequests();
  inFlight.delete(2);
  expect(inFlight.has(1)).toBe(true);
  expect(inFlight.has(2)).toBe(false);
  expect(inFlight.count('on-device')).toBe(2);
});

it('aborts the request of one item, and ignores items without one', () => {
  const { inFlight, all, aborted } = someRequests();
  inFlight.abort(2, 'paused');
  inFlight.abort(77, 'paused');
  expect(aborted()).toEqual([2]);
  expect(all.get(2)?.controller.signal.reason).toEqual(new Error('paused'));
});

it.each([
  [{}, [1, 2, 3, 4]],
  [{ service: 'on-device' }, [1, 2, 3]],
  [{ kind: 'poll' }, [3, 4]],
  [{ service: 'on-device', kind: 'poll' }, [3]],
] as const)('aborts all requests of %j', (which, ids) => {
  const { inFlight, all, aborted } = someRequests();
  inFlight.abortAll('the program ends', which);
  expect(aborted()).toEqual(ids);
  expect(all.get(3)?.controller.signal.reason).toEqual(
    aborted().includes(3) ? new Error('the program ends') : undefined,
  );
});
