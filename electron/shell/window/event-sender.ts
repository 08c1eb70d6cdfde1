import type { WebContents } from 'electron';
import type { ServiceAddress, ServiceStatus } from '../../contract/service.ts';
import type { Longhand } from '../../core/longhand.ts';
import type { Clock } from '../../core/ports.ts';
import { Soon } from '../../core/soon.ts';
import type { ModelManager } from '../../on-device/models/model-manager.ts';
import { sendEvent } from '../commands/ipc.ts';

/** Milliseconds between two events about files that could not be saved. */
const savesPeriodMs = 200;

export interface EventFeedOptions {
  readonly webContents: WebContents;
  readonly longhand: Longhand;
  readonly models: ModelManager;
  readonly clock: Clock;
  /** The service in use. */
  readonly service: () => ServiceAddress;
}

/** Sends the window what changes in the core and in the speech models, from now on. */
export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #failedSaves: Soon;
  /** The status that the window was sent last, as JSON. */
  #sentStatus = '';

  constructor(options: EventFeedOptions) {
    this.#options = options;
    const { webContents, longhand, models, clock, service } = options;
    this.#failedSaves = new Soon(clock, savesPeriodMs, () =>
      sendEvent(webContents, 'saves.changed', longhand.savedFiles.failed()),
    );
    longhand.listen({
      changed: (id) => {
        if (id === null) this.sendStatus();
      },
      savesFailed: () => this.#failedSaves.soon(),
      jobsChanged: () => sendEvent(webContents, 'jobs.changed', longhand.jobs.view(service())),
      textsChanged: (ids) => sendEvent(webContents, 'transcripts.changed', ids),
      libraryChanged: () => sendEvent(webContents, 'library.changed', longhand.library.counts()),
    });
    models.onChange((changed) => sendEvent(webContents, 'models.changed', changed));
  }

  /** How the service in use does. */
  get status(): ServiceStatus {
    const { longhand, service } = this.#options;
    return longhand.serviceStatus(service());
  }

  /** Sends how the service in use does, when that is news. */
  sendStatus(): void {
    const { status } = this;
    const json = JSON.stringify(status);
    if (json === this.#sentStatus) return;
    this.#sentStatus = json;
    sendEvent(this.#options.webContents, 'service.changed', status);
  }

  /** Sends nothing late any more. */
  end(): void {
    this.#failedSaves.end();
  }
}
