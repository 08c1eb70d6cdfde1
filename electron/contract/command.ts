import { z } from 'zod';
import { parseJobId } from './identifiers.ts';
import {
  maxAddressLength,
  maxCreditLimit,
  maxJobs,
  maxPathLength,
  maxRows,
  maxRowsOnScreen,
} from './limits.ts';

/** A command that the window can send. The main process parses its input and returns a value of its result type. */
export interface Command<Input extends z.ZodType, Result> {
  readonly input: Input;
  readonly result: ResultType<Result>;
  /**
   * Whether it downloads from addresses that are fixed in the program. Other commands contact only accounts that the
   * user has added; a test with a hostile page enforces this for every command.
   */
  readonly downloads: boolean;
  /**
   * How many calls may be in progress; more are refused. No screen makes nearly as many, and each may hold a connection, a
   * process or a file.
   */
  readonly maxConcurrentCalls: number;
}

/** Carries the type of a result; it has no value. */
export interface ResultType<Result> {
  readonly never?: Result;
}

export type InputOf<C extends Command<z.ZodType, unknown>> = z.infer<C['input']>;
export type ResultOf<C extends Command<z.ZodType, unknown>> =
  C extends Command<z.ZodType, infer R> ? R : never;

/** Declares the type of a result. Results come from our own process, so they are not parsed. */
export const result = <Result>(): ResultType<Result> => ({});

/** Declares a command; without a result it returns nothing, and it downloads nothing unless it says so. */
export const command = <Input extends z.ZodType, Result = void>(declared: {
  readonly input: Input;
  readonly result?: ResultType<Result>;
  readonly downloads?: boolean;
  readonly maxConcurrentCalls?: number;
}): Command<Input, Result> => ({ result: {}, downloads: false, maxConcurrentCalls: 100, ...declared });

// Inputs that several commands share.
export const noInput = z.undefined();
export const id = z.int().positive();
export const ids = z.array(id).max(maxRows).readonly();
/** `on-device`, or the address of an account. */
export const service = z.string().min(1).max(maxAddressLength);
/** The most credits in a calendar month. */
export const creditLimit = z.int().positive().max(maxCreditLimit);
export const page = { offset: z.int().nonnegative(), limit: z.int().min(0).max(maxRowsOnScreen) };
/** An input about rows: some by their ids, or all of a `list` except some. */
export const withTarget = <List extends z.ZodType, More extends z.ZodRawShape>(list: List, more: More) =>
  z.union([z.strictObject({ ids, ...more }), z.strictObject({ all: list, except: ids, ...more })]);
/** Jobs by the IDs of their service. */
export const jobIds = z.array(z.string().refine((jobId) => parseJobId(jobId) !== null)).max(maxJobs);
/** The id that the window gives to a long task. */
export const task = z.string().min(1).max(64);
export const path = z.string().min(1).max(maxPathLength);
