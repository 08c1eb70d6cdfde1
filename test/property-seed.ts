import fc from 'fast-check';

/**
 * Property tests generate the same values in every run, so that a failure is caused by the change and not by chance.
 * `LONGHAND_PROPERTY_SEED=random` generates others; a number repeats the run that reported it.
 */
const wanted = process.env['LONGHAND_PROPERTY_SEED'] ?? '20261121';
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
