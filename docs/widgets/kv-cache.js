/** Chapter 10: decoding step by step. The cache grows by a row, and no output changes. */
import { attention, causal } from './kit/attention.js';
import { choice, whole } from './kit/codecs.js';
import { html, name, stripes, svg, unique, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fit, keepFitting } from './kit/fit.js';
import { list, row as rowOf, vector } from './kit/format.js';
import { Matrix } from './kit/matrix.js';
import { radios } from './kit/radios.js';
import { KEYS, VALUES } from './running-example.js';

const TOKENS = KEYS.map((_, i) => i);
const WIDTHS = KEYS[0].length + VALUES[0].length; // numbers that a token leaves
const KINDS = { kept: 'with a cache', none: 'without' };
const CELL = 22; // px

const named = (tone, letter) => TOKENS.map((i) => name(tone, letter, i + 1));
const upTo = (/** @type {number} */ t, /** @type {(t: number) => number} */ f) =>
  Array.from({ length: t }, (_, i) => f(i + 1)).reduce((a, b) => a + b, 0);
const triangle = (/** @type {number} */ t) => upTo(t, (i) => i);

export class KvCache extends Widget {
  static title = 'Decoding, a token at a time';
  static state = { step: whole(1, 1, TOKENS.length), cache: choice('kept', Object.keys(KINDS)) };

  derive({ step, cache }) {
    const [K, V] = [KEYS.slice(0, step), VALUES.slice(0, step)];
    const first = cache === 'kept' ? step - 1 : 0; // the first row that this step computes
    const { weights, output } = attention(KEYS.slice(first, step), K, V, { seen: causal(step - first, step) });
    const grid = TOKENS.map((i) => (i >= step ? 'later' : i === step - 1 ? 'now' : cache === 'kept' ? 'before' : 'again'));
    return {
      grid, again: cache === 'kept' ? 0 : triangle(step - 1),
      fresh: step - first, kept: step * WIDTHS, weights: /** @type {number[]} */ (weights.at(-1)), output: output.at(-1),
      outputs: TOKENS.slice(0, step).map((i) => attention([KEYS[i]], KEYS.slice(0, i + 1), VALUES.slice(0, i + 1)).output[0]),
      counts: {
        kept: { now: 1, projected: step, scores: triangle(step), numbers: step * WIDTHS },
        none: { now: step, projected: triangle(step), scores: upTo(step, triangle), numbers: 0 },
      },
    };
  }

  describe({ step, cache }, { fresh, kept, again, weights, output }) {
    const made = fresh === 1 ? '1 key and 1 value are' : `${fresh} keys and ${fresh} values are`;
    const scores = `${step + again} ${step + again === 1 ? 'score' : 'scores'}`;
    const work = cache === 'kept' ? `1 key and 1 value are appended, and the cache holds ${kept} numbers`
      : `nothing was kept, so ${made} computed, and ${scores}${again ? `, ${again} of them again` : ''}`;
    return `Step ${step}: ${work}. Query ${step} gives its ${step === 1 ? 'key the weight' : 'keys the weights'} `
      + `${list(rowOf(weights))}, and output ${step} is ${vector(output)}.`;
  }

  // ── Controls ──

