/** Chapter 7: one causal head, five steps, every matrix on screen and one row worked by hand. */
import { attention, causal, transpose } from './kit/attention.js';
import { matrix, whole } from './kit/codecs.js';
import { html, name, rich, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fit, keepFitting } from './kit/fit.js';
import { digitsFor, list, row as rowOf, vector } from './kit/format.js';
import { Matrix } from './kit/matrix.js';
import { radios } from './kit/radios.js';
import { KEYS, VALUES } from './running-example.js';
import { STEPS, arithmetic } from './worked-example-steps.js';

const TOKENS = [0, 1, 2];
const SEEN = causal(TOKENS.length);
const HIDDEN = SEEN.map((row) => row.map((seen) => !seen));

const named = (tone, letter) => TOKENS.map((i) => name(tone, letter, i + 1));
const [QS, KS] = [named('query', 'q'), named('key', 'k')];
const [VS, OS] = [named('value', 'v'), named('output', 'o')];
const PARTS = ['', '']; // the components of a vector have no names

export class WorkedExample extends Widget {
  static title = 'One causal head, step by step';
  static state = {
    q: matrix(KEYS), k: matrix(KEYS), v: matrix(VALUES),
    step: whole(1, 1, STEPS.length), row: whole(2, 1, TOKENS.length),
  };

  derive({ q, k, v }) {
    const stages = attention(q, k, v, { seen: SEEN });
    return { ...stages, exps: stages.masked.map((row) => row.map(Math.exp)) };
  }

  describe({ step, row }, { raw, scaled, weights, output }) {
    const i = row - 1;
    const numbered = (mask) => TOKENS.filter((j) => mask[i][j]).map((j) => j + 1);
    const keys = (js) => `${js.length > 1 ? 'keys' : 'key'} ${list(js)}`;
    const hidden = numbered(HIDDEN);
    return [
      `Query ${row} scores ${list(rowOf(raw[i]))} against keys 1, 2 and 3.`,
      `Divided by √2, the scores of query ${row} are ${list(rowOf(scaled[i]))}.`,
      `Query ${row} sees ${keys(numbered(SEEN))}${hidden.length ? `, and never ${keys(hidden)}` : ''}.`,
      `Query ${row} gives the keys the weights ${list(rowOf(weights[i]))}, which sum to 1.`,
      `Output ${row} is ${vector(output[i])}.`,
    ][step - 1];
  }

  // ── Controls ──

  #go = (step) => this.set({ step: Math.min(STEPS.length, Math.max(1, step)) });
  #walk = (stride) => this.#go(this.state.step + stride);
  #pick = (i) => this.set({ row: i + 1 });

