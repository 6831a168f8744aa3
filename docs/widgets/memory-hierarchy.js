/** Chapter 11: the same multiply-adds, with the scores in memory or a tile of them on the chip. */
import { choice } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { bar, fill, html, name, rich, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed, grouped, measured } from './kit/format.js';
import { presets } from './kit/presets.js';

const powers = (/** @type {number} */ least, /** @type {number} */ most) =>
  Array.from({ length: Math.log2(most / least) + 1 }, (_, k) => least * 2 ** k);
const [HALF, SINGLE] = [2, 4]; // bytes of a number in fp16, in fp32
// What a tile can have of an A100's processor, in KiB: Yi et al. 2026, table 1
const LIMITS = { shared: 163, registers: 256 };
const ON_CHIP = { shared: 'queries, keys, values', registers: 'scores and sums' };
const LETTERS = { query: 'Q', key: 'K', value: 'V', output: 'O' };
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
        ['query key', 'read', '', 2 * one], ['raw', 'write', 'scores', grid],
        ['raw', 'read', 'scores', grid], ['weight', 'write', 'weights', grid],
        ['weight', 'read', 'weights', grid], ['value', 'read', '', one], ['output', 'write', '', one],
      ],
      tiled: [
        ['query', 'read', '', one], ['key value', 'read', `, ${grouped(tiles)} times`, 2 * one * tiles],
        ['output', 'write', '', one], ['', 'write', 'log-sum-exps', n * SINGLE],
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
    const chip = { shared: (rows + 2 * keys) * d * HALF, registers: rows * (keys + d + 2) * SINGLE };
    return { transfers, ways, chip, most: Math.max(ways.naive.moved, ways.tiled.moved) };
  }

  describe({ way, rows, keys }, { ways, chip }) {
    const { work, held, kept, moved } = ways[way];
    const other = way === 'naive' ? 'tiled' : 'naive';
    const least = Math.min(moved, ways[other].moved);
    const fits = (/** @type {string} */ part, /** @type {string} */ where) =>
      `its ${ON_CHIP[part]} (${size(chip[part], 1024)}) ${over(chip, part) ? 'do not fit' : 'fit'} in an A100’s ${where}`;
    const rest = way === 'naive' ? `All ${grouped(held)} scores are stored, in ${size(kept)}.`
      : `A tile of ${rows} queries by ${keys} keys has ${grouped(held)} scores; ${fits('shared', 'SRAM')}, and ${fits('registers', 'registers')}.`;
    return `${WAYS[way]}: ${grouped(work)} multiply-adds, either way. ${rest} `
      + `${size(moved, least)} move between memory and chip; ${other} it would be ${size(ways[other].moved, least)}.`;
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

  totals = Object.entries(WAYS).map(([way, label]) => {
    const [share, amount] = [bar(''), html('td', { class: 'amount' })];
    const head = html('th', { scope: 'row', colspan: 2 }, `${label.toLowerCase()}, in all`);
    return { way, share, amount, tr: html('tr', { 'data-way': way }, head, html('td', { class: 'bars' }, share), amount) };
  });

  // ── What a tile needs of one processor; the mark is what there is ──

  chip = Object.entries(ON_CHIP).map(([part, says]) => {
    const [share, amount] = [bar(''), html('td', { class: 'amount' })];
    const tr = html('tr', { 'data-row': part }, html('th', { scope: 'row' }, says), html('td', { class: 'bars' }, share), amount);
    return { part, share, amount, tr };
  });

  // ── Both ways, side by side ──

  cells = ['work', 'held', 'kept', 'ratio'].map((row) => ({
    row, tds: Object.keys(WAYS).map((way) => html('td', { 'data-way': way })),
  }));

  build(view) {
    const names = ['multiply-adds, billions', 'scores that exist', 'kept in memory', 'multiply-adds a byte'];
    const rows = this.cells.map(({ row, tds }, i) =>
      html('tr', { 'data-row': row }, html('th', { scope: 'row' }, names[i]), ...tds));
    const heads = Object.entries(WAYS).map(([way, label]) => html('th', { scope: 'col', 'data-way': way }, label.toLowerCase()));
    view.append(
      this.presets.node,
      html('div', { class: 'w-dials w-four' }, ...this.sliders.map(({ node }) => node)),
      html('div', { class: 'w-ways' },
        html('figure', {},
          rich('figcaption', '<b>Between memory and chip</b>'),
          html('table', { class: 'w-ledger', 'aria-label': 'what is read and written' },
            html('tbody', { class: 'w-totals' }, ...this.totals.map(({ tr }) => tr)), html('tbody', {}, ...this.lines.map(({ tr }) => tr)))),
        html('div', {},
          html('table', { class: 'w-both' }, html('thead', {}, html('tr', {}, html('td'), ...heads)), html('tbody', {}, ...rows)),
          html('figure', {},
            rich('figcaption', '<b>A tile on the chip</b>, and the room for it on an A100'),
            html('table', { class: 'w-ledger w-chip', 'aria-label': 'what a tile takes on the chip' },
              html('tbody', {}, ...this.chip.map(({ tr }) => tr)))))),
      this.says);
  }

  draw({ way, ...state }, { transfers, ways, chip, most }) {
    this.presets.show();
    for (const { of, values, show } of this.sliders) show(values.indexOf(state[of]), grouped(state[of]));
    this.lines.forEach(({ share, verb, what, amount, tr }, i) => {
      const [tones, does, of, bytes] = transfers[way][i] ?? ['', '', '', 0];
      const [first, second] = tones.split(' ');
      update(tr, { class: does ? second ? `${second} split` : first || null : 'none', style: second && `--first: var(--${first})` });
      verb.textContent = does && `${does === 'read' ? '→' : '←'} ${does}`;
      what.innerHTML = [first, second].filter((tone) => tone in LETTERS).map((tone) => name(tone, LETTERS[tone])).join(' and ') + of;
      amount.textContent = does && size(bytes);
      fill(share, bytes / most);
    });
    const least = (/** @type {string} */ of) => Math.min(ways.naive[of], ways.tiled[of]); // one unit a row
    for (const { way: each, share, amount } of this.totals) {
      fill(share, ways[each].moved / most);
      amount.textContent = size(ways[each].moved, least('moved'));
    }
    for (const { part, share, amount, tr } of this.chip) {
      fill(share, Math.min(1, chip[part] / 1024 / LIMITS[part] / 2));
      amount.textContent = `${size(chip[part], 1024)} of ${LIMITS[part]}`;
      tr.classList.toggle('wrong', over(chip, part));
    }
    for (const { row, tds } of this.cells) {
      Object.keys(WAYS).forEach((each, i) => {
        const { work, moved, [row]: value } = ways[each];
        tds[i].textContent = { work: (work / 1e9).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }), kept: size(value, least('kept')), ratio: fixed(work / moved, 1) }[row] ?? grouped(value) + (i ? ' a tile' : '');
      });
    }
    for (const cell of this.querySelectorAll('[data-way]')) update(cell, { class: cell.getAttribute('data-way') === way && 'on' });
  }
}

/** Does this part of a tile need more than there is?  @param {any} chip @param {string} part */
const over = (chip, part) => chip[part] > LIMITS[part] * 1024;

/** To three decimals, if it is not whole.  @param {number} bytes */
function size(bytes, least = bytes) {
  const [value, unit] = measured(bytes, { least });
  return `${Number.isInteger(value) ? grouped(value) : fixed(value, 3)}\u00a0${unit}`;
}

customElements.define('attn-memory-hierarchy', MemoryHierarchy);
