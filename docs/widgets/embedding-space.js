/** Chapter 0: eight tokens as arrows in space. Turn them, pick two, let them find their groups. */
import { cosine, dot, length } from './kit/attention.js';
import { vector as numbers, whole } from './kit/codecs.js';
import { arrow, html, rich, svg, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed } from './kit/format.js';
import { along, place } from './kit/labels.js';
import { presets } from './kit/presets.js';
import { GROUPS, TOKENS } from './embedding-space-toy.js';

const SIZE = [340, 300]; // px of the drawing
const UNIT = 114; // px: the radius of the unit sphere
const HEAD = 11; // px: an arrow's head
const TURN = 0.5; // degrees a pixel, under a finger
const TAP = 5; // px that a press may wander and still pick a token
const REACH = 0.45; // where the angle's arc is drawn, along the arrows
const CELL = 24; // px of a cosine
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const PRESETS = [
  { label: 'A misleading view', set: { view: [-65.2, 0], grouped: [1], first: 1, second: 4 } },
  { label: 'Opposites, alike', set: { view: [-20, 15], grouped: [1], first: 7, second: 8 } },
];

const radians = (degrees) => (degrees * Math.PI) / 180;
const pairs = TOKENS.flatMap((a, i) => TOKENS.slice(i + 1).map((b, j) =>
  ({ i, j: i + 1 + j, within: a.group === b.group })));

/** A point of the space as the reader sees it: right, up, and away.  @param {number[]} view */
function turned([x, y, z], [turn, tilt]) {
  const [c, s, C, S] = [turn, tilt].flatMap((a) => [Math.cos(radians(a)), Math.sin(radians(a))]);
  const [right, far] = [x * c - y * s, x * s + y * c];
  return [right, z * C + far * S, far * C - z * S];
}

export class EmbeddingSpace extends Widget {
  static title = 'Eight tokens, three directions';
  static state = {
    view: numbers([25, 20]), grouped: numbers([1]),
    first: whole(1, 1, TOKENS.length), second: whole(2, 1, TOKENS.length),
  };

  derive({ grouped, first, second }) {
    const t = Math.min(1, Math.max(0, grouped[0]));
    const rows = TOKENS.map(({ start, row }) => row.map((x, d) => (1 - t) * start[d] + t * x));
    const cosines = rows.map((a) => rows.map((b) => cosine(a, b)));
    const [a, b] = [rows[first - 1], rows[second - 1]];
    const of = (inside) => pairs.filter((p) => p.within === inside).map(({ i, j }) => cosines[i][j]);
    const cos = Math.min(1, Math.max(-1, cosine(a, b)));
    return {
      rows, cosines, dot: dot(a, b), lengths: [length(a), length(b)], cosine: cos,
      angle: (Math.acos(cos) * 180) / Math.PI,
      within: Math.min(...of(true)), across: Math.max(...of(false)),
    };
  }

  describe({ first, second }, { cosine: cos, angle, within, across }) {
    return `Cosine of ${TOKENS[first - 1].word} and ${TOKENS[second - 1].word}: ${fixed(cos)}, `
      + `an angle of ${fixed(angle, 1)}°. Within groups the lowest is ${fixed(within)}, `
      + `across them the highest ${fixed(across)}.`;
  }

  // ── Controls ──

