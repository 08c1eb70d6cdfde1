import type { KeyStatus } from '../contract/service.ts';
import type { Problem } from '../contract/problem.ts';

/** The time of the core; tests and the simulation have their own. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls `callback` once after `delayMs`; the returned function cancels it. */
  schedule(delayMs: number, callback: () => void): () => void;
}

export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns a new unique identifier. */
  uuid(): string;
}

export interface Logger {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  info(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
  error(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** Stores API keys, one for each base address. */
export interface SecretStore {
  get(baseUrl: string): Promise<string | null>;
  /** Returns where the key is stored: in the keychain, or only in memory, with the reason. */
  set(
    baseUrl: string,
    key: string,
  ): Promise<{ readonly keptIn: 'keychain' } | { readonly keptIn: 'this-run'; readonly problem: Problem }>;
  /** @throws ProblemError `key_not_deleted` if the key is still there. */
  remove(baseUrl: string): Promise<void>;
  status(baseUrl: string): Promise<KeyStatus>;
}
