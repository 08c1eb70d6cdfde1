import { ManualClock } from './manual-clock.ts';
import { idle } from '../servers/requests-in-flight.ts';

/**
 * The clock of a core that talks with a real server and reads real files: it stands still while there is work, and
 * jumps to the next timer when there is none. An hour of backoff costs nothing, and no slow computer turns a prompt
 * response into a late one.
 */
export class FastClock extends ManualClock {
  /**
   * Advances until `condition()` is true.
   *
   * @param isBusy whether there is work other than the files and promises of this process, such as a request at a server.
   * @param limitMs maximum milliseconds of this clock.
   * @returns whether it is true; `false` when the limit was reached first.
   */
  async advanceUntil(condition: () => boolean, isBusy: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.now() + limitMs;
    for (;;) {
      await idle(isBusy);
      const next = this.nextAt;
      // What is due now happens before the next check.
      if (next !== null && next <= this.now()) {
        this.advance(0);
        continue;
      }
      if (condition()) return true;
      if (next === null || next > end) {
        this.advance(Math.max(0, end - this.now()));
        await idle(isBusy);
        return condition();
      }
      this.advance(Math.max(0, next - this.now()));
    }
  }
}
