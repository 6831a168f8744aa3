/** Chapter 11: read a row of logits tile by tile, and correct what was summed when a larger one turns up. */
import { dot, softmax, sum } from './kit/attention.js';
import { choice, vector, whole } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { html, italic, name, rich, svg, svgName, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed } from './kit/format.js';
import { presets } from './kit/presets.js';

const LOGITS = [0.5, 1.1, 0.3, 2.4, -1.2, 1.9, 3, 0.8];
const VALUES = [2, 4, 6, 1, -3, 5, 8, -2];
const KEYS = LOGITS.map((_, j) => j);
const SIZES = [1, 2, 4, 8];
const ORDERS = {
  given: { label: 'As they come', sort: () => 0 },
  descending: { label: 'Sort descending', sort: (a, b) => b - a },
  ascending: { label: 'Sort ascending', sort: (a, b) => a - b },
};
const [LEFT, PITCH, HIGH, LOW] = [28, 38, 16, 124]; // px: the bars
const [W, H] = [LEFT + PITCH * KEYS.length + 2, 172];
const EMPTY = { top: NaN, m: -Infinity, before: -Infinity, shrink: NaN, l: 0, acc: 0, lTile: NaN, accTile: NaN, lWas: NaN, accWas: NaN };

export class OnlineSoftmax extends Widget {
  static title = 'A row of logits, tile by tile';
  static state = {
    z: vector(LOGITS), v: vector(VALUES),
    order: choice(/** @type {any} */ ('given'), Object.keys(ORDERS)),
    tile: choice(2, SIZES), step: whole(2, 0, KEYS.length),
  };

  derive({ z, v, order, tile, step }) {
    const places = KEYS.slice().sort((a, b) => ORDERS[order].sort(z[a], z[b]) || a - b);
    const [logits, values] = [z, v].map((row) => places.map((j) => row[j]));
    const tiles = KEYS.length / tile;
    const steps = [EMPTY];
    for (let t = 0; t < tiles; t++) {
      const [zs, vs] = [logits, values].map((row) => row.slice(t * tile, (t + 1) * tile));
      const { m: before, l: lWas, acc: accWas } = steps[t];
      const top = Math.max(...zs);
      const m = Math.max(before, top);
      const e = zs.map((x) => Math.exp(x - m));
      const shrink = Math.exp(before - m);
      const [lTile, accTile] = [sum(e), dot(e, vs)];
      steps.push({ top, m, before, shrink, lWas, accWas, lTile, accTile, l: lWas * shrink + lTile, acc: accWas * shrink + accTile });
    }
    const at = Math.min(step, tiles);
    const moved = (/** @type {number} */ t) => t > 1 && steps[t].m > steps[t].before;
    const moves = steps.slice(0, at + 1).filter((_, t) => moved(t)).length;
    return { logits, values, tiles, at, steps, now: steps[at], moved: moved(at), moves, read: at * tile, whole: dot(softmax(logits), values) };
  }

  describe({ tile }, { at, tiles, now, moved, moves, read, whole: all }) {
    if (!at) return `Nothing is read yet. The row has ${KEYS.length} logits, in tiles of ${tile}.`;
    const change = at === 1 ? `m is ${fixed(now.m, 1)}, and nothing has to be corrected`
      : moved ? `m rises from ${fixed(now.before, 1)} to ${fixed(now.m, 1)}, so ℓ and acc are multiplied by ${fixed(now.shrink)}`
        : `m stays ${fixed(now.m, 1)}, so nothing has to be corrected`;
    const end = at === tiles ? `acc / ℓ is ${fixed(now.acc / now.l)}, and the full row gives ${fixed(all)}.`
      : `acc / ℓ is ${fixed(now.acc / now.l)} so far.`;
    return `Tile ${at} of ${tiles}: ${change}. ${read} of ${KEYS.length} logits read, ${moves} correction${moves === 1 ? '' : 's'} so far. ${end}`;
  }

  // ── Controls ──

