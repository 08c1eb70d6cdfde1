// Runs before the program, and kills it at the step of identifying speakers that LONGHAND_KILL_AT names.
const Database = require('better-sqlite3');
const { utilityProcess } = require('electron');

// Electron takes its first argument for the path of the program.
process.argv.splice(process.argv.indexOf('-r'), 2);

const step = process.env.LONGHAND_KILL_AT;
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
};

/** Steps of the process that identifies speakers, and the message that shows that it has reached them. */
const messages = {
  segmentation: ({ kind }) => kind === 'progress',
  clustering: ({ kind, secondsDone }) =>
    kind === 'progress' && secondsDone >= Number(process.env.LONGHAND_KILL_SECONDS),
  found: ({ kind }) => kind === 'done',
};
const fork = utilityProcess.fork.bind(utilityProcess);
utilityProcess.fork = (...given) => {
  const child = fork(...given);
  if (given[2]?.serviceName !== 'Longhand speakers') return child;
  if (step === 'loading') child.once('spawn', die);
  // Registered before the listener of the program, so that this comes first.
  child.on('message', (message) => {
    if (messages[step]?.(message) === true) die();
  });
  return child;
};

/** Steps of storing what was found, and the statement before or after which they are. */
const statements = {
  'before the commit': { sql: /^INSERT INTO edits /, isAfter: true },
  'after the commit': { sql: /^DELETE FROM speaker_requests WHERE transcript_id/, isAfter: false },
};
const prepare = Database.prototype.prepare;
Database.prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  const watched = statements[step];
  if (watched === undefined || !watched.sql.test(sql.trim())) return statement;
  const run = statement.run.bind(statement);
  statement.run = (...given) => {
    if (!watched.isAfter) die();
    run(...given);
    die();
  };
  return statement;
};
