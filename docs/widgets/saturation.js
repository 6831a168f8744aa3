/** Chapter 4: multiply four scores, and see their weights ride the curve a (1 − a). */
import { softmax } from './kit/attention.js';
import { vector } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { bar, fill, html, name, rich, svg, svgName, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed } from './kit/format.js';
import { along, place } from './kit/labels.js';
import { presets } from './kit/presets.js';

const KEYS = [1, 2, 3, 4];
const WIDTH = 64; // of the head that the scores come from
const [MOST, STEP] = [1.5, 0.005];
const [W, H] = [300, 170]; // px: the curve's plot
const [LEFT, RIGHT, HIGH, LOW] = [30, 288, 22, 146]; // where weights 0 and 1, slopes 0.25 and 0 lie
const PRESETS = [
  { label: 'As they come', set: { by: [1] } },
  { label: 'Divided by √64', set: { by: [1 / Math.sqrt(WIDTH)] } },
  { label: 'All alike', set: { by: [0] } },
];

/** @typedef {[number, number]} Px */
const slope = (/** @type {number} */ a) => a * (1 - a);
/** @param {number} a @returns {Px} */
const at = (a, height = slope(a)) => [LEFT + a * (RIGHT - LEFT), LOW - 4 * height * (LOW - HIGH)];
const CURVE = Array.from({ length: 101 }, (_, i) => at(i / 100));

export class Saturation extends Widget {
  static title = 'Four scores, multiplied';
  static state = {
    by: vector([1]), // alone in a vector, because vectors glide
    s: vector([8, 0.1, -0.3, 0.5]),
  };

  derive({ by: [factor], s }) {
    const logits = s.map((score) => score * factor);
    const weights = softmax(logits);
    const slopes = weights.map(slope);
    return { logits, weights, slopes, through: slopes.map((x) => x * factor) };
  }

  describe({ by: [factor] }, { weights, slopes, through }) {
    return `Multiplied by ${fixed(factor, 3)}, the scores give key 1 a weight of ${fixed(weights[0])}. `
      + `Its slope is ${fixed(slopes[0], 5)} by the logit, and ${fixed(through[0], 5)} by the score.`;
  }

  // ── Controls ──

  presets = presets(this, PRESETS);
  factor = dial('Multiply by', { max: MOST, step: STEP, 'aria-label': 'Scores multiplied by' },
    (by) => this.set({ by: [by] }));

  // ── The curve, and four weights on it ──

  dots = KEYS.map((j) => ({
    stem: svg('line', { class: 'w-stem weight' }),
    dot: svg('circle', { class: 'w-dot weight', r: 5 }),
    name: svgName('weight', 'a', j),
    /** @type {number | undefined} */ last: undefined,
  }));

  #plot() {
    const text = (x, y, words, anchor = 'middle') => svg('text', { x, y, 'text-anchor': anchor }, words);
    const rules = [0, 0.25].map((y) => {
      const [x1, h] = at(0, y);
      return svg('line', { x1, x2: RIGHT, y1: h, y2: h, class: y ? 'grid' : 'axis' });
    });
    return svg('svg', { class: 'w-arch', viewBox: `0 0 ${W} ${H}`, 'aria-hidden': true },
      svg('g', { class: 'w-grid' }, ...rules,
        text(LEFT - 5, HIGH + 4, '0.25', 'end'),
        ...[0, 0.5, 1].map((a) => text(at(a)[0], LOW + 16, fixed(a, a % 1 ? 1 : 0)))),
      svg('polyline', { class: 'w-curve', points: CURVE.join(' ') }),
      ...this.dots.map(({ stem }) => stem), ...this.dots.map(({ dot }) => dot),
      ...this.dots.map((each) => each.name));
  }

  // ── The table: a key a row, from its score to its two slopes ──

  rows = KEYS.map((j) => {
    const cells = ['raw', 'logit', 'weight', 'slope', 'slope'].map((tone) => html('td', { class: tone }));
    const share = bar('weight');
    const tr = html('tr', {}, html('th', { scope: 'row' }), ...cells.slice(0, 3),
      html('td', { class: 'bars' }, share), ...cells.slice(3));
    tr.firstChild.innerHTML = name('key', 'k', j);
    return { tr, cells, share };
  });

  #table() {
    const heading = (text, tone) => update(rich('th', text), { scope: 'col', class: tone });
    return html('table', { class: 'w-slopes' },
      html('thead', {}, html('tr', {}, html('td'), heading(`score ${name('raw', 's')}`, 'raw'),
        heading(`logit ${name('', 'z')}`, 'logit'), heading(`weight ${name('weight', 'a')}`, 'weight'),
        html('td', { class: 'bars' }), heading(`slope by ${name('', 'z')}`, 'slope'),
        heading(`slope by ${name('raw', 's')}`, 'slope'))),
      html('tbody', {}, ...this.rows.map(({ tr }) => tr)));
  }

  build(view) {
    view.append(
      this.presets.node,
      html('div', { class: 'w-controls' }, this.factor.node),
      html('div', { class: 'w-ride' },
        html('figure', {}, rich('figcaption', `<b>Slope</b> ${name('weight', 'a')} (1 − ${name('weight', 'a')}) of a weight ${name('weight', 'a')}`), this.#plot()),
        this.#table()),
      this.says);
  }

  draw({ by: [factor], s }, { logits, weights, slopes, through }) {
    this.presets.show();
    this.factor.show(factor, fixed(factor, 3));
    this.rows.forEach(({ cells, share }, j) => {
      const texts = [fixed(s[j], 1), fixed(logits[j]), fixed(weights[j]), fixed(slopes[j], 5), fixed(through[j], 5)];
      cells.forEach((cell, i) => { cell.textContent = texts[i]; });
      fill(share, weights[j]);
    });
    this.#ride(weights);
  }

  #ride(/** @type {number[]} */ weights) {
    const points = weights.map((a) => at(a));
    const away = /** @type {Px} */ ([W / 2, LOW + 60]);
    const labels = points.map((p, j) => ({ at: p, away, room: 6, width: 22, last: this.dots[j].last }));
    const obstacles = [...CURVE, ...along(at(0, 0), at(1, 0))];
    const names = place(labels, /** @type {Px[]} */ (obstacles), [W, H]);
    points.forEach(([x, y], j) => {
      const each = this.dots[j];
      update(each.stem, { x1: x, x2: x, y1: LOW, y2: y });
      update(each.dot, { cx: x, cy: y });
      update(each.name, { x: names[j].x, y: names[j].y + 5 });
      each.last = names[j].side;
    });
  }
}

customElements.define('attn-saturation', Saturation);
