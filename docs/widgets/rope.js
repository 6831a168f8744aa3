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
import { radios } from './kit/radios.js';

const MOST = 16; // positions on a slider
const FRONT = [0, 5, 100, 999, 9999, 99999, 999998]; // tokens that can be put in front
const WIDTHS = [2, 4, 8, 16, 32, 64, 128];
const BASES = [10000, 500000];
const BANDS = 8; // pairs drawn, at most
const SPARE = [1, 3, 4, 6]; // of these, a phone leaves out
const REACH = 64; // distances drawn
const ARC = 0.36; // the radius of the angle between
const TURNS = [0.62, 0.8]; // the radii of the turns
const TICKS = [0, 16, 32, 48, REACH];
const SIDES = ['i', 'j'];
const TONES = { i: 'query', j: 'key' };
const LETTERS = { i: 'q', j: 'k' };
const START = { i: 0, j: Math.PI / 2 }; // where q = [1, 0] and k = [0, 1] point
const PRESETS = [
  { label: '2, 1' }, { label: '7, 6', i: 7, j: 6 }, { label: '1001, 1000', front: 999 },
  { label: '10⁶, 10⁶ − 1', front: 999998 },
].map(({ label, ...set }) => ({ label, set: { i: 2, j: 1, front: 0, ...set } }));

