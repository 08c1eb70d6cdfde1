import fc from 'fast-check';

/**
 * Property tests generate the same values in every run, so that a run tells of the change and not of chance.
 * `LONGHAND_PROPERTY_SEED=random` looks further; a number replays what such a run has found.
 */
const wanted = process.env['LONGHAND_PROPERTY_SEED'] ?? '20261121';
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
