import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../../../../electron/core/queue/scheduling/group-commit.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';

const running = (): AbortSignal => new AbortController().signal;

/** A log of what a database would have done: each commit with the works that it kept. */
function openLog() {
  const clock = new ManualClock();
  const commits: string[][] = [];
  let open: string[] | null = null;
  const troubles: unknown[] = [];
  let spentMs = 0;
  const commit = new GroupCommit({
    clock: { now: () => clock.now() + spentMs, schedule: clock.schedule.bind(clock) },
    transaction(work) {
      open = [];
      work();
      commits.push(open);
    },
    onError: (error) => troubles.push(error),
  });
  const write = (name: string) => (): string => {
    open?.push(name);
    return name;
  };
  const writeSlowly = (name: string) => (): string => {
    spentMs += 10;
    return write(name)();
  };
  return { clock, commits, commit, write, writeSlowly, troubles };
}

describe('GroupCommit', () => {
  it('commits together what comes at the same time, in the order of asking', async () => {
    const { clock, commits, commit, write } = openLog();
    const results = Promise.all(['a', 'b', 'c'].map((name) => commit.run(write(name), running())));
    expect(commits).toEqual([]);
    clock.advance(1);
    expect(await results).toEqual(['a', 'b', 'c']);
    expect(commits).toEqual([['a', 'b', 'c']]);
  });

  it('tells nobody before the commit is there', async () => {
    const { clock, commit, write } = openLog();
    let told = false;
    const result = commit.run(write('a'), running()).then(() => (told = true));
    await Promise.resolve();
    expect(told).toBe(false);
    clock.advance(1);
    await result;
    expect(told).toBe(true);
  });

  it('leaves out what was called off before its turn', async () => {
    const { clock, commits, commit, write } = openLog();
    const abort = new AbortController();
    const dropped = commit.run(write('a'), abort.signal);
    const kept = commit.run(write('b'), running());
    abort.abort();
    clock.advance(1);
    expect(await dropped).toBe(null);
    expect(await kept).toBe('b');
    expect(commits).toEqual([['b']]);
  });

  it('keeps the others when one cannot be stored', async () => {
    const { clock, commits, commit, write, troubles } = openLog();
    const first = commit.run(write('a'), running());
    const broken = commit.run(() => {
      throw new Error('no room');
    }, running());
    const last = commit.run(write('c'), running());
    const outcomes = Promise.allSettled([broken]);
    clock.advance(1);
    expect(troubles).toEqual([new Error('no room')]);
    expect(await outcomes).toEqual([{ status: 'rejected', reason: new Error('no room') }]);
    expect(await first).toBe('a');
    expect(await last).toBe('c');
    expect(commits).toEqual([['a'], ['c']]);
  });

  it('gives other work a turn when a commit takes long', async () => {
    const { clock, commits, commit, writeSlowly } = openLog();
    const results = Promise.all(['a', 'b'].map((name) => commit.run(writeSlowly(name), running())));
    clock.advance(1);
    expect(await results).toEqual(['a', 'b']);
    expect(commits).toEqual([['a'], ['b']]);
  });

  it('flushes at once, and drops what it is told to', async () => {
    const { commits, commit, write } = openLog();
    const flushed = commit.run(write('a'), running());
    commit.flush();
    expect(await flushed).toBe('a');
    const dropped = commit.run(write('b'), running());
    commit.drop();
    expect(await dropped).toBe(null);
    expect(commits).toEqual([['a']]);
  });
});