const radians = (/** @type {number} */ degrees) => (degrees * Math.PI) / 180;
const degrees = (/** @type {number} */ radians) => (radians * 180) / Math.PI;
/** The same direction, from −180 to 180. */
const wrapped = (/** @type {number} */ degrees) => degrees - 360 * Math.round(degrees / 360);
const circle = (/** @type {number} */ angle) => [Math.cos(angle), Math.sin(angle)];
/** How far two arrows are apart, from 0 to 180. */
const apart = (/** @type {number} */ degrees) => Math.abs(wrapped(degrees));
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
      return { f, omega: omega_f, around: (2 * Math.PI) / omega_f, now: Math.cos(omega_f * distance) };
    });
    return {
      q, k, distance, bands, between: apart(90 - degrees(q.angle - k.angle)), ideal: apart(90 - speed * distance),
      score: dot(q.turned, k.turned), theory: Math.sin(distance * radians(speed)),
    };
  }

  describe({ dtype }, { q, k, distance, score, theory }) {
    const same = distance !== 0 && q.stored === k.stored;
    const right = fixed(score) === fixed(theory);
    return `Query at ${grouped(q.position)}, key at ${grouped(k.position)}: ${Math.abs(distance)} apart. `
      + `${same ? `In ${dtype} both positions are ${grouped(q.stored)}. ` : ''}`
      + `The score is ${fixed(score)}${right ? ', as it should be' : ` and should be ${fixed(theory)}`}.`;
  }

  // ── Controls ──

  presets = presets(this, PRESETS);
  dials = {
    i: dial(rich('span', `query ${name('query', 'q')}`), { min: 1, max: MOST, 'aria-label': 'query' }, (to) => this.#move('i', to)),
    j: dial(rich('span', `key ${name('key', 'k')}`), { min: 1, max: MOST, 'aria-label': 'key' }, (to) => this.#move('j', to)),
    front: dial('tokens in front', { max: FRONT.length - 1 }, (at) => this.set({ front: FRONT[at] })),
    speed: dial(rich('span', `speed 𝜔`), { max: 90, 'aria-label': 'speed' }, (speed) => this.set({ speed })),
    width: dial(rich('span', `width ${name('', 'd')}<sub>ℎ</sub>`), { max: WIDTHS.length - 1, 'aria-label': 'width of the head' }, (at) => this.set({ width: WIDTHS[at] })),
  };
  together = html('input', { type: 'checkbox', onchange: () => this.set({ together: Number(this.together.checked) }) });
  slow = html('input', { type: 'checkbox', onchange: () => this.set({ base: BASES[Number(this.slow.checked)] }) });
  dtypes = radios('Positions and angles in', Object.keys(round), (d) => this.set({ dtype: Object.keys(round)[d] }));

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
  turns = SIDES.map((side) => this.plane.mark('path', `w-turn ${TONES[side]}`));
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
    const mark = svg('line', { y1: -1.2, y2: 1.2, class: 'mark' });
    const [head, now, speed, around] = [html('th', { scope: 'row' }), ...['now', 'speed', 'around'].map((of) => html('td', { 'data-of': of }))];
    const drawing = svg('svg', { viewBox: `0 -1.2 ${REACH} 2.4`, preserveAspectRatio: 'none', class: 'raw', 'aria-hidden': true },
      svg('line', { x2: REACH, class: 'zero' }), wave, mark);
    return { wave, mark, head, now, speed, around, tr: html('tr', {}, head, html('td', { class: 'drawn' }, drawing), now, speed, around) };
  });
  here = html('span');

  build(view) {
    const [o, right, up] = [[0, 0], [1, 0], [0, 1]].map((p) => this.plane.at(p));
    update(this.rim, { cx: o[0], cy: o[1], r: right[0] - o[0] });
    [right, up].forEach((tip, s) => update(this.homes[s], { d: `M${o}L${tip}` }));
    const heading = (text, of) => update(rich('th', text), { scope: 'col', 'data-of': of });
    const ticks = TICKS.map((tick) => html('span', { style: `left: ${(100 * tick) / REACH}%` }, String(tick)));
    this.presets.node.prepend(html('span', { class: 'w-note' }, 'query, key at'));
    const { i, j, front, speed, width } = this.dials;
    view.append(
      this.presets.node,
      html('div', { class: 'w-ride w-turning' },
        html('figure', {}, this.plane.svg,
          rich('figcaption', `thin arcs: the turns <span class="query">𝑖𝜔</span>, <span class="key">𝑗𝜔</span>`)),
        html('div', {},
          html('div', { class: 'w-dials' }, ...[i, j, front, speed].map(({ node }) => node)),
          html('div', { class: 'w-controls' },
            html('label', { class: 'w-check' }, this.together, 'move together'),
            this.dtypes.node),
          html('table', { class: 'w-turned' },
            html('thead', {}, html('tr', {}, html('td'), ...['position', 'stored', 'angle', 'turned'].map((text) => heading(text)))),
            html('tbody', {}, ...this.rows.map(({ tr }) => tr))),
          this.score)),
      this.says,
      html('p', { class: 'w-below' }, 'Below: all pairs of a head'),
      html('div', { class: 'w-controls' }, width.node,
        html('label', { class: 'w-check' }, this.slow, `base ${grouped(BASES[1])} instead of ${grouped(BASES[0])}`)),
      html('table', { class: 'w-bands', 'aria-label': 'pairs of the head' },
        html('thead', {}, html('tr', {}, heading('pair'),
          html('th', { scope: 'col' }, html('span', { class: 'w-unseen' }, 'cosine by distance'), html('div', { class: 'w-here' }, this.here)),
          heading('cosine', 'now'), heading('speed', 'speed'), heading('round after', 'around'))),
        html('tbody', {}, ...this.bands.map(({ tr }) => tr)),
        html('tfoot', { 'aria-hidden': true }, html('tr', {}, html('td'), html('td', {}, html('div', { class: 'w-ticks' }, ...ticks))))));
  }

  /** Counterclockwise, from one angle to the other. */
  #sweep(/** @type {Element} */ path, /** @type {number} */ r, /** @type {number} */ from, /** @type {number} */ to) {
    const [a, b] = [from, to].map((angle) => this.plane.at(circle(angle).map((x) => r * x)));
    const radius = this.plane.at([r, 0])[0] - this.plane.at([0, 0])[0];
    const far = (to - from) % (2 * Math.PI) > Math.PI ? 1 : 0;
    update(path, { d: `M${a}A${radius} ${radius} 0 ${far} 0 ${b}` });
  }

  draw({ front, speed, together, dtype, width, base, ...at }, { q, k, distance, bands, between, ideal, score, theory }) {
    this.presets.show();
    for (const side of SIDES) this.dials[side].show(at[side], String(at[side]));
    this.dials.front.show(FRONT.indexOf(front), grouped(front));
    this.dials.speed.show(speed, `${speed}°`);
    this.dials.width.show(WIDTHS.indexOf(width), String(width));
    this.together.checked = together === 1;
    this.slow.checked = base === BASES[1];
    this.dtypes.show(Object.keys(round).indexOf(dtype));
    [q, k].forEach((side, s) => {
      this.arrows[s].put(side.turned);
      const angle = degrees(side.angle) % 360;
      const texts = [grouped(side.position), grouped(side.stored), `${fixed(angle, 1)}°`, vector(side.turned, 2)];
      this.rows[s].cells.forEach((cell, c) => { cell.textContent = texts[c]; });
      this.rows[s].tr.classList.toggle('off', side.stored !== side.position);
      const start = START[SIDES[s]];
      this.#sweep(this.turns[s], TURNS[s], start, start + radians(angle));
    });
    const ends = [START.i + q.angle, START.j + k.angle];
    this.#sweep(this.arc, ARC, ...(Math.sin(ends[1] - ends[0]) > 0 ? ends : ends.reverse()));
    this.plane.arrange();
    const wrong = fixed(score) !== fixed(theory);
    const angle = fixed(between, 1);
    const equals = fixed(Math.cos(radians(Number(angle)))) === fixed(score) ? '=' : '≈';
    this.score.innerHTML = `angle between ${angle}°, score cos ${angle}° ${equals} <b class="raw">${fixed(score)}</b><br>`
      + `in theory ${fixed(ideal, 1)}° and <b class="theory">${fixed(theory)}</b>`;
    this.score.classList.toggle('wrong', wrong);
    this.here.textContent = `│ distance now: ${Math.abs(distance)}`;
    this.here.style.left = `${(100 * Math.abs(distance)) / REACH}%`;
    this.bands.forEach(({ wave, mark, head, now, speed: cell, around, tr }, b) => {
      const band = bands[b];
      update(tr, { hidden: !band, class: bands.length === BANDS && SPARE.includes(b) && 'spare' });
      if (!band) return;
      const points = Array.from({ length: 4 * REACH + 1 }, (_, x) => `${x / 4} ${(-Math.cos((band.omega * x) / 4)).toFixed(3)}`);
      update(wave, { d: `M${points.join('L')}` });
      update(mark, { x1: Math.abs(distance), x2: Math.abs(distance) });
      head.textContent = String(band.f);
      now.textContent = fixed(band.now);
      cell.textContent = fixed(band.omega, 6);
      around.textContent = band.around < 1e6 ? grouped(Math.round(10 * band.around) / 10) : fixed(band.around, 1);
    });
  }
}

customElements.define('attn-rope', Rope);