  presets = presets(this, PRESETS);
  slider = html('input', {
    type: 'range', class: 'w-smooth', min: 0, max: 1, step: 0.01, 'aria-label': 'From random to grouped',
    oninput: () => this.set({ grouped: [Number(this.slider.value)] }),
  });
  picks = TOKENS.map(({ word, group }, i) =>
    html('button', { type: 'button', onclick: () => this.#pick(i + 1) }, sample(group), word));

  /** The token picked before the last one makes room. */
  #pick = (token) => {
    const { first, second } = this.state;
    if (token !== first && token !== second) this.set({ first: second, second: token });
  };

  // ── The space ──

  sphere = ['back', 'front'].map((side) => svg('path', { class: `w-equator ${side}` }));
  wedge = svg('path', { class: 'w-wedge' });
  arc = svg('path', { class: 'w-arc' });
  shafts = TOKENS.map(({ group }) =>
    svg('g', { class: `w-token group-${group}` }, svg('path', { class: 'shaft' }), svg('path', { class: 'tip' })));
  tips = svg('g', {}, ...this.shafts);
  names = TOKENS.map(({ word }) => svg('text', { class: 'w-word' }, word));
  space = svg('svg', {
    class: 'w-space', viewBox: `0 0 ${SIZE.join(' ')}`, tabindex: 0, role: 'slider',
    'aria-label': 'View of the space', 'aria-roledescription': 'view to turn',
    'aria-valuemin': -180, 'aria-valuemax': 180,
    onkeydown: (event) => this.#key(event), onpointerdown: (event) => this.#grab(event),
  }, svg('circle', { class: 'w-sphere', cx: SIZE[0] / 2, cy: SIZE[1] / 2, r: UNIT }),
  this.sphere[0], this.wedge, this.tips, this.arc, this.sphere[1], svg('g', {}, ...this.names));
  /** @type {(number | undefined)[]} */
  #sides = [];

  #at = (p) => {
    const [right, up] = turned(p, this.state.view);
    return [SIZE[0] / 2 + UNIT * right, SIZE[1] / 2 - UNIT * up];
  };

  // ── All cosines: as large as they are, hollow when negative ──

  cells = TOKENS.map((_, i) => TOKENS.map((_, j) => svg('rect', {
    x: CELL * j, y: CELL * i, onclick: () => i !== j && this.set({ first: i + 1, second: j + 1 }),
  })));
  rings = [0, 1].map(() => svg('rect', { class: 'ring', width: CELL, height: CELL }));
  map = svg('svg', { class: 'w-cosines', viewBox: `-56 -58 ${8 * CELL + 58} ${8 * CELL + 60}`, 'aria-hidden': true },
    ...TOKENS.map(({ word }, i) => svg('text', { x: -6, y: CELL * (i + 0.65), 'text-anchor': 'end' }, word)),
    ...TOKENS.map(({ word }, i) =>
      svg('text', { transform: `translate(${CELL * (i + 0.65)} -6) rotate(-90)` }, word)),
    svg('path', { class: 'grid', d: GROUPS.map(([from, to]) =>
      `M${from * CELL} ${from * CELL}h${(to - from) * CELL}v${(to - from) * CELL}h${(from - to) * CELL}z`).join('') }),
    ...this.cells.flat(), ...this.rings);
  sum = html('p', { class: 'w-note w-cosine' });

  build(view) {
    const figure = (caption, ...parts) => html('figure', {}, rich('figcaption', caption), ...parts);
    const end = (text, share) =>
      html('button', { type: 'button', onclick: () => this.leap({ grouped: [share] }) }, text);
    view.append(
      this.presets.node,
      html('div', { class: 'w-pair w-spaces' },
        figure('<b>The space</b> drag, or arrow keys', this.space),
        figure('<b>Every cosine</b> hollow: below zero', this.map)),
      html('div', { class: 'w-picks', role: 'group', 'aria-label': 'The pair to compare' }, ...this.picks),
      html('div', { class: 'w-between' }, end('random', 0), this.slider, end('grouped', 1)),
      this.sum, this.says);
  }

  draw(state, { rows, ...found }) {
    const chosen = [state.first - 1, state.second - 1];
    this.presets.show();
    this.picks.forEach((pick, i) => update(pick, { 'aria-pressed': String(chosen.includes(i)) }));
    this.slider.value = state.grouped[0];
    update(this.slider, { 'aria-valuetext': `${fixed(100 * state.grouped[0], 0)}% of the way` });
    const [turn, tilt] = state.view;
    update(this.space, {
      'aria-valuenow': turn, 'aria-valuetext': `turned ${fixed(turn, 0)}°, tilted ${fixed(tilt, 0)}°`,
    });
    this.#drawSphere(state.view);
    this.#drawAngle(...chosen.map((i) => rows[i]));
    this.#drawArrows(rows, chosen, state.view);
    this.#drawMap(found.cosines, chosen);
    const [a, b] = chosen.map((i) => TOKENS[i].word);
    this.sum.innerHTML = `<span><i>${a}</i> · <i>${b}</i> = ${fixed(found.dot)}</span>`
      + `<span>cos = ${fixed(found.dot)} ÷ (${found.lengths.map((x) => fixed(x)).join(' × ')}) = `
      + `<b>${fixed(found.cosine)}</b></span><span>angle <b>${fixed(found.angle, 1)}°</b></span>`;
  }

  #drawSphere(view) {
    const rim = Array.from({ length: 73 }, (_, i) => [Math.cos(i * radians(5)), Math.sin(i * radians(5)), 0]);
    const far = rim.map((p) => turned(p, view)[2] > 0);
    this.sphere.forEach((path, side) => update(path, {
      d: rim.slice(1).map((p, i) => (far[i + 1] === !side ? `M${this.#at(rim[i])}L${this.#at(p)}` : '')).join(''),
    }));
  }

