/** Chapter 9: turn a query and a key by their positions. What is left is their distance. */
import { dot } from './kit/attention.js';
import { choice, whole } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { round } from './kit/dtypes.js';
import { html, name, rich, svg, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed, grouped, vector } from './kit/format.js';
import { Plane } from './kit/plane.js';
import { presets } from './kit/presets.js';

const MOST = 16; // positions on a slider
const FRONT = [0, 5, 100, 999, 9999, 99999, 999998]; // tokens that can be put in front
const WIDTHS = [2, 4, 8, 16, 32, 64, 128];
const BASES = [10000, 500000];
const BANDS = 8; // pairs drawn, at most
const REACH = 64; // distances drawn
const ARC = 0.36; // the radius of the angle
const SIDES = ['i', 'j'];
const TONES = { i: 'query', j: 'key' };
const LETTERS = { i: 'q', j: 'k' };
const START = { i: 0, j: Math.PI / 2 }; // where q = [1, 0] and k = [0, 1] point
const PRESETS = [
  { label: '2, 1', front: 0 }, { label: '7, 6', front: 5 }, { label: '1001, 1000', front: 999 },
  { label: '10⁶, 10⁶ − 1', front: 999998 },
].map(({ label, front }) => ({ label, set: { i: 2, j: 1, front } }));
let count = 0;

const radians = (/** @type {number} */ degrees) => (degrees * Math.PI) / 180;
const degrees = (/** @type {number} */ radians) => (radians * 180) / Math.PI;
/** The same direction, from −180 to 180. */
const wrapped = (/** @type {number} */ degrees) => degrees - 360 * Math.round(degrees / 360);
const circle = (/** @type {number} */ angle) => [Math.cos(angle), Math.sin(angle)];
/** The pairs to draw, from the fastest to the slowest. */
const chosen = (/** @type {number} */ pairs) => (pairs <= BANDS
  ? Array.from({ length: pairs }, (_, f) => f)
  : Array.from({ length: BANDS }, (_, k) => Math.round((k * (pairs - 1)) / (BANDS - 1))));

export class Rope extends Widget {
  static title = 'Turned by their positions';
  static state = {
    i: whole(2, 1, MOST), j: whole(1, 1, MOST), front: choice(0, FRONT), speed: whole(30, 0, 90),
    together: whole(1, 0, 1), dtype: choice('float64', Object.keys(round)),
    width: choice(16, WIDTHS), base: choice(10000, BASES),
  };

  /** Position, speed and their product are rounded; sines, cosines and sums are not. */
  derive({ front, speed, dtype, width, base, ...at }) {
    const keep = round[dtype];
    const omega = keep(radians(speed));
    const [q, k] = SIDES.map((side) => {
      const position = at[side] + front;
      const stored = keep(position);
      const angle = keep(stored * omega);
      return { position, stored, angle, turned: circle(START[side] + angle) };
    });
    const distance = at.i - at.j;
    const bands = chosen(width / 2).map((f) => {
      const omega_f = base ** ((-2 * f) / width);
      return { f, omega: omega_f, around: (2 * Math.PI) / omega_f };
    });
    return {
      q, k, distance, bands, between: wrapped(degrees(q.angle - k.angle)),
      score: dot(q.turned, k.turned), theory: Math.sin(distance * radians(speed)),
    };
  }

  describe({ speed, dtype }, { q, k, distance, score, theory }) {
    const same = distance !== 0 && q.stored === k.stored;
    const right = fixed(score) === fixed(theory);
    return `Query at ${grouped(q.position)}, key at ${grouped(k.position)}: ${Math.abs(distance)} apart, at ${speed}° a position. `
      + `${same ? `In ${dtype} both positions are ${grouped(q.stored)}. ` : ''}`
      + `The score is ${fixed(score)}${right ? ', as it should be' : ` and should be ${fixed(theory)}`}.`;
  }

  // ── Controls ──

