/** Imported first by every script: exits with a message if Node is too old. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Longhand needs Node 20.19 or later for its set-up; this is ${process.versions.node}.`);
  process.exit(1);
}