  /** The arc runs along the sphere, so it is the true angle, seen at a slant. */
  #drawAngle(a, b) {
    const [u, v] = [a, b].map((p) => p.map((x) => x / length(p)));
    const theta = Math.acos(Math.min(1, Math.max(-1, dot(u, v))));
    const steps = Math.max(2, Math.ceil(theta / radians(5)));
    const points = Array.from({ length: steps + 1 }, (_, i) => {
      const t = i / steps;
      const [p, q] = theta < 1e-6 ? [1 - t, t]
        : [Math.sin((1 - t) * theta) / Math.sin(theta), Math.sin(t * theta) / Math.sin(theta)];
      return this.#at(u.map((x, d) => REACH * (p * x + q * v[d])));
    });
    update(this.arc, { d: `M${points.join('L')}` });
    update(this.wedge, { d: `M${SIZE.map((x) => x / 2)}L${points.join('L')}Z` });
  }

  #drawArrows(rows, chosen, view) {
    const middle = this.#at([0, 0, 0]);
    const tips = rows.map(this.#at);
    const depth = rows.map((row) => turned(row, view)[2]);
    tips.forEach((tip, i) => {
      const n = Math.hypot(tip[0] - middle[0], tip[1] - middle[1]);
      const neck = tip.map((x, d) => x - ((x - middle[d]) * Math.min(HEAD, n)) / (n || 1));
      const [shaft, head] = this.shafts[i].children;
      update(shaft, { d: `M${middle}L${neck}` });
      update(head, { d: arrow(neck, tip, HEAD) });
      for (const node of [this.shafts[i], this.names[i]]) {
        node.classList.toggle('on', chosen.includes(i));
        node.style.setProperty('--far', (0.5 + 0.5 * depth[i]).toFixed(2));
      }
    });
    const order = [...TOKENS.keys()].sort((i, j) => depth[j] - depth[i]);
    if (order.some((i, at) => this.tips.children[at] !== this.shafts[i])) {
      this.tips.append(...order.map((i) => this.shafts[i]));
    }
    const labels = TOKENS.map(({ word }, i) =>
      ({ at: tips[i], away: middle, room: 2, width: 8 * word.length, last: this.#sides[i] }));
    place(labels, tips.flatMap((tip) => along(middle, tip)), SIZE).forEach(({ x, y, side }, i) => {
      this.#sides[i] = side;
      update(this.names[i], { x, y: y + 5 });
    });
  }

  #drawMap(cosines, [first, second]) {
    this.cells.forEach((cells, i) => cells.forEach((cell, j) => {
      const side = (CELL - 4) * Math.sqrt(Math.min(1, Math.abs(cosines[i][j])));
      update(cell, {
        class: cosines[i][j] < 0 ? 'hollow' : 'solid', width: side, height: side,
        x: CELL * (j + 0.5) - side / 2, y: CELL * (i + 0.5) - side / 2,
      });
    }));
    [[first, second], [second, first]].forEach(([i, j], n) =>
      update(this.rings[n], { x: CELL * j, y: CELL * i }));
  }

  // ── Turning, and picking in the picture ──

  #look([turn, tilt]) {
    const round = (x) => Math.round(x * 10) / 10 + 0;
    const around = ((((turn + 180) % 360) + 360) % 360) - 180;
    this.set({ view: [round(around), round(Math.min(90, Math.max(-90, tilt)))] });
  }

  #key(event) {
    const direction = ARROWS[event.key];
    if (!direction) return;
    event.preventDefault();
    const stride = event.shiftKey ? 15 : 5;
    this.#look(this.state.view.map((x, d) => x + stride * direction[d]));
  }

  #grab(press) {
    if (press.button !== 0) return;
    const from = this.state.view;
    const released = new AbortController();
    let moved = 0;
    const whileHeld = (type, f) => this.space.addEventListener(type, (event) => {
      if (event.pointerId === press.pointerId) f(event);
    }, { signal: released.signal });
    this.space.setPointerCapture(press.pointerId);
    whileHeld('pointermove', ({ clientX, clientY }) => {
      const [dx, dy] = [clientX - press.clientX, clientY - press.clientY];
      moved = Math.max(moved, Math.hypot(dx, dy));
      if (moved > TAP) this.#look([from[0] + TURN * dx, from[1] + TURN * dy]);
    });
    whileHeld('pointerup', () => { if (moved <= TAP) this.#tap(press); });
    whileHeld('lostpointercapture', () => released.abort());
  }

  #tap({ clientX, clientY }) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.space.getScreenCTM().inverse());
    const gaps = this.numbers.rows.map((row, i) => {
      const [x, y] = this.#at(row);
      const name = this.names[i];
      return Math.min(Math.hypot(point.x - x, point.y - y),
        Math.hypot(point.x - Number(name.getAttribute('x')), point.y - Number(name.getAttribute('y')) + 5));
    });
    const nearest = gaps.indexOf(Math.min(...gaps));
    if (gaps[nearest] < 24) this.#pick(nearest + 1);
  }
}

/** A piece of the line that a group's arrows are drawn with. */
const sample = (group) => svg('svg', { class: `w-sample group-${group}`, viewBox: '0 0 22 10', 'aria-hidden': true },
  svg('path', { class: 'shaft', d: 'M1 5H21' }));

customElements.define('attn-embedding-space', EmbeddingSpace);