  back = html('button', { type: 'button', onclick: () => this.#walk(-1) }, 'Back');
  next = html('button', { type: 'button', onclick: () => this.#walk(1) }, 'Next');
  slider = html('input', {
    type: 'range', min: 1, max: STEPS.length, 'aria-label': 'Step',
    oninput: () => this.#go(Number(this.slider.value)),
  });
  stops = STEPS.map(({ verb }) => html('span', {}, verb));
  picked = radios('Row to work out', QS.map((q) => rich('span', q)), (i) => this.#pick(i), 'Row');

  // ── Eight matrices that read as two lines: Q × Kᵀ = S → S/√2, then → masked → A × V = O ──

  #keep = (attribute) => (i, j, x) =>
    this.set({ [attribute]: replaced(this.state[attribute], i, j, x) });

  Q = new Matrix({
    title: '𝑄 queries', says: 'queries', tone: 'query', rows: QS, cols: PARTS,
    onrow: this.#pick, onedit: this.#keep('q'),
  });
  K = new Matrix({
    title: '𝐾<sup>⊤</sup> keys', says: 'keys, transposed', tone: 'key', rows: PARTS, cols: KS,
    operator: '×', onedit: (d, j, x) => this.#keep('k')(j, d, x),
  });
  V = new Matrix({
    title: '𝑉 values', says: 'values', tone: 'value', rows: VS, cols: PARTS,
    operator: '×', onedit: this.#keep('v'),
  });
  stages = STEPS.map((step) => new Matrix({
    ...step, ...(step.verb === 'mix' ? { rows: OS, cols: PARTS } : { rows: QS, cols: KS }),
    onrow: this.#pick,
  }));

  // ── The view ──

  stage = html('div', { class: 'w-matrices' },
    ...[this.Q, this.K, ...this.stages.slice(0, 4), this.V, this.stages[4]].map(({ node }) => node));
  sums = html('div', {
    class: 'w-sums',
    onpointerover: ({ target }) => this.#pointOut(target.closest('[data-n]')?.dataset.n),
    onpointerleave: () => this.#pointOut(),
  });

  build(view) {
    const stops = html('div', { 'aria-hidden': true }, ...this.stops);
    this.picked.node.classList.add('query');
    view.append(
      html('div', { class: 'w-stepper', onkeydown: (event) => arrows(event, this.#walk) },
        this.back, html('div', { class: 'w-track' }, this.slider, stops), this.next),
      this.stage,
      html('div', { class: 'w-work' },
        html('div', {},
          this.picked.node,
          this.says),
        this.sums));
    keepFitting([this.stage, this.sums]);
  }

  draw(state, numbers) {
    const { step, row } = state;
    const { verb } = STEPS[step - 1];
    update(this.back, { disabled: step === 1 });
    update(this.next, { disabled: step === STEPS.length });
    this.slider.value = step;
    update(this.slider, { 'aria-valuetext': `${step} of ${STEPS.length}, ${verb}` });
    this.stops.forEach((stop, i) => stop.classList.toggle('on', i === step - 1));
    this.picked.show(row - 1);
    this.#fillMatrices(state, numbers);
    this.sums.innerHTML = arithmetic(step, row - 1, state, numbers);
    fit(this.stage);
    fit(this.sums);
  }

  #fillMatrices({ q, k, v, step, row: chosen }, { raw, scaled, masked, weights, output }) {
    const row = chosen - 1;
    this.Q.showInputs(q, { row });
    this.K.showInputs(transpose(k));
    this.V.showInputs(v);
    const digits = digitsFor(raw.flat());
    const how = [{ digits }, {}, { masked: HIDDEN }, { masked: HIDDEN, heat: true }, {}];
    [raw, scaled, masked, weights, output].forEach((M, i) => {
      this.stages[i].show(M, step > i ? { row, ...how[i] } : { blank: true });
      this.stages[i].node.classList.toggle('current', step === i + 1);
    });
    this.#pointOut();
  }

  /** Shows in the matrices what the line of arithmetic under the pointer is made of. */
  #pointOut(n) {
    const { step, row } = this.state;
    const line = Number(n);
    const inRow = (r) => r === row - 1;
    const inColumn = (_, c) => c === line;
    const cell = (r, c) => inRow(r) && (line === -1 || c === line);
    const before = this.stages[step - 2];
    /** @type {[Matrix, (row: number, col: number) => boolean][]} */
    const sources = step === 1 ? [[this.Q, inRow], [this.K, inColumn]]
      : step === 5 ? [[before, inRow], [this.V, inColumn]] : [[before, cell]];
    for (const matrix of [this.Q, this.K, this.V, ...this.stages]) matrix.pointOut(() => false);
    if (n === undefined) return;
    for (const [matrix, is] of sources) matrix.pointOut(is);
    this.stages[step - 1].pointOut(cell);
  }
}

const replaced = (M, i, j, x) =>
  M.map((row, r) => row.map((old, c) => (r === i && c === j ? x : old)));

/** The slider has its arrow keys from the browser; Back and Next get the same. */
function arrows(event, walk) {
  const stride = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!stride || event.target.matches('input')) return;
  event.preventDefault();
  walk(stride);
}

customElements.define('attn-worked-example', WorkedExample);