  presets = presets(this, PRESETS);
  dials = {
    i: dial(rich('span', `query ${name('query', 'q')} at`), { min: 1, max: MOST, 'aria-label': 'query at' }, (to) => this.#move('i', to)),
    j: dial(rich('span', `key ${name('key', 'k')} at`), { min: 1, max: MOST, 'aria-label': 'key at' }, (to) => this.#move('j', to)),
    front: dial('tokens in front', { max: FRONT.length - 1 }, (at) => this.set({ front: FRONT[at] })),
    speed: dial(rich('span', `speed 𝜔`), { max: 90, 'aria-label': 'speed' }, (speed) => this.set({ speed })),
    width: dial(rich('span', `width ${name('', 'd')}<sub>ℎ</sub>`), { max: WIDTHS.length - 1, 'aria-label': 'width of the head' }, (at) => this.set({ width: WIDTHS[at] })),
  };
  together = html('input', { type: 'checkbox', onchange: () => this.set({ together: Number(this.together.checked) }) });
  slow = html('input', { type: 'checkbox', onchange: () => this.set({ base: BASES[Number(this.slow.checked)] }) });
  group = `dtype-${(count += 1)}`;
  radios = Object.keys(round).map((dtype) => html('input', {
    type: 'radio', name: this.group, onchange: () => this.set({ dtype }),
  }));

  /** Locked, the other goes along, and neither leaves its slider. */
  #move(/** @type {string} */ side, /** @type {number} */ to) {
    if (!this.state.together) return this.set({ [side]: to });
    const { i, j } = this.state;
    const by = Math.max(1 - Math.min(i, j), Math.min(MOST - Math.max(i, j), to - this.state[side]));
    this.set({ i: i + by, j: j + by });
  }

  // ── The plane, and the numbers beside it ──

  plane = new Plane({ x: [-1.35, 1.35], y: [-1.35, 1.35], label: 'Query and key, turned' });
  rim = this.plane.mark('circle', 'w-rim');
  homes = SIDES.map((side) => this.plane.mark('path', `w-home ${TONES[side]}`));
  arc = this.plane.mark('path', 'w-between raw');
  arrows = SIDES.map((side) => this.plane.point({ tone: TONES[side], letter: LETTERS[side], says: '', arrow: true }));
  rows = SIDES.map((side) => {
    const cells = ['position', 'stored', 'angle', 'turned'].map((of) => html('td', { 'data-of': of }));
    return { cells, tr: html('tr', { class: TONES[side] }, update(rich('th', name(TONES[side], LETTERS[side])), { scope: 'row' }), ...cells) };
  });
  score = html('p', { class: 'w-score' });

  // ── The bands ──

  bands = Array.from({ length: BANDS }, () => {
    const wave = svg('path', { class: 'wave' });
    const mark = svg('line', { y1: -1.2, y2: 1.2 });
    const [head, speed, around] = [html('th', { scope: 'row' }), html('td'), html('td')];
    const drawing = svg('svg', { viewBox: `0 -1.2 ${REACH} 2.4`, preserveAspectRatio: 'none', 'aria-hidden': true }, wave, mark);
    return { wave, mark, head, speed, around, tr: html('tr', {}, head, html('td', { class: 'drawn' }, drawing), speed, around) };
  });

  build(view) {
    const [o, right, up] = [[0, 0], [1, 0], [0, 1]].map((p) => this.plane.at(p));
    update(this.rim, { cx: o[0], cy: o[1], r: right[0] - o[0] });
    [right, up].forEach((tip, s) => update(this.homes[s], { d: `M${o}L${tip}` }));
    const heading = (text) => update(rich('th', text), { scope: 'col' });
    const { i, j, front, speed, width } = this.dials;
    view.append(
      this.presets.node,
      html('div', { class: 'w-ride w-turning' },
        html('figure', {}, this.plane.svg),
        html('div', {},
          html('div', { class: 'w-dials' }, ...[i, j, front, speed].map(({ node }) => node)),
          html('div', { class: 'w-controls' },
            html('label', { class: 'w-check' }, this.together, 'move together'),
            html('div', { class: 'w-choice', role: 'radiogroup', 'aria-label': 'Positions and angles in' },
              ...Object.keys(round).map((dtype, d) => html('label', {}, this.radios[d], dtype)))),
          html('table', { class: 'w-turned' },
            html('thead', {}, html('tr', {}, html('td'), ...['position', 'stored', 'angle', 'turned'].map(heading))),
            html('tbody', {}, ...this.rows.map(({ tr }) => tr))),
          this.score)),
      this.says,
      html('div', { class: 'w-controls w-widths' }, width.node,
        html('label', { class: 'w-check' }, this.slow, `base ${grouped(BASES[1])} instead of ${grouped(BASES[0])}`)),
      html('table', { class: 'w-bands raw', 'aria-label': 'pairs of the head' },
        html('thead', {}, html('tr', {}, heading('pair'), heading(`cosines, 0 to ${REACH} apart`), heading('speed'), heading('round after'))),
        html('tbody', {}, ...this.bands.map(({ tr }) => tr))));
  }

  draw({ front, speed, together, dtype, width, base, ...at }, { q, k, distance, bands, between, score, theory }) {
    this.presets.show();
    for (const side of SIDES) this.dials[side].show(at[side], grouped(at[side] + front));
    this.dials.front.show(FRONT.indexOf(front), grouped(front));
    this.dials.speed.show(speed, `${speed}°`);
    this.dials.width.show(WIDTHS.indexOf(width), String(width));
    this.together.checked = together === 1;
    this.slow.checked = base === BASES[1];
    this.radios.forEach((radio, d) => { radio.checked = Object.keys(round)[d] === dtype; });
    [q, k].forEach((side, s) => {
      this.arrows[s].put(side.turned);
      const angle = degrees(side.angle) % 360;
      const texts = [grouped(side.position), grouped(side.stored), `${fixed(angle, 1)}°`, vector(side.turned, 2)];
      this.rows[s].cells.forEach((cell, c) => { cell.textContent = texts[c]; });
      this.rows[s].tr.classList.toggle('off', side.stored !== side.position);
    });
    const [from, to] = [START.j + k.angle, START.i + q.angle].map((a) => this.plane.at(circle(a).map((x) => ARC * x)));
    const radius = this.plane.at([ARC, 0])[0] - this.plane.at([0, 0])[0];
    const sweep = Math.sin(START.j + k.angle - START.i - q.angle) > 0 ? 1 : 0;
    update(this.arc, { d: `M${from}A${radius} ${radius} 0 0 ${sweep} ${to}` });
    this.plane.arrange();
    const wrong = fixed(score) !== fixed(theory);
    this.score.innerHTML = `${name('query', 'q')} · ${name('key', 'k')} = <b class="raw">${fixed(score)}</b>, turned ${fixed(between, 1)}° apart; `
      + `in theory <b class="theory">${fixed(theory)}</b>, ${fixed(wrapped(speed * distance), 1)}°`;
    this.score.classList.toggle('wrong', wrong);
    this.bands.forEach(({ wave, mark, head, speed: cell, around, tr }, b) => {
      const band = bands[b];
      update(tr, { hidden: !band });
      if (!band) return;
      const points = Array.from({ length: 4 * REACH + 1 }, (_, x) => `${x / 4} ${(-Math.cos((band.omega * x) / 4)).toFixed(3)}`);
      update(wave, { d: `M${points.join('L')}` });
      update(mark, { x1: Math.abs(distance), x2: Math.abs(distance) });
      head.textContent = String(band.f);
      cell.textContent = fixed(band.omega, 6);
      around.textContent = band.around < 1e6 ? grouped(Math.round(10 * band.around) / 10) : fixed(band.around, 1);
    });
  }
}

customElements.define('attn-rope', Rope);
