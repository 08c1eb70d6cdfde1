import { availableParallelism, loadavg } from 'node:os';
import type { Accuracy } from '../../contract/choices.ts';
import { errorMessage } from '../../contract/errors.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import type { ModelManager } from '../../on-device/models/model-manager.ts';
import type { RunningCore } from '../open-core.ts';

/** Milliseconds until the window is shown and the service listens: an earlier measurement would slow both. */
const startDelayMs = 3000;

/**
 * Measures a model's speed.
 *
 * @throws ProblemError `model_not_measured` with the reason.
 */
export async function measureModel(
  models: ModelManager,
  core: Pick<RunningCore, 'measure'>,
  accuracy: Accuracy,
): Promise<void> {
  try {
    await models.measure(accuracy, () => core.measure(accuracy));
  } catch (cause) {
    const detail = errorMessage(cause);
    throw new ProblemError({ code: 'model_not_measured', detail }, { cause });
  }
}

/** Milliseconds between checks whether the computer is overloaded. */
const overloadRetryMs = 10_000;
/** After this many checks, the model is measured anyway. */
const maxOverloadRetries = 3;

/** Whether the computer is overloaded (unknown on Windows): a speed measured now would be too low. */
const isOverloaded = (): boolean => (loadavg()[0] ?? 0) > availableParallelism();

export interface MeasureAfterStartOptions {
  readonly models: ModelManager;
  readonly core: Pick<RunningCore, 'measure'>;
  /** The accuracy in use. */
  readonly accuracy: () => Accuracy;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Measures the model in use soon after the first start: the first screen shows its speed, and the add sheet the time
 * that it takes. On a computer that stays overloaded it is measured anyway; each recording corrects it later.
 *
 * @returns a function that cancels the measurement.
 */
export function measureAfterStart({
  models,
  core,
  accuracy,
  clock,
  logger,
}: MeasureAfterStartOptions): () => void {
  let retries = 0;
  let cancel = clock.schedule(startDelayMs, measure);
  function measure(): void {
    if (!models.isUnmeasured(accuracy())) return;
    if (isOverloaded() && retries < maxOverloadRetries) {
      retries += 1;
      cancel = clock.schedule(overloadRetryMs, measure);
      return;
    }
    measureModel(models, core, accuracy()).catch((error: unknown) =>
      logger.info('the speed of a speech model was not measured', { error: String(error) }),
    );
  }
  return () => cancel();
}
