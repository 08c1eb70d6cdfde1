/** What a command ends with, for scripts to rely on. */
export const exitCode = {
  done: 0,
  /** Something was not transcribed or not written. */
  someFailed: 1,
  wrongUsage: 2,
  /** The user has to do something first: give a key, buy credits, mend the address, close the window. */
  needsUser: 3,
  /** Stopped by the user, as a shell tells it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