  presets = presets(this, Object.entries(ORDERS).map(([order, { label }]) => ({ label, set: { order } })));
  tile = dial('tile size', { max: SIZES.length - 1 }, (i) => this.set({ tile: SIZES[i], step: Math.min(this.state.step, KEYS.length / SIZES[i]) }));
  read = dial('tiles read', {}, (step) => this.set({ step }));
  #walk = (/** @type {number} */ stride) => this.set({ step: this.numbers.at + stride });
  back = html('button', { type: 'button', onclick: () => this.#walk(-1) }, 'Back');
  next = html('button', { type: 'button', onclick: () => this.#walk(1) }, 'Next tile');
  other = html('button', {
    type: 'button',
    onclick: () => this.leap({ z: KEYS.map(() => tenth(3)), v: KEYS.map(() => Math.round(tenth(9))) }),
  }, 'Another row');

  // ── The row: a bar a score, and the stairs that m climbs ──

  bars = KEYS.map((j) => {
    const x = LEFT + j * PITCH + PITCH / 2;
    return {
      x,
      rect: svg('rect', { x: x - 11, width: 22 }),
      z: svg('text', { x, y: 144, class: 'weight' }),
      v: svg('text', { x, y: 165, class: 'value' }),
    };
  });
  axis = svg('line', { class: 'axis', x1: LEFT, x2: W });
  frame = svg('rect', { class: 'w-tile', y: 4, height: H - 6 });
  stairs = svg('path', { class: 'w-stairs' });
  m = svgName('', 'm');

  #picture() {
    const letters = [['weight', 'z', 144], ['value', 'v', 165]].map(([tone, letter, y]) =>
      update(svgName(tone, letter), { x: 9, y }));
    return svg('svg', { class: 'w-row', viewBox: `0 0 ${W} ${H}`, 'aria-hidden': true },
      svg('g', { class: 'w-grid' }, this.axis),
      this.frame, ...this.bars.flatMap(({ rect, z, v }) => [rect, z, v]), this.stairs, this.m, ...letters);
  }

  // ── The arithmetic of one tile ──

  lines = ['m', 'l', 'acc'].map((row) => {
    const cells = ['before', 'shrink', 'tile', 'now'].map((column) => html('td', { 'data-column': column }));
    const head = update(rich('th', { m: italic('m'), l: 'ℓ', acc: 'acc' }[row]), { scope: 'row' });
    return { cells, tr: html('tr', { 'data-row': row }, head, ...cells) };
  });
  so = html('output', { class: 'output' });
  all = html('b', { class: 'output' });

  build(view) {
    const columns = ['before', 'times', 'this tile', 'now'].map((text) => html('th', { scope: 'col' }, text));
    view.append(
      this.presets.node,
      html('div', { class: 'w-dials w-reading' }, this.tile.node, this.read.node,
        html('div', { class: 'w-controls' }, this.back, this.next), html('div', { class: 'w-controls' }, this.other)),
      html('div', { class: 'w-ride w-online' },
        html('figure', {}, rich('figcaption', `<b>Logits</b> ${name('weight', 'z')}, values ${name('value', 'v')}; stairs: the maximum so far, ${italic('m')}`), this.#picture()),
        html('div', {},
          html('table', { class: 'w-sums' },
            html('thead', {}, html('tr', {}, html('td'), ...columns)),
            html('tbody', {}, ...this.lines.map(({ tr }) => tr))),
          html('p', { class: 'w-end' }, 'acc / ℓ = ', this.so, '; full row ', this.all))),
      this.says);
  }

  draw({ tile }, { logits, values, tiles, at, steps, now, whole: all }) {
    this.presets.show();
    this.tile.show(SIZES.indexOf(tile), String(tile));
    update(this.read.input, { max: tiles });
    this.read.show(at, `${at} of ${tiles}`);
    update(this.back, { disabled: at === 0 });
    update(this.next, { disabled: at === tiles });
    const [least, most] = [Math.min(0, ...logits), Math.max(0.1, ...logits)];
    const y = (/** @type {number} */ value) => HIGH + (LOW - HIGH) * (most - value) / (most - least);
    update(this.axis, { y1: y(0), y2: y(0) });
    this.bars.forEach(({ rect, z, v }, j) => {
      const [a, b] = [y(logits[j]), y(0)];
      update(rect, { y: Math.min(a, b), height: Math.max(1, Math.abs(a - b)), class: `weight ${j < at * tile ? 'read' : 'unread'}` });
      z.textContent = fixed(logits[j], 1);
      v.textContent = fixed(values[j], 0);
    });
    const edge = (/** @type {number} */ t) => LEFT + t * tile * PITCH;
    update(this.frame, { x: edge(Math.max(0, at - 1)) + 1, width: tile * PITCH - 2, class: at ? 'w-tile' : 'w-tile none' });
    const climbed = steps.slice(1, at + 1);
    update(this.stairs, { d: climbed.map(({ m }, t) => `${t ? 'V' : `M${edge(0)} `}${y(m)}H${edge(t + 1)}`).join('') || 'M0 0' });
    update(this.m, { x: 13, y: climbed.length ? Math.min(y(climbed[0].m) + 5, LOW - 2) : -99 });
    const sums = (/** @type {number} */ was, /** @type {number} */ tile, /** @type {number} */ so) =>
      [...(at > 1 ? [fixed(was), `× ${fixed(now.shrink)}`] : ['', '']), signed(tile), fixed(so)];
    const texts = [
      [fixed(now.before, 1), 'max', fixed(now.top, 1), fixed(now.m, 1)],
      sums(now.lWas, now.lTile, now.l),
      sums(now.accWas, now.accTile, now.acc),
    ];
    this.lines.forEach(({ cells }, i) => cells.forEach((cell, c) => {
      cell.textContent = at || c === 3 ? texts[i][c] : '–';
    }));
    this.so.textContent = at ? fixed(now.acc / now.l) : '–';
    this.all.textContent = fixed(all);
  }
}

/** What is added: + 0.2216, or − 0.2216.  @param {number} x */
const signed = (x) => `${fixed(x).startsWith('−') ? '−' : '+'} ${fixed(Math.abs(x))}`;

/** A random number of tenths, between −reach and reach.  @param {number} reach */
const tenth = (reach) => Math.round((2 * Math.random() - 1) * reach * 10) / 10;

customElements.define('attn-online-softmax', OnlineSoftmax);
