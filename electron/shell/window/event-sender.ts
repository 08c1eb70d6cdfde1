import type { WebContents } from 'electron';
import type { ServiceAddress, ServiceStatus } from '../../contract/service.ts';
import type { Longhand } from '../../core/longhand.ts';
import type { Clock } from '../../core/ports.ts';
import { Throttle } from '../../core/throttle.ts';
import type { ModelManager } from '../../on-device/models/model-manager.ts';
import { sendEvent } from '../commands/ipc.ts';

/** Milliseconds between two events about failed automatic exports. */
const autoExportsIntervalMs = 200;
/** Milliseconds between two events about the speakers that are being identified. */
const speakersIntervalMs = 200;

export interface EventSenderOptions {
  readonly webContents: WebContents;
  readonly longhand: Longhand;
  readonly models: ModelManager;
  readonly clock: Clock;
  /** The service in use. */
  readonly service: () => ServiceAddress;
}

/** Sends the window the changes of the core and of the speech models. */
export class EventSender {
  readonly #options: EventSenderOptions;
  readonly #failedAutoExports: Throttle;
  readonly #speakers: Throttle;
  /** The status that the window was sent last, as JSON. */
  #sentStatus = '';

  constructor(options: EventSenderOptions) {
    this.#options = options;
    const { webContents, longhand, models, clock } = options;
    this.#failedAutoExports = new Throttle(clock, autoExportsIntervalMs, () =>
      sendEvent(webContents, 'autoExports.changed', longhand.autoExportWriter.failed()),
    );
    this.#speakers = new Throttle(clock, speakersIntervalMs, () =>
      sendEvent(webContents, 'speakers.changed', longhand.speakers.view()),
    );
    longhand.listen({
      changed: (id) => {
        if (id === null) this.sendStatus();
      },
      speakersChanged: () => this.#speakers.schedule(),
      failedAutoExportsChanged: () => this.#failedAutoExports.schedule(),
      jobsChanged: () => sendEvent(webContents, 'jobs.changed', longhand.jobs.views()),
      textsChanged: (ids) => sendEvent(webContents, 'transcripts.changed', ids),
      libraryChanged: () => sendEvent(webContents, 'library.changed', longhand.library.counts()),
    });
    models.onChange((changed) => sendEvent(webContents, 'models.changed', changed));
  }

  /** The status of the service in use. */
  get status(): ServiceStatus {
    const { longhand, service } = this.#options;
    return longhand.serviceStatus(service());
  }

  /** Sends the status of the service in use if it has changed. */
  sendStatus(): void {
    const { status } = this;
    const json = JSON.stringify(status);
    if (json === this.#sentStatus) return;
    this.#sentStatus = json;
    sendEvent(this.#options.webContents, 'service.changed', status);
  }

  /** Cancels pending events. */
  end(): void {
    this.#failedAutoExports.end();
    this.#speakers.end();
  }
}
