import { z } from 'zod';
import { maxAddressLength, maxPathLength, maxJobs, maxRows, maxRowsOnScreen } from '../limits.ts';

/** Inputs that several commands share. */
export const nothing = z.undefined();
export const id = z.int().positive();
export const ids = z.array(id).max(maxRows).readonly();
/** `on-device`, or the address of an account. */
export const service = z.string().min(1).max(maxAddressLength);
export const page = { offset: z.int().nonnegative(), limit: z.int().min(0).max(maxRowsOnScreen) };
/** An input about a target: some by their numbers, or all of a `list` but some. */
export const about = <List extends z.ZodType, More extends z.ZodRawShape>(list: List, more: More) =>
  z.union([z.strictObject({ ids, ...more }), z.strictObject({ all: list, but: ids, ...more })]);
/** Jobs that a service holds, by the names that it has given them. */
export const jobIds = z.array(z.string().min(1).max(512)).max(maxJobs);
/** The number that the window has given to something that takes a while. */
export const task = z.string().min(1).max(64);
export const path = z.string().min(1).max(maxPathLength);
