import { ManualClock } from './manual-clock.ts';
import { idle } from '../servers/requests-on-the-way.ts';

/**
 * Time for a core that talks with a real server and reads real files: it stands still while anybody works, and leaps
 * to the next timer when nobody does. An hour of back-off costs nothing, and no slow computer turns a prompt answer
 * into a late one.
 */
export class FastClock extends ManualClock {
  /**
   * Lets time pass until `holds`.
   *
   * @param isBusy whether somebody works whom the core's own files and promises do not show, such as a server.
   * @param limitMs time that may pass, in milliseconds of this clock.
   * @returns whether it holds; `false` when the time is over before.
   */
  async passUntil(holds: () => boolean, isBusy: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.now() + limitMs;
    for (;;) {
      await idle(isBusy);
      const next = this.nextAt;
      // What is to happen now happens before anybody looks.
      if (next !== null && next <= this.now()) {
        this.advance(0);
        continue;
      }
      if (holds()) return true;
      if (next === null || next > end) {
        this.advance(Math.max(0, end - this.now()));
        await idle(isBusy);
        return holds();
      }
      this.advance(Math.max(0, next - this.now()));
    }
  }
}
