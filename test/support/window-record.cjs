// Runs before the program, and records when its window is shown, moved and resized.
const { app } = require('electron');

// Electron takes its first argument for the path of the program.
process.argv.splice(process.argv.indexOf('-r'), 2);

app.on('browser-window-created', (_event, window) => {
  if (globalThis.windowRecord !== undefined) return;
  const record = [];
  globalThis.windowRecord = record;
  for (const event of ['show', 'resize', 'move']) window.on(event, () => record.push(event));
  for (const order of ['maximize', 'setFullScreen']) {
    const carryOut = window[order].bind(window);
    window[order] = (...given) => {
      record.push(order);
      carryOut(...given);
    };
  }
});
