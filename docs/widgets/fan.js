/** Chapter 3: one token's vector goes through three matrices and comes out in three roles. */
import { mix, transpose } from './kit/attention.js';
import { matrix, whole } from './kit/codecs.js';
import { html, name, rich, svg, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fit, keepFitting } from './kit/fit.js';
import { digitsFor, fixed, row as rowOf, vector } from './kit/format.js';
import { Matrix } from './kit/matrix.js';
import { products } from './kit/products.js';
import { radios } from './kit/radios.js';
import { roving } from './kit/roving.js';

const X = [[1, 0, 2, -1, 1], [0, 1, -1, 1, 2], [2, 1, 0, 1, -1], [1, -1, 1, 0, 1]];
const ROLES = [
  {
    tone: 'query', letter: 'q', big: 'Q', does: 'what it looks for',
    W: [[1, 0, -1], [-1, -1, 0], [-1, 0, 2], [-1, -1, 1], [1, 0, 0]],
  },
  {
    tone: 'key', letter: 'k', big: 'K', does: 'what it is found by',
    W: [[0, 0, 1], [1, 1, -1], [0, 1, 0], [-1, 1, 0], [1, 0, 0]],
  },
  { tone: 'value', letter: 'v', big: 'V', does: 'what it hands over', W: [[1, 0], [0, 1], [0, 1], [1, 0], [0, -1]] },
];
/** The eight numbers that come out, each from its column: [role, column]. */
const ENTRIES = ROLES.flatMap(({ W }, r) => W[0].map((_, c) => [r, c]));
const ORDINAL = ['first', 'second', 'third'];

export class Fan extends Widget {
  static title = 'One vector, three roles';
  static state = { x: matrix(X), token: whole(1, 1, X.length), entry: whole(1, 1, ENTRIES.length) };

  derive({ x, token }) {
    return { roles: ROLES.map(({ W }) => mix([x[token - 1]], W)[0]) };
  }

  describe({ token, entry }, { roles }) {
    const [r, c] = ENTRIES[entry - 1];
    const [q, k, v] = roles.map((role) => vector(role));
    return `Token ${token} looks for ${q}, is found by ${k} and hands over ${v}. The ${ORDINAL[c]} `
      + `number of its ${ROLES[r].tone} is ${fixed(roles[r][c], digitsFor(roles[r]))}.`;
  }

  // ── The token, and its vector, which can be edited ──

  tokens = radios('Token', X.map((_, i) => rich('span', name('token', 'x', i + 1))),
    (i) => this.set({ token: i + 1 }), 'Token');
  x = new Matrix({
    title: '', says: 'the token’s vector', tone: 'token', rows: [''], cols: X[0].map(() => ''),
    onedit: (_, d, value) => this.set({
      x: this.state.x.map((old, i) =>
        (i === this.state.token - 1 ? old.map((o, e) => (e === d ? value : o)) : old)),
    }),
  });

  // ── Three matrices; under each column stands the number it makes ──

  rays = ROLES.map(({ tone }, r) => svg('path', {
    class: tone, d: `M50 0C50 26 ${100 / 6 + (r * 100) / 3} 14 ${100 / 6 + (r * 100) / 3} 40`,
  }));
  weights = ROLES.map(({ tone, big, W }) => new Matrix({
    title: name(tone, 'W', big), says: `W ${big}, the projection to the ${tone}`, tone,
    rows: W.map(() => ''), cols: W[0].map(() => ''),
  }));
  results = ENTRIES.map((_, i) => {
    const choose = () => this.set({ entry: i + 1 });
    return html('button', { type: 'button', onclick: choose, onfocus: choose });
  });
  names = ROLES.map(({ tone }) => html('b', { class: tone }));
  fan = html('div', { class: 'w-fan' });
  work = html('div', { class: 'w-terms' });
  aim = roving(this.results, ENTRIES.length);

  build(view) {
    this.tokens.node.classList.add('token');
    view.append(
      this.tokens.node,
      this.fan,
      html('div', { class: 'w-explain' }, this.says, this.work));
    this.fan.append(this.x.node,
      svg('svg', { class: 'w-rays', viewBox: '0 0 100 40', preserveAspectRatio: 'none', 'aria-hidden': true },
        ...this.rays),
      ...ROLES.map((role, r) => this.#role(role, r)));
    keepFitting([this.fan, this.work]);
    this.weights.forEach((W, r) => W.show(ROLES[r].W));
  }

  #role({ tone, does }, r) {
    const mine = this.results.filter((_, i) => ENTRIES[i][0] === r);
    const first = this.results.indexOf(mine[0]);
    this.weights[r].cells.forEach((cells) => cells.forEach((cell, c) => update(cell.parentElement, {
      onpointerenter: () => this.#look(first + c + 1),
      onclick: () => this.set({ entry: first + c + 1 }),
    })));
    const line = html('div', { class: 'w-entries', role: 'group', 'aria-label': tone }, ...mine);
    return html('div', { class: `w-role ${tone}`, onpointerleave: () => this.#look(this.state.entry) },
      this.weights[r].node, line,
      html('p', {}, this.names[r], html('span', { class: 'muted' }, does)));
  }

  draw({ x, token, entry }, { roles }) {
    this.tokens.show(token - 1);
    this.x.showInputs([x[token - 1]]);
    ROLES.forEach(({ tone, letter }, r) => {
      this.names[r].innerHTML = name(tone, letter, token);
    });
    const texts = roles.map((role) => rowOf(role));
    const chars = Math.max(...texts.flat().map((text) => text.replace('−', '').length));
    this.fan.style.setProperty('--chars', String(chars));
    this.results.forEach((button, i) => {
      const [r, c] = ENTRIES[i];
      const text = texts[r][c];
      update(button, { 'aria-pressed': String(i === entry - 1) });
      button.innerHTML = `<span class="w-unseen">${ORDINAL[c]} number: </span>`
        + text.replace('−', '<span class="minus">−</span>');
    });
    this.aim(entry - 1);
    this.#look(entry);
    fit(this.fan);
  }

  /** Shows how the number under a column is made; a pointer passing by shows it for a moment. */
  #look(entry) {
    const [r, c] = ENTRIES[entry - 1];
    const { tone, letter, big, W } = ROLES[r];
    const { token } = this.state;
    this.rays.forEach((ray, i) => ray.classList.toggle('on', i === r));
    this.weights.forEach((matrix, i) => matrix.pointOut((_, col) => i === r && col === c));
    this.results.forEach((button, i) => button.classList.toggle('on', i === entry - 1));
    this.work.replaceChildren(products(
      { name: name('token', 'x', token), tone: 'token', values: this.state.x[token - 1] },
      { name: `column ${c + 1} of ${name(tone, 'W', big)}`, tone, values: transpose(W)[c] },
      { name: name(tone, letter, token), tone, value: this.numbers.roles[r][c] },
    ));
    fit(this.work);
  }
}

customElements.define('attn-fan', Fan);
