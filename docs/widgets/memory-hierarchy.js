/** Chapter 11: the same multiply-adds, with the scores in memory or a tile of them on the chip. */
import { choice } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { bar, fill, html, rich, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed, grouped } from './kit/format.js';
import { presets } from './kit/presets.js';

const powers = (/** @type {number} */ least, /** @type {number} */ most) =>
  Array.from({ length: Math.log2(most / least) + 1 }, (_, k) => least * 2 ** k);
const [HALF, SINGLE] = [2, 4]; // bytes of a number in fp16, in fp32
const CHIP = 192 * 1024; // beside one processor of an A100: Dao et al. 2022, section 2.1
const SLIDERS = [
  { of: 'n', says: 'tokens', values: powers(1024, 131072), first: 16384 },
  { of: 'd', says: 'head width', values: powers(32, 256), first: 64 },
  { of: 'rows', says: 'queries a tile', values: powers(16, 512), first: 128 },
  { of: 'keys', says: 'keys a tile', values: powers(16, 256), first: 64 },
];
const WAYS = { naive: 'Naive', tiled: 'Tiled' };
const MOST = 7; // transfers of a way

export class MemoryHierarchy extends Widget {
  static title = 'The same work, other traffic';
  static state = {
    way: choice(/** @type {any} */ ('naive'), Object.keys(WAYS)),
    ...Object.fromEntries(SLIDERS.map(({ of, values, first }) => [of, choice(first, values)])),
  };

  derive({ n, d, rows, keys }) {
    const [one, grid, tiles] = [n * d * HALF, n * n * HALF, Math.ceil(n / rows)];
    const transfers = {
      naive: [
        ['query', 'read', 'Q and K', 2 * one], ['raw', 'write', 'scores', grid],
        ['raw', 'read', 'scores', grid], ['weight', 'write', 'weights', grid],
        ['weight', 'read', 'weights', grid], ['value', 'read', 'V', one], ['output', 'write', 'O', one],
      ],
      tiled: [
        ['query', 'read', 'Q', one], ['key', 'read', `K and V, ${grouped(tiles)} times`, 2 * one * tiles],
        ['output', 'write', 'O', one], ['', 'write', 'log-sum-exps', n * SINGLE],
      ],
    };
    const bytes = (/** @type {any[]} */ [, , , amount]) => amount;
    const total = (/** @type {any[][]} */ list) => list.map(bytes).reduce((a, b) => a + b, 0);
    const work = n * n * 2 * d;
    const ways = {
      naive: { work, held: n * n, kept: grid, moved: total(transfers.naive) },
      tiled: { work, held: rows * keys, kept: n * SINGLE, moved: total(transfers.tiled) },
    };
    // On the chip: queries, keys and values in fp16; scores, acc, m and ℓ in fp32.
    const chip = (rows * d + 2 * keys * d) * HALF + (rows * keys + rows * (d + 2)) * SINGLE;
    return { transfers, ways, chip, longest: Math.max(...Object.values(transfers).flat().map(bytes)) };
  }

  describe({ way, rows, keys }, { ways, chip }) {
    const { work, held, kept, moved } = ways[way];
    const other = way === 'naive' ? 'tiled' : 'naive';
    const rest = way === 'naive' ? `All ${grouped(held)} scores are stored, in ${size(kept)}.`
      : `${grouped(held)} scores exist at a time, ${rows} queries by ${keys} keys, in a tile that takes ${size(chip)}, `
        + `${chip > CHIP ? 'more than an A100’s 192 KB' : 'which fits into an A100’s 192 KB'}.`;
    return `${WAYS[way]}: ${grouped(work)} multiply-adds, either way. ${rest} `
      + `${size(moved)} move between memory and chip; ${other} it would be ${size(ways[other].moved)}.`;
  }

  // ── Controls ──

  presets = presets(this, Object.entries(WAYS).map(([way, label]) => ({ label, set: { way } })));
  sliders = SLIDERS.map(({ of, says, values }) => ({
    of, values, ...dial(says, { max: values.length - 1 }, (i) => this.set({ [of]: values[i] })),
  }));

  // ── What crosses between memory and chip, a line a transfer, to one scale ──

  lines = Array.from({ length: MOST }, () => {
    const share = bar('');
    const [verb, what, amount] = ['verb', 'what', 'amount'].map((kind) => html('td', { class: kind }));
    return { share, verb, what, amount, tr: html('tr', {}, verb, what, html('td', { class: 'bars' }, share), amount) };
  });
  scale = html('span');

  // ── Both ways, side by side ──

  work = html('td', { colspan: 2 }); // one cell for both
  cells = ['held', 'kept', 'moved', 'ratio'].map((row) => ({
    row, tds: Object.keys(WAYS).map((way) => html('td', { 'data-way': way })),
  }));

  build(view) {
    const names = ['multiply-adds', 'scores at once', 'kept in memory', 'traffic', 'mult.-adds a byte'];
    const rows = [{ row: 'work', tds: [this.work] }, ...this.cells].map(({ row, tds }, i) =>
      html('tr', { 'data-row': row }, html('th', { scope: 'row' }, names[i]), ...tds));
    const heads = Object.entries(WAYS).map(([way, label]) => html('th', { scope: 'col', 'data-way': way }, label.toLowerCase()));
    view.append(
      this.presets.node,
      html('div', { class: 'w-dials w-four' }, ...this.sliders.map(({ node }) => node)),
      html('div', { class: 'w-ways' },
        html('figure', {},
          rich('figcaption', '<b>Between memory and chip</b>: '),
          html('table', { class: 'w-ledger', 'aria-label': 'what is read and written' }, html('tbody', {}, ...this.lines.map(({ tr }) => tr)))),
        html('table', { class: 'w-both' }, html('thead', {}, html('tr', {}, html('td'), ...heads)), html('tbody', {}, ...rows))),
      this.says);
    view.querySelector('figcaption').append(this.scale);
  }

  draw({ way, ...state }, { transfers, ways, longest }) {
    this.presets.show();
    for (const { of, values, show } of this.sliders) show(values.indexOf(state[of]), grouped(state[of]));
    this.scale.textContent = `a full bar is ${size(longest)}`;
    this.lines.forEach(({ share, verb, what, amount, tr }, i) => {
      const [tone, does, of, bytes] = transfers[way][i] ?? ['', '', '', 0];
      update(tr, { class: of ? tone || null : 'none' });
      verb.textContent = does && `${does === 'read' ? '→' : '←'} ${does}`;
      what.textContent = of;
      amount.textContent = of && size(bytes);
      fill(share, bytes / longest);
    });
    this.work.textContent = `${grouped(ways.naive.work)}, both`;
    for (const { row, tds } of this.cells) {
      Object.keys(WAYS).forEach((each, i) => {
        const { work, moved, [row]: value } = ways[each];
        tds[i].textContent = row === 'kept' || row === 'moved' ? size(value)
          : row === 'ratio' ? fixed(work / moved, 1) : grouped(value);
      });
    }
    for (const cell of this.querySelectorAll('[data-way]')) update(cell, { class: cell.getAttribute('data-way') === way && 'on' });
  }
}

/** Bytes in the largest binary unit that leaves one or more.  @param {number} bytes */
function size(bytes) {
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${Number.isInteger(value) ? value : fixed(value, 3)}\u00a0${['bytes', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`;
}

customElements.define('attn-memory-hierarchy', MemoryHierarchy);
