import { beforeEach, describe, expect, it } from 'vitest';
import type { ServiceCondition } from '../../../../electron/contract/service.ts';
import { Translator } from '../../../../electron/core/translator.ts';
import {
  ActivityTracker,
  notificationText,
  type Activity,
  type SystemNotification,
} from '../../../../electron/shell/presence/activity.ts';

const ready: ServiceCondition = { kind: 'ready' };
const noKey: ServiceCondition = { kind: 'stopped', problem: { code: 'invalid_api_key' } };

let watch: ActivityTracker;
let shown: SystemNotification[];

beforeEach(() => {
  watch = new ActivityTracker();
  shown = [];
});

interface Counts {
  readonly working?: number;
  readonly waiting?: number;
  readonly attention?: number;
  readonly done?: number;
}

function look(given: Counts, condition = ready, paused = false): Activity {
  const counts = { working: 0, waiting: 0, attention: 0, done: 0, cancelled: 0, all: 0, ...given };
  const { activity, notifications } = watch.update({ counts, paused }, condition);
  shown.push(...notifications);
  return activity;
}

describe('the text of a notification', () => {
  const problem = { code: 'disk_full' } as const;

  it.each([
    ['en', 'The disk is full', 'Free up some space, then retry.'],
    ['de', 'Der Datenträger ist voll', 'Geben Sie Speicherplatz frei und versuchen Sie es erneut.'],
    ['es', 'El disco está lleno', 'Libere espacio y reintente.'],
  ] as const)('names why nothing continues, and what to do, in %s', async (language, title, body) => {
    const translator = await Translator.load(language);
    expect(notificationText({ kind: 'stopped', problem }, translator)).toEqual({ title, body });
  });
});

describe('notices', () => {
  it('are one for a batch of forty, at its end', () => {
    look({});
    look({ waiting: 40 });
    for (let done = 0; done < 40; done += 1) look({ working: 1, waiting: 39 - done, done });
    expect(shown).toEqual([]);
    look({ done: 40 });
    look({ done: 40 });
    expect(shown).toEqual([{ kind: 'batch-ended', done: 40, attention: 0 }]);
  });

  it('report recordings that need the user once, and count them again at the end', () => {
    look({ working: 2, waiting: 8 });
    look({ working: 2, waiting: 7, attention: 1 });
    look({ working: 2, waiting: 5, attention: 3 });
    expect(shown).toEqual([{ kind: 'attention', attention: 1 }]);
    look({ attention: 3, done: 7 });
    expect(shown).toEqual([
      { kind: 'attention', attention: 1 },
      { kind: 'batch-ended', done: 7, attention: 3 },
    ]);
  });

  it('report once why everything has stopped, until it continues', () => {
    look({ waiting: 3 });
    look({ waiting: 3 }, noKey);
    look({ waiting: 3 }, noKey);
    expect(shown).toEqual([{ kind: 'stopped', problem: { code: 'invalid_api_key' } }]);
    look({ working: 1, waiting: 2 });
    look({ waiting: 3 }, noKey);
    expect(shown).toHaveLength(2);
  });

  it('are none while there is no work', () => {
    look({}, noKey);
    look({ done: 5, attention: 2 }, noKey);
    expect(shown).toEqual([]);
  });

  it('ignore what an earlier run finished, and a batch that was removed', () => {
    look({ done: 12, waiting: 4 });
    look({ done: 12 });
    expect(shown).toEqual([]);
    look({ done: 0 });
    look({ done: 0, waiting: 1 });
    look({ done: 1 });
    expect(shown).toEqual([{ kind: 'batch-ended', done: 1, attention: 0 }]);
  });

  it('count each batch separately', () => {
    look({ waiting: 2 });
    look({ done: 2 });
    look({ done: 2, waiting: 3 });
    look({ done: 5 });
    expect(shown.map((one) => one.kind === 'batch-ended' && one.done)).toEqual([2, 3]);
  });
});

describe('activity', () => {
  it('has progress during a batch', () => {
    expect(look({}).progress).toBeNull();
    expect(look({ working: 1, waiting: 3 }).progress).toBe(0);
    expect(look({ working: 1, waiting: 2, done: 1 }).progress).toBe(0.25);
    expect(look({ done: 4 }).progress).toBeNull();
  });

  it('keeps the computer awake only for work', () => {
    expect(look({ working: 1 }).isBusy).toBe(true);
    expect(look({ waiting: 1 }).isBusy).toBe(true);
    expect(look({ waiting: 1 }, ready, true).isBusy).toBe(false);
    expect(look({ waiting: 1 }, noKey).isBusy).toBe(false);
    expect(look({ waiting: 1 }, { kind: 'offline' }).isBusy).toBe(false);
    expect(look({ attention: 1 }).isBusy).toBe(false);
  });

  it('shows when the queue is paused or stopped', () => {
    expect(look({ waiting: 1 }, ready, true).mode).toBe('paused');
    expect(look({ waiting: 1 }, noKey).mode).toBe('stopped');
    expect(look({ attention: 1 }).mode).toBe('stopped');
    expect(look({ waiting: 1 }, noKey, true)).toMatchObject({ mode: 'stopped', isPaused: true });
  });
});
