import { readdirSync, readFileSync } from 'node:fs';

/** Other load on the processors during a measurement, in percent of their time; `NaN` where unknown. */
export interface MachineShares {
  /** Taken by other guests of the same hardware. */
  readonly stolenPercent: number;
  /** Taken by other programs, including the display server. */
  readonly foreignPercent: number;
}

interface MachineTimes {
  readonly all: number;
  readonly idle: number;
  readonly stolen: number;
  readonly own: number;
}

/** Measures the machine until the returned function is called. Only works on Linux. */
export function watchMachine(): () => MachineShares {
  const before = machineTimes();
  return () => {
    const after = machineTimes();
    if (before === null || after === null) return { stolenPercent: NaN, foreignPercent: NaN };
    const all = after.all - before.all;
    const stolen = after.stolen - before.stolen;
    const foreign = all - stolen - (after.idle - before.idle) - (after.own - before.own);
    const percent = (part: number): number => Math.round((Math.max(0, part) / all) * 100);
    return { stolenPercent: percent(stolen), foreignPercent: percent(foreign) };
  };
}

/** Prefixes the names of {@link MachineShares} for one of several measurements. */
export const prefixed = (
  prefix: string,
  { stolenPercent, foreignPercent }: MachineShares,
): Record<string, number> => ({
  [`${prefix}StolenPercent`]: stolenPercent,
  [`${prefix}ForeignPercent`]: foreignPercent,
});

/** Returns the times of the processors, in ticks of the system's clock. */
function machineTimes(): MachineTimes | null {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    // user, nice, system, idle, iowait, irq, softirq, steal; guests are in `user` already.
    const times = line.trim().split(/\s+/).slice(1, 9).map(Number);
    const [, , , idle = 0, waiting = 0, , , stolen = 0] = times;
    return { all: times.reduce((sum, time) => sum + time), idle: idle + waiting, stolen, own: ownTime() };
  } catch {
    return null;
  }
}

/** The processor time of this process and all its descendants, including ended ones. */
function ownTime(): number {
  const processes = new Map<number, { readonly parent: number; readonly time: number }>();
  for (const name of readdirSync('/proc')) {
    const id = Number(name);
    if (!Number.isInteger(id)) continue;
    try {
      // The program's name in parentheses may contain anything.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      const time = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      processes.set(id, { parent: Number(fields[1]), time });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOwn = (id: number): boolean => {
    if (id === process.pid) return true;
    const parent = processes.get(id)?.parent ?? 0;
    return parent > 1 && isOwn(parent);
  };
  return [...processes].reduce((sum, [id, { time }]) => sum + (isOwn(id) ? time : 0), 0);
}
