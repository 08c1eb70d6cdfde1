import { beforeEach } from 'vitest';

/**
 * Makes the tests of the enclosing suite the steps of one journey: after a step fails, the others are skipped, because
 * they start where it should have ended.
 */
export function skipAfterFailedStep(): void {
  let hasFailed = false;
  beforeEach((context) => {
    if (hasFailed) context.skip('an earlier step of this journey failed');
    context.onTestFailed(() => {
      hasFailed = true;
    });
  });
}
