import type { KeyStatus } from '../contract/service.ts';
import type { Problem } from '../contract/problem.ts';

/** Time, as the core sees it: tests and the simulation bring their own. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls `callback` once after `delayMs`; the returned function calls it off. */
  schedule(delayMs: number, callback: () => void): () => void;
}

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A new identifier that nobody else has. */
  uuid(): string;
}

export interface Logger {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** Keeps API keys, one for each base address, and nothing else. */
export interface SecretStore {
  get(baseUrl: string): Promise<string | null>;
  /** Where the key rests now: in the keychain, or for this run alone with the reason. */
  set(
    baseUrl: string,
    key: string,
  ): Promise<{ readonly keptIn: 'keychain' } | { readonly keptIn: 'this-run'; readonly problem: Problem }>;
  remove(baseUrl: string): Promise<void>;
  status(baseUrl: string): Promise<KeyStatus>;
}
