/** Chapter 8: cut one width into heads. Their slices stay apart until W_O adds them up. */
import { attention, mix } from './kit/attention.js';
import { choice, vector, whole } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { html, italic, rich, svg, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed, grouped } from './kit/format.js';
import { normals } from './kit/random.js';

const WIDTH = 24; // of a token, and of all heads together
const TOKENS = 4;
const HEADS = Array.from({ length: WIDTH }, (_, i) => i + 1).filter((heads) => WIDTH % heads === 0);
const PLACES = Array.from({ length: WIDTH }, (_, i) => i);
const SHOWN = TOKENS - 1; // whose row is drawn
const MOST = 2; // that values are moved by
const SAME = 1e-9;
const LAST = `${italic('W')}<tspan dy="3" font-size="9">${italic('O')}</tspan><tspan dy="-3">\u200b</tspan>`;
const [CELL, LEFT, TOP, BAR] = [10, 38, 20, 40]; // px
const BELOW = TOP + WIDTH * CELL + 25;
const FIXED = ['adds', 'parameters']; // what costs the same however many heads there are

/** Tokens, and W_Q, W_K, W_V, W_O: random, and the same for every number of heads. */
const [X, ...W] = (() => {
  const fill = normals(8);
  const draw = (/** @type {number} */ rows, /** @type {number} */ size) => Array.from({ length: rows }, () => {
    const row = new Float64Array(WIDTH);
    fill(row);
    return Array.from(row, (x) => x * size);
  });
  return [draw(TOKENS, 1), ...[0, 1, 2, 3].map(() => draw(WIDTH, 1 / Math.sqrt(WIDTH)))];
})();
const [Q, K, V] = W.map((matrix) => mix(X, matrix));

export class Heads extends Widget {
  static title = 'One width, cut into heads';
  static state = {
    heads: choice(4, HEADS), head: whole(2, 1, WIDTH), by: vector([1]), mixed: whole(1, 0, 1),
  };

  derive({ heads, head, by: [by], mixed }) {
    const width = WIDTH / heads;
    const moved = Math.min(head, heads) - 1;
    const of = PLACES.map((c) => Math.floor(c / width)); // whose column it is
    const slice = (M, h) => M.map((row) => row.slice(h * width, (h + 1) * width));
    const join = (shift) => {
      const outs = Array.from({ length: heads }, (_, h) => {
        const values = slice(V, h).map((row) => row.map((x) => x + (h === moved ? shift : 0)));
        return attention(slice(Q, h), slice(K, h), values).output;
      });
      return X.map((_, i) => outs.flatMap((out) => out[i]));
    };
    const hand = (joined) => (mixed ? mix(joined, W[3]) : joined);
    const [before, joined] = [join(0), join(by)];
    const [still, output] = [hand(before), hand(joined)];
    const differ = (A, B) => PLACES.filter((c) => A.some((row, i) => Math.abs(row[c] - B[i][c]) > SAME));
    const part = (c, h) => Math.abs(joined[SHOWN].reduce((sum, x, r) =>
      sum + (of[r] === h ? x * (mixed ? W[3][r][c] : Number(r === c)) : 0), 0));
    return {
      width, moved, of, joined, output, made: [X, ...W],
      slices: differ(before, joined), outputs: differ(still, output),
      shares: PLACES.map((c) => {
        const parts = Array.from({ length: heads }, (_, h) => part(c, h));
        return parts[moved] / parts.reduce((a, b) => a + b);
      }),
      adds: heads * TOKENS ** 2 * 2 * width, cells: heads * TOKENS ** 2,
      parameters: W.length * WIDTH ** 2,
    };
  }

  describe({ heads, by: [by] }, { width, moved, slices, outputs, cells }) {
    const cut = `${heads === 1 ? '1 head' : `${heads} heads`} of width ${width}: ${cells} score cells. `;
    if (!slices.length) return `${cut}Nothing is moved, so nothing changes.`;
    const n = outputs.length;
    return `${cut}The values of head ${moved + 1} are moved by ${fixed(by, 1)}, and ${n === WIDTH ? 'all' : `${n} of the`} ${WIDTH} numbers `
      + `that the layer hands on change${n === 1 ? 's' : ''}${n === WIDTH ? '' : ': its own slice'}.`;
  }

  // ── Controls ──

  dials = {
    heads: dial('heads', { max: HEADS.length - 1 }, (i) => this.set({ heads: HEADS[i] })),
    head: dial('head to move', { min: 1 }, (head) => this.set({ head })),
    by: dial('values moved by', { min: -MOST, max: MOST, step: 0.1 }, (by) => this.set({ by: [by] })),
  };
  mixed = html('input', {
    type: 'checkbox', onchange: () => this.set({ mixed: Number(this.mixed.checked) }),
  });

  // ── The picture: the joined row on its side, the rows of W_O beside it, their sum below ──

