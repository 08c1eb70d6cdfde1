import { execFileSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerOpenDialog, dropFiles, startProgram } from '../support/built-program.ts';
import { kennedy } from '../support/speech/speech-audio.ts';

/**
 * A whole session in a network of its own, whose only interface to the outside counts the packets; the name server is out
 * there too. Runs as `unshare --net --mount`; prints the number of packets before and after the session, and after a name
 * lookup, as JSON. Argument: an empty folder.
 */
const [folder = ''] = process.argv.slice(2);
const out = join(folder, 'out');
await mkdir(out);

const resolver = join(folder, 'resolv.conf');
await writeFile(resolver, 'nameserver 192.0.2.53\noptions timeout:1 attempts:1\n');
const commands = [
  ['mount', '--bind', resolver, '/etc/resolv.conf'],
  // IPv6 sends announcements of its own.
  ['sysctl', '-qw', 'net.ipv6.conf.all.disable_ipv6=1', 'net.ipv6.conf.default.disable_ipv6=1'],
  ['ip', 'link', 'set', 'lo', 'up'],
  ['ip', 'link', 'add', 'way-out', 'type', 'veth', 'peer', 'name', 'far-end'],
  ['ip', 'link', 'set', 'far-end', 'up'],
  ['ip', 'address', 'add', '192.0.2.1/24', 'dev', 'way-out'],
  ['ip', 'link', 'set', 'way-out', 'up'],
  ['ip', 'route', 'add', 'default', 'dev', 'way-out'],
] as const;
for (const [command, ...args] of commands) execFileSync(command, args);

/** Returns how many packets were sent to the outside. Not read from /sys, which still shows the outer network. */
async function packetsSent(): Promise<number> {
  const line = (await readFile('/proc/self/net/dev', 'utf8'))
    .split('\n')
    .find((one) => one.includes('way-out:'));
  return Number(line?.trim().split(/\s+/)[10]);
}

const before = await packetsSent();
const program = await startProgram(join(folder, 'data'));
const { app, page } = program;
await page.getByRole('button', { name: 'Start' }).click();
await dropFiles(page, [kennedy.mp3]);
await page.getByRole('button', { name: 'Start 1 recording' }).click();
await page.getByText('Done', { exact: false }).and(page.getByText(/words/)).waitFor({ timeout: 120_000 });
await page.getByRole('button', { name: 'Open: jfk.mp3' }).click();
const segment = page.getByRole('textbox', { name: /^Segment/ }).first();
await segment.click();
await page.keyboard.type('Qwzx ');
await page.getByText(/· saved$/).waitFor();
await answerOpenDialog(app, out);
await page.getByRole('button', { name: 'Export' }).click();
await page.getByRole('radio', { name: /^Into a folder/ }).click();
await page.getByRole('button', { name: /^Save \d+ files?$/ }).click();
await page.getByRole('heading', { name: /files? saved/ }).waitFor();
await page.keyboard.press('Escape');
await page.getByRole('button', { name: 'Settings', exact: true }).click();
await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
await program.close();
const afterSession = await packetsSent();
await lookup('example.com').catch(() => undefined);
console.log(JSON.stringify({ before, afterSession, afterLookup: await packetsSent() }));
