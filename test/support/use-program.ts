import { join } from 'node:path';
import type { ElectronApplication, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';
import { answerQuestions, invokeIn, startProgram, type RunningProgram } from './built-program.ts';

/** The running program on its own folder, for the tests of a file; see {@link useProgram}. */
export class TestProgram {
  readonly #dataNames: readonly string[];
  #folder: TemporaryFolder | null = null;
  #program: RunningProgram | null = null;

  constructor(dataNames: readonly string[]) {
    this.#dataNames = dataNames;
  }

  get #running(): RunningProgram {
    if (this.#program === null) throw new Error('The program is not started yet.');
    return this.#program;
  }

  get app(): ElectronApplication {
    return this.#running.app;
  }

  get page(): Page {
    return this.#running.page;
  }

  /** The program's data folder. */
  get data(): string {
    return this.path(...this.#dataNames);
  }

  /** Returns a path in the folder of the test. */
  path(...names: readonly string[]): string {
    if (this.#folder === null) throw new Error('The folder is not there yet.');
    return join(this.#folder.path, ...names);
  }

  /** Sends a command as the window does; see {@link invokeIn}. */
  invoke(name: string, input?: unknown): Promise<unknown> {
    return invokeIn(this.page, name, input);
  }

  /** Connects to a service and uses it; answers the question about it with yes. */
  async connect({ baseUrl, key }: { readonly baseUrl: string; readonly key: string }): Promise<unknown> {
    await answerQuestions(this.app, 'yes');
    return this.invoke('service.connect', { baseUrl, key, use: true });
  }

  /** Returns a button by its complete name. */
  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async kill(): Promise<void> {
    await this.#running.kill();
  }

  async close(): Promise<void> {
    await this.#running.close();
  }

  /** Starts the program on its data folder; it must not be running. */
  async start(): Promise<void> {
    this.#program = await startProgram(this.data);
  }

  async setUp(): Promise<void> {
    this.#folder = await temporaryFolder();
    await this.start();
  }

  async tearDown(): Promise<void> {
    await this.#program?.close();
    await this.#folder?.remove();
    this.#program = null;
    this.#folder = null;
  }
}

/**
 * Starts the program before each test of the file or before the first, and quits it after. Must be called outside of
 * tests, before hooks that use it.
 *
 * @param dataNames the path of the data folder, in the folder of the test.
 */
export function useProgram(frequency: 'each' | 'once', ...dataNames: readonly string[]): TestProgram {
  const program = new TestProgram(dataNames.length === 0 ? ['data'] : dataNames);
  const [before, after] = frequency === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(() => program.setUp());
  after(() => program.tearDown());
  return program;
}
