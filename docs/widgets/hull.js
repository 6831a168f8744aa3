/** Chapter 6: weights that sum to one, and the triangle that their mixtures never leave. */
import { dot, mix, sum } from './kit/attention.js';
import { vector as numbers } from './kit/codecs.js';
import { html, name, rich, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed, list, row as rowOf, vector } from './kit/format.js';
import { Plane } from './kit/plane.js';
import { presets } from './kit/presets.js';
import { VALUES as V } from './running-example.js';

const CENTRE = [0, 1].map((d) => (V[0][d] + V[1][d] + V[2][d]) / 3);
const SIDES = [[0, 1], [1, 2], [2, 0]];
const MASS = 30; // px: radius of the disc that a weight of 1 gives its value
const NOISE = 1e-12;
const PRESETS = [
  { label: '0.7, 0.2, 0.1', set: { t: [1, 0.5] } },
  { label: 'All alike', set: { t: CENTRE } },
  { label: `All to ${name('value', 'v', 3)}`, set: { t: V[2] } },
  { label: 'Try to leave', set: { t: [2, 2] } },
];

export class Hull extends Widget {
  static title = 'Three weights, one output';
  static state = { t: numbers([1, 0.5]) }; // where the reader wants the output

  derive({ t }) {
    const needed = solved(t);
    const inside = needed.every((w) => w > -NOISE);
    const weights = inside ? shares(needed.map((w) => (w < NOISE ? 0 : w))) : nearest(t);
    return { needed, inside, weights, output: mix([weights], V)[0] };
  }

  describe({ t }, { needed, inside, weights, output }) {
    if (!inside) {
      return `No weights lead to ${vector(t)}: to sum to 1 they would have to be `
        + `${list(rowOf(needed))}, and none may be below 0. The nearest output is ${vector(output)}.`;
    }
    const place = ['inside the triangle', 'on an edge of the triangle', 'at a corner of the triangle'];
    const zeros = weights.filter((w) => w === 0).length;
    return `Weights ${list(rowOf(weights))} put the output at ${vector(output)}, ${place[zeros]}.`;
  }

  presets = presets(this, PRESETS);

  // ── The plane: values, the output that can be had, and the point that was asked for ──

  plane = new Plane({ x: [-1, 4], y: [-1.2, 3.2], label: 'Value space' });
  triangle = update(this.plane.mark('polygon', 'w-hull value'),
    { points: V.map((v) => this.plane.at(v)).join(' ') });
  masses = V.map(() => this.plane.mark('circle', 'w-mass weight'));
  spokes = V.map(() => this.plane.mark('line', 'w-spoke weight'));
  gap = this.plane.mark('line', 'w-gap');
  values = V.map((_, j) => this.plane.point({ tone: 'value', letter: 'v', index: j + 1, says: '' }));
  output = this.plane.point({ tone: 'output', letter: 'o', says: 'output' });
  target = this.plane.point({
    tone: 'token', letter: 't', says: 'where the output should go', move: (t) => this.set({ t }),
  });

  // ── The weights: a slider each. One moves, and the others share what it leaves ──

  sliders = V.map((_, j) => html('input', {
    type: 'range', class: 'w-plain', min: 0, max: 1, step: 0.01, 'aria-label': `weight ${j + 1}`,
    oninput: () => this.#weigh(j, Number(this.sliders[j].value)),
  }));
  rows = V.map((_, j) => {
    const [weight, needed] = ['weight', 'needed'].map((tone) => html('td', { class: tone }));
    const tr = html('tr', {}, update(rich('th', name('weight', 'a', j + 1)), { scope: 'row' }),
      html('td', { class: 'slide' }, this.sliders[j]), weight, needed);
    return { tr, weight, needed };
  });
  sum = html('p', { class: 'w-note' });
  view = html('div', { class: 'w-pair w-leave' });

