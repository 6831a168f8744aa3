/** Chapter 9: a prompt is read at once, then a token a step. What does each step compute? */
import { sum } from './kit/attention.js';
import { whole } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { html, stripes, svg, svgName, unique, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { radios } from './kit/radios.js';

const MOST = { prompt: 8, steps: 6 };
const SIDE = MOST.prompt + MOST.steps;
const PLACES = Array.from({ length: SIDE }, (_, i) => i);
const CELL = 15; // px
const LEAST = 8; // cells that the picture is wide
const LEFT = 24; // px before the grid, for the queries' names
const BELOW = 52; // px below it, for the keys' names, and for a square for each key and value
const KINDS = { 1: 'with a cache', 0: 'without' };
const SQUARES = [['key', 'k'], ['value', 'v']];
const COLUMNS = ['queries', 'keys', 'cells', 'made', 'held'];
const HEADS = ['step', 'queries', 'keys', 'cells', 'K, V made', 'K, V kept'];

/** The cells of a causal grid whose queries are the last ones of the keys. */
const causalCells = (/** @type {number} */ queries, /** @type {number} */ keys) =>
  queries * keys - (queries * (queries - 1)) / 2;

export class Serving extends Widget {
  static title = 'Prefill, then a token a step';
  static state = {
    prompt: whole(4, 1, MOST.prompt), steps: whole(3, 0, MOST.steps), at: whole(0, 0, MOST.steps), keep: whole(1, 0, 1),
  };

  derive({ prompt, steps, at, keep }) {
    const timeline = (/** @type {number} */ kept) => Array.from({ length: steps + 1 }, (_, s) => {
      const keys = prompt + s;
      const queries = kept && s ? 1 : keys;
      return { queries, keys, cells: causalCells(queries, keys), made: queries, held: kept ? keys : 0 };
    });
    const rows = timeline(keep);
    const now = Math.min(at, steps);
    const [first, known] = [rows[now].keys - rows[now].queries, now ? rows[now - 1].keys : 0];
    const grid = PLACES.map((i) => (i >= rows[now].keys ? 'later' : i < first ? 'before' : i < known ? 'again' : 'now'));
    const cells = (list) => sum(list.map((row) => row.cells));
    return {
      rows, now, grid, total: cells(rows), made: sum(rows.map((row) => row.made)),
      kept: cells(timeline(1)), forgot: cells(timeline(0)), whole: causalCells(prompt + steps, prompt + steps),
    };
  }

  describe({ keep }, { rows, now, kept, forgot }) {
    const { queries, keys, cells } = rows[now];
    return `${now ? `Decoding, step ${now}` : 'Prefill'}: ${count(queries, 'query', 'queries')}, ${count(keys, 'key')}, ${count(cells, 'cell')}. `
      + `In all it is ${count(keep ? kept : forgot, 'cell')} ${KINDS[keep]}${keep ? '' : ' a cache'}, and ${keep ? forgot : kept} ${KINDS[1 - keep]}.`;
  }

  // ── Controls ──

  dials = {
    prompt: dial('prompt', { min: 1, max: MOST.prompt }, (prompt) => this.set({ prompt })),
    steps: dial('decoding steps', { max: MOST.steps }, (steps) => this.set({ steps })),
    at: dial('step shown', { max: MOST.steps }, (at) => this.set({ at })),
  };
  keep = radios('keys and values', [KINDS[1], KINDS[0]], (r) => this.set({ keep: 1 - r }));
  #go = (/** @type {number} */ by) => this.set({ at: Math.min(this.state.steps, Math.max(0, this.numbers.now + by)) });
  back = html('button', { type: 'button', onclick: () => this.#go(-1) }, 'Back');
  next = html('button', { type: 'button', onclick: () => this.#go(1) }, 'Next step');

  // ── The grid: a row for each query, filled as it is computed ──

  cells = PLACES.map((i) => PLACES.slice(0, i + 1).map((j) =>
    svg('rect', { x: j * CELL, y: i * CELL, width: CELL, height: CELL })));
  names = [['query', 'q'], ['key', 'k']].map(([tone, letter]) => PLACES.map((i) => svgName(tone, letter, i + 1)));
  squares = SQUARES.map(() => PLACES.map((j) => svg('rect', { x: j * CELL + 1.5, width: CELL - 3, height: CELL - 3 })));
  letters = SQUARES.map(([tone, letter]) => svgName(tone, letter));
  stripes = unique('again'); // patterns are named page-wide
  picture = svg('svg', { class: 'w-filling', 'aria-hidden': true },
    ...[['weight', this.cells.flat()], ...SQUARES.map(([tone], s) => [tone, this.squares[s]])].map(([tone, rects]) =>
      svg('g', { class: tone, style: `--stripes: url(#${this.stripes}-${tone})` },
        stripes(`${this.stripes}-${tone}`), ...rects)),
    ...this.names.flat(), ...this.letters);

  // ── The timeline ──

  rows = Array.from({ length: MOST.steps + 1 }, (_, s) => {
    const cells = COLUMNS.map((of) => html('td', { 'data-of': of }));
    return { cells, tr: html('tr', { 'data-step': s }, html('th', { scope: 'row' }, s ? String(s) : 'prefill'), ...cells) };
  });
  totals = COLUMNS.map((of) => html('td', { 'data-of': of }));
  legend = ['now', 'again', 'before'].map((kind) => html('span', { class: kind },
    svg('svg', { class: 'w-filling weight', viewBox: '0 0 14 14', 'aria-hidden': true },
      svg('rect', { x: 1, y: 1, width: 12, height: 12, class: kind, style: kind === 'again' && `fill: url(#${this.stripes}-weight)` })),
    { now: 'computed now', again: 'computed again', before: 'before (𝑘, 𝑣: kept)' }[kind]));

  build(view) {
    const { prompt, steps, at } = this.dials;
    view.append(
      html('div', { class: 'w-controls w-times' }, prompt.node, steps.node, at.node,
        html('span', {}, this.back, this.next),
        this.keep.node),
      html('div', { class: 'w-ride w-serving' },
        html('figure', {}, this.picture, html('figcaption', { class: 'w-legend' }, ...this.legend)),
        html('table', { class: 'w-timeline', 'aria-label': 'what each step computes' },
          html('thead', {}, html('tr', {}, ...HEADS.map((text) => html('th', { scope: 'col' }, text)))),
          html('tbody', {}, ...this.rows.map(({ tr }) => tr)),
          html('tfoot', {}, html('tr', {}, html('th', { scope: 'row' }, 'sum'), ...this.totals)))),
      this.says);
  }

  draw({ prompt, steps, keep }, { rows, now, grid, total, made }) {
    this.dials.prompt.show(prompt, String(prompt));
    this.dials.steps.show(steps, String(steps));
    update(this.dials.at.input, { max: steps, disabled: steps === 0 });
    this.dials.at.show(now, now ? String(now) : 'prefill');
    this.keep.show(1 - keep);
    update(this.back, { 'aria-disabled': now === 0 && 'true' }); // both keep the focus
    update(this.next, { 'aria-disabled': now === steps && 'true' });
    const n = prompt + steps;
    const [side, below] = [Math.max(n, LEAST) * CELL, n * CELL];
    update(this.picture, { viewBox: `${-LEFT} -1 ${side + LEFT + 1} ${below + BELOW + 1}` });
    const kind = (/** @type {number} */ i) => (i < n ? grid[i] : 'none');
    this.cells.forEach((row, i) => row.forEach((cell) => update(cell, { class: kind(i) })));
    this.squares.forEach((row, s) => {
      row.forEach((square, j) => update(square, { y: below + 18.5 + s * CELL, class: kind(j) }));
      update(this.letters[s], { x: -LEFT / 2, y: below + 28 + s * CELL });
    });
    PLACES.forEach((i) => {
      const hidden = i >= n || (n > 9 && i && i !== n - 1 && ((i + 1) % 4 || i > n - 3)); // long grids name a few
      const [query, key] = this.names.map((list) => list[i]);
      update(query, { x: -LEFT / 2, y: (i + 0.5) * CELL + 3, display: hidden && 'none' });
      update(key, { x: (i + 0.5) * CELL, y: below + 12, display: hidden && 'none' });
    });
    this.rows.forEach(({ cells, tr }, s) => {
      update(tr, { hidden: s > steps, class: s === now && 'on', 'aria-current': s === now && 'step' });
      if (s <= steps) cells.forEach((cell, c) => { cell.textContent = String(rows[s][COLUMNS[c]]); });
    });
    const sums = { cells: total, made };
    this.totals.forEach((cell, c) => { cell.textContent = String(sums[COLUMNS[c]] ?? ''); });
  }
}

const count = (/** @type {number} */ n, /** @type {string} */ one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

customElements.define('attn-serving', Serving);
