/** Chapter 4: random scores spread with the width of a head, scaled ones do not. */
import { choice, whole } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { html, name, rich, svg, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed, grouped } from './kit/format.js';
import { BIN, KEYS, REACH, Sample, WIDTHS, measure, weights } from './variance-sample.js';

const SLICE = 8; // ms of drawing a frame
const SHOWN = 8; // queries whose weights are drawn one by one
const SEEDS = 9999;
const TOP = 0.6; // the density that reaches the upper edge
const [PX, PY] = [100, 1000]; // units of the drawing a score, a density
const SIDES = ['raw', 'scaled'];
const TONES = { raw: 'raw', scaled: 'weight' };

/** Where a score lies on the ruler, as CSS says it. */
const across = (/** @type {number} */ score) => `${(50 * (score + REACH)) / REACH}%`;
const up = (/** @type {number} */ density) => `${(100 * Math.min(density, TOP)) / TOP}%`;

export class Variance extends Widget {
  static title = 'Random scores at any width';
  static state = { d: choice(64, WIDTHS), seed: whole(1, 1, SEEDS) };

  /** @type {Sample | undefined} one seed's, kept while only the width changes */ #sample;

  * derive({ d, seed }) {
    if (this.#sample?.seed !== seed) this.#sample = new Sample(seed);
    const sample = this.#sample;
    while (!sample.complete) {
      sample.grow(SLICE);
      if (!sample.complete) yield summary(sample, d);
    }
    return summary(sample, d);
  }

  describe({ d }, { raw, scaled }) {
    return `At width ${d} raw scores have variance ${fixed(raw.variance, 2)}, and the average query gives `
      + `${fixed(raw.top, 2)} of its attention to one key. Scaled, the variance is ${fixed(scaled.variance, 2)}, `
      + `and it gives ${fixed(scaled.top, 2)}.`;
  }

  // ── Controls ──

  width = dial(rich('span', `Width ${name('', 'd')}<sub>𝑘</sub>`),
    { class: 'w-stops', max: WIDTHS.length - 1, 'aria-label': 'Width of a query and a key' },
    (i) => this.set({ d: WIDTHS[i] }));
  #step = (/** @type {number} */ factor) => this.set({ d: this.state.d * factor });
  halve = html('button', { type: 'button', onclick: () => this.#step(1 / 2) }, 'Halve');
  double = html('button', { type: 'button', onclick: () => this.#step(2) }, 'Double');
  again = html('button', {
    type: 'button', onclick: () => this.set({ seed: (this.state.seed % SEEDS) + 1 }),
  }, 'Draw new vectors');

  // ── One ruler, two histograms ──

  bars = Object.fromEntries(SIDES.map((side) =>
    [side, svg('path', { class: `w-counts ${TONES[side]}` })]));
  labels = {
    raw: rich('span', `raw ${name('raw', 's')}`),
    scaled: rich('span', `scaled ${name('weight', 's')} / √${name('', 'd')}<sub>${'𝑘'}</sub>`),
  };
  beyond = { below: html('span'), above: html('span') };
  figures = Object.fromEntries(SIDES.map((side) =>
    [side, { variance: html('td'), theory: html('td'), top: html('td') }]));
  strips = Object.fromEntries(SIDES.map((side) =>
    [side, Array.from({ length: SHOWN }, () => Array.from({ length: KEYS }, () => html('i')))]));

  build(view) {
    view.append(
      html('div', { class: 'w-controls' },
        this.width.node, this.halve, this.double, this.again),
      this.#ruler(),
      html('div', { class: 'w-spread' }, this.#table(), ...SIDES.map((side) => this.#portrait(side))),
      html('p', { class: 'w-note' },
        'Each strip is one query’s attention, cut into the shares of its four keys. The largest stands out.'),
      this.says);
  }

  #ruler() {
    const [w, h] = [REACH * PX, TOP * PY];
    const ticks = [-20, -10, 0, 10, 20].map((t) =>
      html('span', { style: `left:${across(t)}` }, fixed(t, 0)));
    update(this.labels.scaled, { class: 'weight', style: `right:${across(1.2)};bottom:${up(0.3)}` });
    update(this.labels.raw, { class: 'raw' });
    update(this.beyond.below, { class: 'raw', style: 'left:0' });
    update(this.beyond.above, { class: 'raw', style: 'right:0' });
    return html('div', { class: 'w-ruler', 'aria-hidden': true },
      svg('svg', { viewBox: `${-w} ${-h} ${2 * w} ${h}`, preserveAspectRatio: 'none' },
        this.bars.scaled, this.bars.raw),
      this.labels.scaled, this.labels.raw, this.beyond.below, this.beyond.above,
      html('div', { class: 'w-ticks' }, ...ticks));
  }

  #table() {
    const heading = (text) => update(rich('th', text), { scope: 'col' });
    return html('table', {},
      html('thead', {}, html('tr', {}, html('td'), heading('variance'), heading('in theory'), heading('top weight'))),
      html('tbody', {}, ...SIDES.map((side) => {
        const { variance, theory, top } = this.figures[side];
        return html('tr', { class: TONES[side] },
          html('th', { scope: 'row', class: `w-swatch ${side}` }, side), variance, theory, top);
      })));
  }

  /** The first queries, a strip each, cut as they divide their attention. */
  #portrait(side) {
    return html('figure', { class: 'w-portrait' },
      rich('figcaption', `${SHOWN} queries, <b class="${TONES[side]}">${side}</b>`),
      html('div', { class: 'weight', 'aria-hidden': true },
        ...this.strips[side].map((parts) => html('div', {}, ...parts))));
  }

  draw({ d }, { drawn, ...found }) {
    this.width.show(WIDTHS.indexOf(d), d);
    update(this.halve, { disabled: d === WIDTHS[0] });
    update(this.double, { disabled: d === WIDTHS[WIDTHS.length - 1] });
    for (const side of SIDES) {
      const { variance, top, counts, rows } = found[side];
      update(this.bars[side], { d: skyline(counts, drawn * KEYS) });
      const cells = this.figures[side];
      cells.variance.textContent = fixed(variance, 2);
      cells.theory.textContent = side === 'raw' ? d : 1;
      cells.top.textContent = fixed(top);
      this.strips[side].forEach((parts, i) => parts.forEach((part, j) => {
        const row = rows[i] ?? [];
        part.style.flexGrow = row[j] ?? 0;
        part.classList.toggle('top', row[j] === Math.max(...row));
      }));
    }
    const size = Math.sqrt(d);
    const at = Math.min(1.3 * size, 0.62 * REACH);
    const height = Math.exp(-((at / size) ** 2) / 2) / (size * Math.sqrt(2 * Math.PI));
    update(this.labels.raw, { style: `left:${across(at)};bottom:calc(${up(height)} + 3px)` });
    for (const [end, node] of Object.entries(this.beyond)) {
      const share = found.raw[end];
      const percent = `${Math.round(100 * share)}%`;
      node.textContent = share < 0.005 ? '' : end === 'below' ? `← ${percent}` : `${percent} →`;
    }
    update(this.again, { title: `${grouped(drawn * KEYS)} scores drawn` });
  }
}

/** @param {Sample} sample @param {number} d */
function summary(sample, d) {
  const side = (/** @type {Float64Array} */ scores) => ({
    ...measure(scores),
    rows: Array.from({ length: Math.min(SHOWN, sample.drawn) }, (_, i) => weights(scores, i)),
  });
  return { drawn: sample.drawn, raw: side(sample.at(d)), scaled: side(sample.at(d, Math.sqrt(d))) };
}

/** The outline of a histogram.  @param {number[]} counts @param {number} total */
function skyline(counts, total) {
  const steps = counts.map((count, i) =>
    `V${(-count / total / BIN) * PY}H${((i + 1) * BIN - REACH) * PX}`);
  return `M${-REACH * PX} 0${steps.join('')}V0`;
}

customElements.define('attn-variance', Variance);
