import { Notification } from 'electron';
import type { Words } from '../../core/words.ts';
import type { SystemNotification } from './activity.ts';

/** Shows system notifications; a click opens the window. */
export class Notifier {
  readonly #words: Words;
  readonly #onClick: () => void;
  /** Referenced until it is closed: a collected notification loses its click. */
  #shown: Notification | null = null;

  constructor(words: Words, onClick: () => void) {
    this.#words = words;
    this.#onClick = onClick;
  }

  notify(notice: SystemNotification): void {
    const words = this.#words;
    switch (notice.kind) {
      case 'batch-ended': {
        const done = words.say('notice.done', { count: notice.done });
        const needed = words.say('notice.attention', { count: notice.attention });
        if (notice.attention === 0) this.#show(done, words.say('notice.doneNote'));
        else if (notice.done === 0) this.#show(needed, words.say('notice.attentionNote'));
        else this.#show(done, needed);
        return;
      }
      case 'attention':
        this.#show(
          words.say('notice.attention', { count: notice.attention }),
          words.say('notice.attentionNote'),
        );
        return;
      case 'stopped':
        this.#show(words.say('condition.stoppedTitle'), words.problem(notice.problem));
    }
  }

  /** Notifies that work continues behind the closed window. */
  notifyClosed(): void {
    this.#show(this.#words.say('notice.closed'), this.#words.say('notice.closedNote'));
  }

  /** Notifies that a watched folder is missing, or cannot be watched. */
  notifyFolderUnavailable(name: string): void {
    this.#show(this.#words.say('notice.folderAway', { name }), this.#words.say('notice.folderAwayNote'));
  }

  #show(title: string, body: string): void {
    if (!Notification.isSupported()) return;
    // Only the newest is shown.
    this.#shown?.close();
    const notification = new Notification({ title, body });
    notification.on('click', this.#onClick);
    notification.show();
    this.#shown = notification;
  }
}