  joined = PLACES.map((c) => svg('rect', { x: LEFT - 18, y: TOP + c * CELL, width: 12, height: CELL }));
  rows = PLACES.map((r) => svg('rect', { y: TOP + r * CELL, height: CELL }));
  sums = PLACES.map((c) => svg('rect', { x: LEFT + c * CELL, y: BELOW, width: CELL, height: BAR }));
  parts = PLACES.map((c) => svg('rect', { class: 'share', x: LEFT + c * CELL, width: CELL }));
  marks = [
    PLACES.map((c) => svg('circle', { cx: LEFT - 24, cy: TOP + (c + 0.5) * CELL, r: 2.5 })),
    PLACES.map((c) => svg('circle', { cx: LEFT + (c + 0.5) * CELL, cy: BELOW + BAR + 6, r: 2.5 })),
  ];
  edges = svg('path', { class: 'edges' });
  chosen = svg('path', { class: 'chosen' });

  #picture() {
    const text = (x, y, words) => svg('text', { x, y }, words);
    return svg('svg', { class: 'w-cut output', viewBox: `0 0 ${LEFT + WIDTH * CELL + 1} ${BELOW + BAR + 12}`, 'aria-hidden': true },
      text(0, TOP - 7, 'joined'), this.title, this.out,
      update(text(LEFT + WIDTH * CELL, TOP - 7, '● changed'), { 'text-anchor': 'end' }),
      ...this.joined, ...this.rows, ...this.sums, ...this.parts, this.edges, this.chosen,
      svg('g', { class: 'joined' }, ...this.marks[0]), svg('g', { class: 'out' }, ...this.marks[1]));
  }
  title = svg('text', { x: LEFT + 8, y: TOP - 7 });
  out = svg('text', { x: LEFT, y: BELOW - 7 });

  // ── What it costs ──

  costs = ['width', 'adds', 'parameters', 'cells'].map((key) => ({ key, td: html('td') }));
  grids = html('div', { class: 'w-grids weight', 'aria-hidden': true });

  build(view) {
    const names = ['width of a head', 'multiply-adds, both products', 'parameters', 'score cells'];
    view.append(
      html('div', { class: 'w-heads' },
        html('figure', {}, this.#picture()),
        html('div', {},
          html('div', { class: 'w-dials' }, ...Object.values(this.dials).map(({ node }) => node)),
          html('label', { class: 'w-check' }, this.mixed, rich('span', `mix with ${italic('W')}<sub>${italic('O')}</sub>`)),
          html('table', { class: 'w-costs' }, ...this.costs.map(({ key, td }, i) => {
            const same = FIXED.includes(key);
            return html('tr', { 'data-row': key, class: same && 'muted' },
              html('th', { scope: 'row' }, names[i]), td, html('td', {}, same ? 'unchanged' : ''));
          })),
          html('p', { class: 'w-note' }, 'score grids, one a head'), this.grids)),
      this.says);
  }

  draw({ heads, by: [by], mixed }, numbers) {
    const { moved, of, slices, outputs, shares, width } = numbers;
    const { dials } = this;
    dials.heads.show(HEADS.indexOf(heads), String(heads));
    update(dials.head.input, { max: heads, disabled: heads === 1 });
    dials.head.show(moved + 1, String(moved + 1));
    dials.by.show(by, fixed(by, 1));
    this.mixed.checked = !!mixed;
    this.title.innerHTML = mixed ? `the rows of ${LAST}` : `no ${LAST}: straight through`;
    this.out.textContent = `out: head ${moved + 1}’s share of each number`;
    const tint = (h) => (h === moved && slices.length ? 'moved' : h % 2 ? 'odd' : '');
    PLACES.forEach((c) => {
      update(this.joined[c], { class: tint(of[c]) });
      update(this.rows[c], { class: tint(of[c]), x: LEFT + (mixed ? 0 : c * CELL), width: mixed ? WIDTH * CELL : CELL });
      update(this.parts[c], { y: BELOW + BAR * (1 - shares[c]), height: BAR * shares[c] });
      update(this.marks[0][c], { class: slices.includes(c) ? 'on' : '' });
      update(this.marks[1][c], { class: outputs.includes(c) ? 'on' : '' });
    });
    const steps = Array.from({ length: heads + 1 }, (_, h) => TOP + h * width * CELL);
    const far = (y) => (mixed ? LEFT + WIDTH * CELL : LEFT + y - TOP);
    update(this.edges, { d: steps.map((y) => `M${LEFT - 18} ${y}h12M${LEFT} ${y}H${far(y)}`).join('') });
    const [top, side] = [steps[moved], width * CELL];
    const [from, across] = mixed ? [LEFT, WIDTH * CELL] : [LEFT + top - TOP, side];
    update(this.chosen, { d: `M${LEFT - 18} ${top}h12v${side}h-12zM${from} ${top}h${across}v${side}h${-across}z` });
    for (const { key, td } of this.costs) td.textContent = grouped(numbers[key]);
    this.grids.replaceChildren(...Array.from({ length: heads }, (_, h) => html('i', { class: h === moved ? 'chosen' : '' })));
  }
}

customElements.define('attn-heads', Heads);
