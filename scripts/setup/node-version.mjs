/** Imported first by every script: stops with a plain sentence where Node is too old to run the others. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Longhand needs Node 20.19 or later to set itself up; this is ${process.versions.node}.`);
  process.exit(1);
}
