// Runs before the program, and kills it in the middle of the step that KILL_AT names.
const { utilityProcess } = require('electron');
const { existsSync, readdirSync, rmSync, statSync, writeFileSync } = require('node:fs');
const files = require('node:fs/promises');
const { syncBuiltinESMExports } = require('node:module');
const { join } = require('node:path');

// Electron takes its first argument for the path of the program.
process.argv.splice(process.argv.indexOf('-r'), 2);

const step = process.env.KILL_AT;
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
};
const { rename, rm, writeFile } = files;
const { fork } = utilityProcess;
const minLargeBytes = 1_000_000;

// A file is complete: it is verified, and gets its name.
files.rename = async (from, to) => {
  const isDownload = from.endsWith('.part');
  if (step === 'verified' && isDownload && statSync(from).size > minLargeBytes) die();
  await rename(from, to);
  if (step === 'between-files' && isDownload) die();
};

files.writeFile = async (path, ...rest) => {
  if (step === 'recording' && String(path).endsWith('models.json.new')) {
    writeFileSync(path, '{ "choices": {');
    die();
  }
  await writeFile(path, ...rest);
};

files.rm = async (path, options) => {
  if (step === 'removing' && options?.recursive && existsSync(path)) {
    const first = readdirSync(path, { recursive: true, withFileTypes: true }).find((entry) => entry.isFile());
    rmSync(join(first.parentPath, first.name));
    die();
  }
  await rm(path, options);
};
syncBuiltinESMExports();

// The service is transcribing the recording whose text is known.
utilityProcess.fork = (...given) => {
  const child = fork.apply(utilityProcess, given);
  const post = child.postMessage.bind(child);
  child.postMessage = (message, ports) => {
    post(message, ports);
    if (step === 'checking' && message.kind === 'check') setTimeout(die, 100);
  };
  return child;
};
