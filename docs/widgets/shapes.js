/** Chapter 2: an axis a slider, and the arrays of attention drawn to scale. */
import { whole } from './kit/codecs.js';
import { html, italic, rich } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { grouped, list } from './kit/format.js';
import { presets } from './kit/presets.js';

const AXES = [
  { axis: 'b', letter: 'B', sub: '', says: 'sequences', initial: 2, most: 3 },
  { axis: 'hq', letter: 'H', sub: 'q', says: 'query heads', initial: 6, most: 8 },
  { axis: 'hkv', letter: 'H', sub: 'kv', says: 'key and value heads', initial: 3, most: 8 },
  { axis: 'l', letter: 'L', sub: '', says: 'queries', initial: 5, most: 12 },
  { axis: 's', letter: 'S', sub: '', says: 'keys', initial: 7, most: 12 },
  { axis: 'dh', letter: 'd', sub: 'h', says: 'width of a query', initial: 4, most: 8 },
  { axis: 'dv', letter: 'd', sub: 'v', says: 'width of a value', initial: 8, most: 8 },
];
const ARRAYS = [ // in the order of reading; the last two axes are the rows and columns of a sheet
  { id: 'q', tone: 'query', title: italic('Q'), says: 'queries', axes: ['b', 'hq', 'l', 'dh'] },
  { id: 'k', tone: 'key', title: `${italic('K')}<sup>⊤</sup>`, says: 'keys, transposed', axes: ['b', 'hkv', 'dh', 's'] },
  { id: 'a', tone: 'weight', title: italic('A'), says: 'scores and weights', axes: ['b', 'hq', 'l', 's'] },
  { id: 'v', tone: 'value', title: italic('V'), says: 'values', axes: ['b', 'hkv', 's', 'dv'] },
  { id: 'o', tone: 'output', title: italic('O'), says: 'outputs', axes: ['b', 'hq', 'l', 'dv'] },
];
const PRESETS = [
  { label: 'Self', set: { l: 6, s: 6 } },
  { label: 'Cross', set: { l: 3, s: 9 } },
  { label: 'Decode', set: { l: 1, s: 12 } },
];
const APART = 2; // sheets that would fit between two sequences

export class Shapes extends Widget {
  static title = 'Every shape at once';
  static state = Object.fromEntries(AXES.map(({ axis, initial, most }) => [axis, whole(initial, 1, most)]));

  derive(state) {
    const { b, hq, hkv, l, s, dh, dv } = state;
    const serve = Array.from({ length: hq }, (_, i) => i + 1).filter((heads) => hq % heads === 0);
    const refused = !serve.includes(hkv);
    const shapes = Object.fromEntries(ARRAYS.map(({ id, axes }) =>
      [id, refused && 'ao'.includes(id) ? null : axes.map((axis) => state[axis])]));
    return { shapes, refused, serve, group: hq / hkv, scores: l * s, stored: b * hkv * s * (dh + dv) };
  }

  describe({ b, hq, hkv, l, s }, { refused, serve, group, scores, stored }) {
    if (refused) {
      return `Refused: ${hq} query heads cannot be shared out evenly among ${hkv} key and value `
        + `heads. ${list(serve)} would do.`;
    }
    const grid = `${l === 1 ? '1 query meets' : `${l} queries meet`} ${count(s, 'key')}: `
      + `${count(scores, 'score')} a head${b * hq > 1 ? `, ${grouped(b * hq * scores)} in all` : ''}.`;
    const shared = group === 1 ? 'Each query head has keys and values of its own'
      : hkv === 1 ? `All ${hq} query heads share one head of keys and values`
        : `Each key and value head serves ${group} query heads`;
    return `${grid} ${shared}, ${grouped(stored)} numbers to store.`;
  }

  // ── Controls ──

  presets = presets(this, PRESETS);
  sliders = AXES.map((axis) => this.#slider(axis));

  #slider({ axis, letter, sub, says, most }) {
    const input = html('input', {
      type: 'range', min: 1, max: most, 'aria-label': says,
      oninput: () => this.set({ [axis]: Number(input.value) }),
      onfocus: () => this.#pointOut(axis), onblur: () => this.#pointOut(),
    });
    const value = html('output');
    const node = html('label', {
      onpointerenter: () => this.#pointOut(axis), onpointerleave: () => this.#pointOut(),
    }, rich('b', `${italic(letter)}<sub>${sub}</sub>`), html('span', {}, says), value, input);
    return { axis, input, value, node };
  }

  // ── Five stacks of sheets: each product stands where its factors meet ──

  boxes = ARRAYS.map(({ id, tone, title, says, axes }) => {
    const sheet = html('div', { class: 'w-sheet', 'aria-hidden': true });
    const sizes = axes.map((axis) => html('span', { 'data-axis': axis }));
    const shape = html('span', { class: 'shape' }, '(', ...sizes.flatMap((size, i) => (i ? [', ', size] : [size])), ')');
    const none = html('span', { class: 'none' }, 'none');
    const node = html('figure', { class: `w-box ${tone}` },
      html('figcaption', {}, rich('b', title), ' ', shape, none, html('small', {}, says)), sheet);
    return { id, sheet, sizes, node };
  });

  build(view) {
    view.append(
      this.presets.node,
      html('div', { class: 'w-shapes' },
        html('div', { class: 'w-boxes' },
          html('p', { class: 'w-note' }, 'A sheet is one head of one sequence, a cell one number.'),
          ...this.boxes.map(({ node }) => node)),
        html('div', { class: 'w-sizes' }, ...this.sliders.map(({ node }) => node))),
      this.says);
  }

  draw(state, { shapes, refused }) {
    this.presets.show();
    for (const { axis, input, value } of this.sliders) {
      input.value = state[axis];
      value.textContent = state[axis];
    }
    this.boxes.forEach(({ id, sheet, sizes, node }, i) => {
      const [sequences, heads, rows, columns] = ARRAYS[i].axes.map((axis) => state[axis]);
      node.classList.toggle('missing', !shapes[id]);
      node.classList.toggle('refused', refused && 'kv'.includes(id));
      sizes.forEach((size, d) => { size.textContent = [sequences, heads, rows, columns][d]; });
      const places = shapes[id] ? stack(sequences, heads) : [0];
      sheet.style.cssText = `--rows: ${rows}; --columns: ${columns}; --deep: ${places.at(-1)}`;
      sheet.style.boxShadow = places.slice(1).map(behind).join(', ');
    });
  }

  /** Marks, in every shape, the axis whose slider is touched. */
  #pointOut(axis = '') {
    const touched = axis || this.sliders.find(({ input }) => input.matches(':focus'))?.axis;
    for (const { sizes } of this.boxes) {
      for (const size of sizes) size.classList.toggle('on', size.dataset.axis === touched);
    }
  }
}

/** @param {number} n @param {string} thing */
const count = (n, thing) => `${n} ${thing}${n === 1 ? '' : 's'}`;

/** How far back each sheet lies, in steps: heads close together, sequences apart. */
const stack = (/** @type {number} */ sequences, /** @type {number} */ heads) =>
  Array.from({ length: sequences * heads }, (_, i) => i + APART * Math.floor(i / heads));

/** A sheet behind the first: its face, and its edge. */
const behind = (/** @type {number} */ n) => {
  const at = `calc(var(--step) * ${n}) calc(var(--step) * ${-n}) 0`;
  return `${at} -1px var(--paper), ${at} 0 var(--tone)`;
};

customElements.define('attn-shapes', Shapes);
