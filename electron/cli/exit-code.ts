/** The exit codes of commands, for scripts to rely on. */
export const exitCode = {
  done: 0,
  /** Something was not transcribed or not written. */
  someFailed: 1,
  wrongUsage: 2,
  /** The user has to act first: enter a key, buy credits, correct the address, close the window. */
  needsUser: 3,
  /** Stopped by the user, as shells report it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