  #walk = (/** @type {number} */ stride) =>
    this.set({ step: Math.min(TOKENS.length, Math.max(1, this.state.step + stride)) });
  back = html('button', { type: 'button', onclick: () => this.#walk(-1) }, 'Back');
  next = html('button', { type: 'button', onclick: () => this.#walk(1) }, 'Next token');
  slider = html('input', {
    type: 'range', class: 'w-plain', min: 1, max: TOKENS.length, 'aria-label': 'step', oninput: () => this.set({ step: Number(this.slider.value) }),
  });
  output = html('output');
  caches = radios('keys and values', Object.values(KINDS), (i) => this.set({ cache: Object.keys(KINDS)[i] }));

  // ── What the step reads and what it gives. Rows that are not there yet are blank. ──

  Q = new Matrix({ title: '𝑞 now', says: 'the query of this step', tone: 'query', rows: [''], cols: ['', ''] });
  K = new Matrix({ title: '𝐾', says: 'keys', tone: 'key', rows: named('key', 'k'), cols: ['', ''] });
  A = new Matrix({ title: 'its weights', says: 'weights of this step', tone: 'weight', rows: named('weight', 'a'), cols: [''] });
  V = new Matrix({ title: '𝑉', says: 'values', tone: 'value', rows: named('value', 'v'), cols: ['', ''] });
  O = new Matrix({ title: '𝑂 so far', says: 'outputs so far', tone: 'output', rows: named('output', 'o'), cols: ['', ''] });
  stage = html('div', { class: 'w-kept' }, ...[this.Q, this.K, this.A, this.V, this.O].map(({ node }) => node));

  // ── The grid of weights: a row for each query, filled as it is computed ──

  cells = TOKENS.map((i) => TOKENS.slice(0, i + 1).map((j) => svg('rect', { x: j * CELL, y: i * CELL, width: CELL, height: CELL })));
  stripes = unique('again'); // patterns are named page-wide
  picture = svg('svg', { class: 'w-triangle weight', viewBox: `-1 -1 ${TOKENS.length * CELL + 2} ${TOKENS.length * CELL + 2}`, 'aria-hidden': true },
    stripes(this.stripes), ...this.cells.flat());
  legend = ['now', 'again', 'before'].map((kind) => html('span', {},
    svg('svg', { class: 'w-triangle weight', viewBox: '0 0 14 14', 'aria-hidden': true }, svg('rect', { x: 1, y: 1, width: 12, height: 12, class: kind })),
    { now: 'computed now', again: 'computed again', before: 'computed before' }[kind]));

  // ── What it costs, so far ──

  costs = ['now', 'projected', 'scores', 'numbers'].map((key) => ({
    key, tds: Object.keys(KINDS).map((cache) => html('td', { 'data-cache': cache })),
  }));

  build(view) {
    const names = ['projected now', 'projected so far', 'scores so far', 'numbers kept'];
    view.append(
      html('div', { class: 'w-controls' },
        html('label', { class: 'w-dial' }, html('span', {}, 'step'), this.slider, this.output), html('div', { class: 'w-controls' }, this.back, this.next),
        this.caches.node),
      this.stage,
      html('p', { class: 'w-note' }, '● computed in this step. The other keys and values are read; the other outputs are done.'),
      html('div', { class: 'w-work' },
        html('figure', {}, html('figcaption', {}, 'the grid of weights'), html('div', { class: 'w-cells' }, this.picture, html('div', {}, ...this.legend))),
        html('table', { class: 'w-steps' },
          html('thead', {}, html('tr', {}, html('td'), ...Object.values(KINDS).map((text) => html('th', { scope: 'col' }, text)))),
          html('tbody', {}, ...this.costs.map(({ key, tds }, i) =>
            html('tr', { 'data-row': key }, html('th', { scope: 'row' }, names[i]), ...tds))))),
      this.says);
    view.style.setProperty('--stripes', `url(#${this.stripes})`);
    keepFitting([this.stage]);
  }

  draw({ step, cache }, { fresh, weights, outputs, counts, grid }) {
    update(this.back, { 'aria-disabled': step === 1 && 'true' }); // so that the focus stays
    update(this.next, { 'aria-disabled': step === TOKENS.length && 'true' });
    this.cells.forEach((cells, i) => cells.forEach((cell) => update(cell, { class: grid[i] })));
    this.slider.value = step;
    update(this.slider, { 'aria-valuetext': `${step} of ${TOKENS.length}` });
    this.output.textContent = `${step} of ${TOKENS.length}`;
    this.caches.show(Object.keys(KINDS).indexOf(cache));
    const rest = TOKENS.slice(step);
    this.Q.show([KEYS[step - 1]], { row: 0 });
    this.#fill(this.K, KEYS, step, fresh);
    this.#fill(this.V, VALUES, step, fresh);
    this.#fill(this.A, [...weights, ...rest.map(() => 0)].map((a) => [a]), step, step);
    TOKENS.forEach((j) => { this.A.rows[j].querySelector('th').innerHTML = name('weight', 'a', `${step}${j + 1}`); });
    this.#fill(this.O, [...outputs, ...rest.map(() => [0, 0])], step, cache === 'kept' ? 1 : step);
    for (const { key, tds } of this.costs) {
      for (const td of tds) {
        td.textContent = String(counts[td.dataset.cache][key]);
        td.classList.toggle('muted', td.dataset.cache !== cache);
      }
    }
    fit(this.stage);
  }

  /** Rows up to the step; those that it computes are marked, the last one stands out. */
  #fill(matrix, M, step, fresh) {
    matrix.show(M, { row: step - 1 });
    matrix.cells.forEach((cells, i) => {
      for (const cell of cells) cell.parentElement.classList.toggle('blank', i >= step);
      matrix.rows[i].classList.toggle('fresh', i < step && i >= step - fresh);
    });
  }
}

customElements.define('attn-kv-cache', KvCache);
