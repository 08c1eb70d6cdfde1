import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../../../../electron/core/queue/scheduling/group-commit.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';

const running = (): AbortSignal => new AbortController().signal;

/** A log of the commits of a fake database, each with the work that it contains. */
function openLog() {
  const clock = new ManualClock();
  const commits: string[][] = [];
  let open: string[] | null = null;
  const errors: unknown[] = [];
  let spentMs = 0;
  const commit = new GroupCommit({
    clock: { now: () => clock.now() + spentMs, schedule: clock.schedule.bind(clock) },
    transaction(work) {
      open = [];
      work();
      commits.push(open);
    },
    onError: (error) => errors.push(error),
  });
  const write = (name: string) => (): string => {
    open?.push(name);
    return name;
  };
  const writeSlowly = (name: string) => (): string => {
    spentMs += 10;
    return write(name)();
  };
  return { clock, commits, commit, write, writeSlowly, errors };
}

describe('GroupCommit', () => {
  it('groups work that arrives at the same time into one commit, in order', async () => {
    const { clock, commits, commit, write } = openLog();
    const results = Promise.all(['a', 'b', 'c'].map((name) => commit.run(write(name), running())));
    expect(commits).toEqual([]);
    clock.advance(1);
    expect(await results).toEqual(['a', 'b', 'c']);
    expect(commits).toEqual([['a', 'b', 'c']]);
  });

  it('resolves only after the commit', async () => {
    const { clock, commit, write } = openLog();
    let resolved = false;
    const result = commit.run(write('a'), running()).then(() => (resolved = true));
    await Promise.resolve();
    expect(resolved).toBe(false);
    clock.advance(1);
    await result;
    expect(resolved).toBe(true);
  });

  it('skips work that was aborted before the commit', async () => {
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

  it('commits the rest when one entry cannot be stored', async () => {
    const { clock, commits, commit, write, errors } = openLog();
    const first = commit.run(write('a'), running());
    const broken = commit.run(() => {
      throw new Error('no room');
    }, running());
    const last = commit.run(write('c'), running());
    const outcomes = Promise.allSettled([broken]);
    clock.advance(1);
    expect(errors).toEqual([new Error('no room')]);
    expect(await outcomes).toEqual([{ status: 'rejected', reason: new Error('no room') }]);
    expect(await first).toBe('a');
    expect(await last).toBe('c');
    expect(commits).toEqual([['a'], ['c']]);
  });

  it('splits a commit that takes too long', async () => {
    const { clock, commits, commit, writeSlowly } = openLog();
    const results = Promise.all(['a', 'b'].map((name) => commit.run(writeSlowly(name), running())));
    clock.advance(1);
    expect(await results).toEqual(['a', 'b']);
    expect(commits).toEqual([['a'], ['b']]);
  });

  it('flushes and drops pending work at once', async () => {
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
