// Runs before the program, and writes down what becomes of its window before and after somebody sees it.
const { app } = require('electron');

// The program takes what follows Electron for its own folder.
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
