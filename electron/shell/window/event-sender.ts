import type { WebContents } from 'electron';
import type { EventName, Events } from '../../contract/events.ts';
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
  /** The default service. */
  readonly service: () => ServiceAddress;
}

/** Sends the window the changes of the core and of the speech models. */
export class EventSender {
  readonly #options: EventSenderOptions;
  readonly #failedAutoExports: Throttle;
  readonly #speakers: Throttle;
  /** The payload last sent for each event about services, as JSON. */
  readonly #sent = new Map<EventName, string>();

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

  /** The status of the default service. */
  get status(): ServiceStatus {
    const { longhand, service } = this.#options;
    return longhand.serviceStatus(service());
  }

  /** Sends the status of the default service, and of each in use, if they have changed. */
  sendStatus(): void {
    const { longhand } = this.#options;
    this.#sendChanged('service.changed', this.status);
    this.#sendChanged('services.changed', longhand.serviceStatuses());
  }

  #sendChanged<N extends EventName>(name: N, payload: Events[N]): void {
    const json = JSON.stringify(payload);
    if (json === this.#sent.get(name)) return;
    this.#sent.set(name, json);
    sendEvent(this.#options.webContents, name, payload);
  }

  /** Cancels pending events. */
  close(): void {
    this.#failedAutoExports.stop();
    this.#speakers.stop();
  }
}
