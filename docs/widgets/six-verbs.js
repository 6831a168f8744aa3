/** Chapter 12: a token on its way through the verbs of attention. */
import { attention, causal, mix, transpose } from './kit/attention.js';
import { choice, whole } from './kit/codecs.js';
import { html, name, rich, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fit, keepFitting } from './kit/fit.js';
import { list, row as rowOf, vector } from './kit/format.js';
import { Matrix } from './kit/matrix.js';
import { radios } from './kit/radios.js';
import { roving } from './kit/roving.js';

const TOKENS = [0, 1, 2];
const X = [[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1]]; // of lab 1
const W_QK = [[1, -1], [0, 0], [0, 1], [0, 2]];
const W_V = [[1, -1], [0, 1], [0, 1], [2, 1]];
const SEEN = causal(TOKENS.length);
const HIDDEN = SEEN.map((row) => row.map((see) => !see));

const named = (/** @type {string} */ tone, /** @type {string} */ letter) => TOKENS.map((i) => name(tone, letter, i + 1));
const [QS, KS, VS, OS] = [named('query', 'q'), named('key', 'k'), named('value', 'v'), named('output', 'o')];
const [PARTS, MORE] = [['', ''], ['', '', '', '']];
const ARRAYS = {
  x: { title: '𝑋 tokens', says: 'tokens', tone: 'token', rows: named('token', 'x'), cols: MORE },
  q: { title: '𝑄 queries', says: 'queries', tone: 'query', rows: QS, cols: PARTS },
  k: { title: '𝐾 keys', says: 'keys', tone: 'key', rows: KS, cols: PARTS },
  kt: { title: '𝐾<sup>⊤</sup> keys', says: 'keys, transposed', tone: 'key', rows: PARTS, cols: KS },
  v: { title: '𝑉 values', says: 'values', tone: 'value', rows: VS, cols: PARTS },
  raw: { title: 'scores', says: 'scores', tone: 'raw', rows: QS, cols: KS },
  scaled: { title: 'scaled', says: 'scaled scores', tone: 'weight', rows: QS, cols: KS },
  masked: { title: 'masked', says: 'masked scores', tone: 'weight', rows: QS, cols: KS },
  weights: { title: '𝐴 weights', says: 'weights', tone: 'weight', rows: QS, cols: KS },
  output: { title: '𝑂 outputs', says: 'outputs', tone: 'output', rows: OS, cols: PARTS },
};
const VERBS = {
  project: { how: '𝑋𝑊, a matrix for each role', gets: ['x'], makes: ['q', 'k', 'v'] },
  compare: { how: '𝑄𝐾<sup>⊤</sup>, a dot product for each pair', gets: ['q', 'kt'], makes: ['raw'] },
  scale: { how: '÷ √2, the root of the width', gets: ['raw'], makes: ['scaled'] },
  mask: { how: '−∞ where a key comes later', gets: ['scaled'], makes: ['masked'] },
  normalise: { how: 'softmax, row by row', gets: ['masked'], makes: ['weights'] },
  mix: { how: '𝐴𝑉, a mean of the values', gets: ['weights', 'v'], makes: ['output'] },
};
const NAMES = Object.keys(VERBS);
const TOLD = { lesson: 0, later: 2 }; // columns of the fallback, if there is one: its links are the page's

export class SixVerbs extends Widget {
  static title = 'A token on its way';
  static state = { verb: choice('compare', NAMES), token: whole(3, 1, TOKENS.length) };

  derive() {
    const [q, k, v] = [W_QK, W_QK, W_V].map((W) => mix(X, W));
    return { x: X, q, k, kt: transpose(k), v, ...attention(q, k, v, { seen: SEEN }) };
  }

  describe({ verb, token }, { q, k, v, raw, scaled, weights, output }) {
    const i = token - 1;
    return {
      project: `Token ${token} becomes a query ${vector(q[i])}, a key ${vector(k[i])} and a value ${vector(v[i])}.`,
      compare: `Query ${token} scores ${list(rowOf(raw[i]))} with keys 1, 2 and 3.`,
      scale: `Divided by √2, the scores of query ${token} are ${list(rowOf(scaled[i]))}.`,
      mask: `Query ${token} keeps ${token} of 3 keys${token === 3 ? '' : '; the others come later'}.`,
      normalise: `Query ${token} gives the keys ${list(rowOf(weights[i]))}, which sum to 1.`,
      mix: `Output ${token} is ${vector(output[i])}: what the weights made of the values.`,
    }[verb];
  }

  // ── Controls ──

  stops = NAMES.map((verb) => {
    const choose = () => this.set({ verb });
    return html('button', { type: 'button', onclick: choose }, verb);
  });
  aim = roving(this.stops, NAMES.length);
  followed = radios('token to follow', TOKENS.map((i) => rich('span', name('token', 'x', i + 1))),
    (i) => this.set({ token: i + 1 }), 'Follow');

  // ── What a verb gets, what it does, what it makes ──

  arrays = Object.fromEntries(Object.entries(ARRAYS).map(([of, options]) => [of,
    new Matrix({ ...options, onrow: of === 'kt' ? undefined : (i) => this.set({ token: i + 1 }) })]));
  how = html('p', { class: 'w-how' });
  flow = html('div', { class: 'w-flow' });
  lesson = html('dd');
  later = html('dd');

  build(view) {
    this.told = [...this.querySelectorAll('tbody tr')].map(({ cells }) =>
      Object.fromEntries(Object.entries(TOLD).map(([what, column]) =>
        [what, [...cells[column].querySelectorAll('a')].map((a) => a.outerHTML).join(', ')])));
    view.append(
      html('div', { class: 'w-verbs', role: 'group', 'aria-label': 'verbs' }, ...this.stops),
      this.followed.node,
      this.flow,
      this.says,
      html('dl', { class: 'w-told' },
        html('div', {}, html('dt', {}, 'taught in'), this.lesson),
        html('div', {}, html('dt', {}, 'touched later by'), this.later)));
    keepFitting([this.flow]);
  }

  draw({ verb, token }, numbers) {
    const { gets, makes, how } = VERBS[verb];
    this.stops.forEach((stop, i) => {
      update(stop, { 'aria-pressed': String(NAMES[i] === verb) });
    });
    this.aim(NAMES.indexOf(verb));
    this.followed.show(token - 1);
    this.how.innerHTML = how;
    const nodes = [...gets.map((of) => this.arrays[of].node), this.how, ...makes.map((of) => this.arrays[of].node)];
    if (nodes.some((node, i) => this.flow.children[i] !== node) || this.flow.children.length !== nodes.length) this.flow.replaceChildren(...nodes);
    for (const of of [...gets, ...makes]) {
      this.arrays[of].show(numbers[of], {
        row: of === 'kt' || (of === 'v' && verb === 'mix') ? -1 : token - 1,
        masked: of === 'masked' || of === 'weights' ? HIDDEN : undefined, heat: of === 'weights',
      });
    }
    const told = this.told[NAMES.indexOf(verb)] ?? { lesson: '', later: '' };
    this.lesson.innerHTML = told.lesson;
    this.later.innerHTML = told.later;
    fit(this.flow);
  }
}

customElements.define('attn-six-verbs', SixVerbs);
