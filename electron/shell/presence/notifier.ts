import { Notification } from 'electron';
import type { Translator } from '../../core/translator.ts';
import { notificationText, type SystemNotification } from './activity.ts';

/** Shows system notifications; a click opens the window. */
export class Notifier {
  readonly #translator: Translator;
  readonly #onClick: () => void;
  /** Kept until it is closed: a notification that is garbage-collected no longer reports clicks. */
  #current: Notification | null = null;

  constructor(translator: Translator, onClick: () => void) {
    this.#translator = translator;
    this.#onClick = onClick;
  }

  notify(notice: SystemNotification): void {
    const { title, body } = notificationText(notice, this.#translator);
    this.#show(title, body);
  }

  /** Notifies that work continues behind the closed window. */
  notifyClosed(): void {
    this.#show(this.#translator.translate('notice.closed'), this.#translator.translate('notice.closedNote'));
  }

  /** Notifies that a watched folder cannot be watched now, or that its limit holds back recordings. */
  notifyFolder(reason: 'folderUnavailable' | 'folderLimit', name: string): void {
    this.#show(
      this.#translator.translate(`notice.${reason}`, { name }),
      this.#translator.translate(`notice.${reason}Note`),
    );
  }

  #show(title: string, body: string): void {
    if (!Notification.isSupported()) return;
    // Only the newest is shown.
    this.#current?.close();
    const notification = new Notification({ title, body });
    notification.on('click', this.#onClick);
    notification.show();
    this.#current = notification;
  }
}
