import fc from 'fast-check';

/**
 * Property tests generate the same values in every run, so that a failure is caused by the change and not by chance.
 * `LONGHAND_PROPERTY_SEED=random` generates others; a number repeats the run that reported it.
 */
const seed = process.env['LONGHAND_PROPERTY_SEED'] ?? '20261121';
// A mutant only has to fail: to find the smallest values that fail would take most of the time.
const endOnFailure = process.env['LONGHAND_MUTANT_TESTS'] !== undefined;
fc.configureGlobal({ ...(seed !== 'random' && { seed: Number(seed) }), endOnFailure });
