// Runs before the program. From SIGUSR2 on, it measures how late the event loop is, and writes the maximum, in
// milliseconds, to LONGHAND_BLOCK_FILE when the program ends.
const { writeFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

// Electron takes its first argument for the path of the program.
process.argv.splice(process.argv.indexOf('-r'), 2);

const delay = monitorEventLoopDelay({ resolution: 1 });
process.on('SIGUSR2', () => delay.enable());
process.on('exit', () => writeFileSync(process.env.LONGHAND_BLOCK_FILE, String(delay.max / 1e6)));
