/** Chapter 8: double the tokens, and the old grid becomes a corner of the new one. */
import { choice } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { html, rich, svg, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { grouped, measured } from './kit/format.js';

const LENGTHS = Array.from({ length: 8 }, (_, k) => 1024 * 2 ** k);
const HEADS = Array.from({ length: 8 }, (_, k) => 2 ** k);
const BYTES = 2; // a cell in fp16
const SIDE = 240; // px: the grid as drawn, however long

export class Growth extends Widget {
  static title = 'Twice the tokens';
  static state = { n: choice(16384, LENGTHS), heads: choice(32, HEADS) };

  derive({ n, heads }) {
    const column = (/** @type {number} */ tokens) => {
      const cells = tokens ** 2;
      return { tokens, cells, one: cells * BYTES, all: cells * BYTES * heads };
    };
    return { before: column(n / 2), now: column(n) };
  }

  describe({ n, heads }, { before, now }) {
    return `${grouped(before.tokens)} tokens have become ${grouped(n)}. A head’s grid grew from `
      + `${size(before.one)} to ${size(now.one)}, ${now.cells / before.cells} times as much. `
      + `${heads === 1 ? 'One head takes' : `${heads} heads take`} ${size(now.all)} a layer.`;
  }

  // ── Controls ──

  half = html('button', { type: 'button', onclick: () => this.set({ n: this.state.n / 2 }) }, 'Halve');
  double = html('button', { type: 'button', onclick: () => this.set({ n: this.state.n * 2 }) }, 'Double');
  tokens = dial('tokens', { max: LENGTHS.length - 1 }, (i) => this.set({ n: LENGTHS[i] }));
  heads = dial('heads', { max: HEADS.length - 1 }, (i) => this.set({ heads: HEADS[i] }));

  // ── A square for every length, and one before the first: all halve when the tokens double ──

  squares = [LENGTHS[0] / 2, ...LENGTHS].map((tokens) => ({ tokens, rect: svg('rect', { x: 1, y: 1 }) }));

  #picture() {
    return svg('svg', { class: 'w-doubling raw', viewBox: `0 0 ${SIDE + 2} ${SIDE + 2}`, 'aria-hidden': true },
      svg('path', { d: `M${1 + SIDE / 2} 1v${SIDE}M1 ${1 + SIDE / 2}h${SIDE}` }),
      ...this.squares.map(({ rect }) => rect));
  }

  // ── The table ──

  cells = ['tokens', 'cells', 'one', 'all'].map((row) => ({
    row,
    head: html('th', { scope: 'row' }),
    tds: ['before', 'now', 'times'].map((column) => html('td', { 'data-column': column })),
  }));

  build(view) {
    const rows = this.cells.map(({ row, head, tds }) => html('tr', { 'data-row': row }, head, ...tds));
    const columns = ['before', 'now', 'growth'].map((text) => html('th', { scope: 'col', class: text }, text));
    view.append(
      html('div', { class: 'w-dials w-lengths' }, this.tokens.node,
        html('div', { class: 'w-controls' }, this.half, this.double), this.heads.node),
      html('div', { class: 'w-ride w-growth' },
        html('figure', {}, rich('figcaption', '<b>The grid now</b>; its corner before'),
          this.#picture()),
        html('table', { class: 'w-doubled' }, html('thead', {}, html('tr', {}, html('td'), ...columns)), html('tbody', {}, ...rows))),
      this.says);
  }

  draw({ n, heads }, { before, now }) {
    const k = LENGTHS.indexOf(n);
    update(this.half, { disabled: k === 0 });
    update(this.double, { disabled: k === LENGTHS.length - 1 });
    this.tokens.show(k, grouped(n));
    this.heads.show(HEADS.indexOf(heads), String(heads));
    for (const { tokens, rect } of this.squares) {
      const side = (SIDE * tokens) / n;
      update(rect, { width: side, height: side, class: tokens > n ? 'later' : '' });
    }
    const names = ['tokens', 'cells of a head', 'bytes of a head', `bytes of ${heads === 1 ? '1 head' : `${heads} heads`}`];
    this.cells.forEach(({ row, head, tds }, i) => {
      const print = i < 2 ? grouped : size;
      head.textContent = names[i];
      const [a, b] = [before[row], now[row]];
      [print(a), print(b), `× ${b / a}`].forEach((text, c) => { tds[c].textContent = text; });
    });
  }
}

/** Whole, since all are powers of two.  @param {number} bytes */
const size = (bytes) => measured(bytes).join(' ');

customElements.define('attn-growth', Growth);