  build(view) {
    const one = (tone) => html('td', { class: tone }, fixed(1, 0));
    const heading = (text, span = 1) =>
      html('th', { scope: 'col', class: text, colspan: span }, text);
    this.view.append(
      html('figure', {}, rich('figcaption', `<b>Value space</b>. Drag the output ${name('output', 'o')}.`),
        this.plane.svg, this.sum),
      html('table', { class: 'w-weights' },
        html('thead', {}, html('tr', {}, html('td'), heading('weight', 2), heading('needed'))),
        html('tbody', {}, ...this.rows.map(({ tr }) => tr)),
        html('tfoot', {}, html('tr', {}, html('th', { scope: 'row' }, 'sum'), html('td'),
          one('weight'), one('needed')))));
    view.append(this.presets.node, this.view, this.says);
    V.forEach((v, j) => this.values[j].put(v));
  }

  draw({ t }, { needed, inside, weights, output }) {
    this.presets.show();
    const [ox, oy] = this.plane.at(output);
    const [tx, ty] = this.plane.at(t);
    V.forEach((v, j) => {
      const [x, y] = this.plane.at(v);
      const radius = MASS * Math.sqrt(weights[j]);
      this.values[j].put(v, radius);
      update(this.masses[j], { cx: x, cy: y, r: radius });
      update(this.spokes[j], { x1: x, y1: y, x2: ox, y2: oy, 'stroke-width': weights[j] ? 1 + 5 * weights[j] : 0 });
    });
    update(this.gap, { x1: tx, y1: ty, x2: ox, y2: oy });
    this.output.put(output);
    this.target.put(t, inside ? 30 : 0);
    this.view.classList.toggle('inside', inside);
    this.plane.arrange(
      /** @type {[number[], number[]][]} */ (SIDES.map(([a, b]) => [V[a], V[b]])
        .concat(V.map((v) => [v, output]), [[output, t]])),
      CENTRE,
    );
    const has = rowOf(weights);
    const wants = inside ? has : rowOf(needed);
    this.rows.forEach((row, j) => {
      this.sliders[j].value = weights[j];
      update(this.sliders[j], { 'aria-valuetext': has[j] });
      row.weight.textContent = has[j];
      row.needed.textContent = wants[j];
      row.needed.classList.toggle('wrong', !inside && needed[j] < -NOISE);
    });
    const terms = has.map((w, j) => `<span class="weight">${w}</span> ${name('value', 'v', j + 1)}`);
    this.sum.innerHTML = `${name('output', 'o')} = ${terms.join(' + ')} = `
      + `<b class="output">${vector(output)}</b>`;
  }

  /** One weight is set; the others keep their proportions, or are equal if they have none. */
  #weigh(/** @type {number} */ j, /** @type {number} */ x) {
    const { weights } = this.numbers;
    const left = 1 - weights[j];
    const others = (w) => (left > NOISE ? (w * (1 - x)) / left : (1 - x) / 2);
    this.set({ t: mix([weights.map((w, i) => (i === j ? x : others(w)))], V)[0] });
  }
}

/** The only weights that sum to one and lead to a point, by areas of triangles. */
function solved(t) {
  const area = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  const whole = area(V[0], V[1], V[2]);
  return [area(t, V[1], V[2]), area(V[0], t, V[2]), area(V[0], V[1], t)].map((part) => part / whole);
}

/** Weights of the point of the triangle's outline that lies nearest to a point outside. */
function nearest(t) {
  const feet = SIDES.map(([a, b]) => {
    const [edge, way] = [minus(V[b], V[a]), minus(t, V[a])];
    const along = Math.min(1, Math.max(0, dot(way, edge) / dot(edge, edge)));
    const weights = V.map((_, j) => ({ [a]: 1 - along, [b]: along })[j] ?? 0);
    const off = minus(t, mix([weights], V)[0]);
    return { weights, distance: dot(off, off) };
  });
  return feet.sort((p, q) => p.distance - q.distance)[0].weights;
}

const minus = (a, b) => a.map((x, d) => x - b[d]);
function shares(weights) {
  const whole = sum(weights);
  return weights.map((w) => w / whole);
}

customElements.define('attn-hull', Hull);
