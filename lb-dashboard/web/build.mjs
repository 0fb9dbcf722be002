// Writes vendor.js and vendor.css beside the page and prints their SHA-256 for the checksum file.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';

const target = '../src/main/web/app';

await build({
  entryPoints: ['vendor.mjs'],
  outfile: `${target}/vendor.js`,
  bundle: true,
  format: 'esm',
  minify: true,
  target: 'es2022',
  charset: 'ascii',
  legalComments: 'none',
  banner: { js: '/* preact, htm, @preact/signals, uPlot: see lb-dashboard/web/LICENSES.txt */' },
});
await copyFile('node_modules/uplot/dist/uPlot.min.css', `${target}/vendor.css`);

const lines = [];
for (const name of ['vendor.css', 'vendor.js']) {
  const digest = createHash('sha256').update(await readFile(`${target}/${name}`)).digest('hex');
  lines.push(`${digest}  ${name}\n`);
}
await writeFile('vendor.sha256', lines.join(''));
process.stdout.write(lines.join(''));
