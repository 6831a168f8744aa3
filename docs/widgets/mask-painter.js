/** Chapter 5: build a mask or paint one, count what it allows, and apply it in time or too late. */
import { mask, softmax, sum } from './kit/attention.js';
import { choice, pairs, whole } from './kit/codecs.js';
import { html, italic, name, rich, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed } from './kit/format.js';
import { presets } from './kit/presets.js';
import { roving } from './kit/roving.js';

const MOST = 10; // queries, and keys
const SCALED = [0, 1 / Math.SQRT2, 1 / Math.SQRT2]; // the running example's second query
const SIDES = Array.from({ length: MOST }, (_, i) => i);

/** Whether a query at position p may see key j, both counted from 0. */
const RULES = {
  causal: (p, j) => j <= p,
  padding: (p, j, { length }) => j < length,
  document: (p, j, { length }) => (p < length) === (j < length),
  window: (p, j, { w }) => p - w < j && j <= p,
  global: (p, j, { w }) => j <= p && (j === 0 || p - w < j),
};
const LABELS = {
  causal: 'Causal', padding: 'Padding', document: 'Document', window: 'Window', global: 'Global + window',
};
const PRESETS = Object.entries(LABELS).map(([family, label]) => ({ label, set: { family, painted: [] } }));

// What has no say in the mask of a state is not on show.
const always = () => true;
const windowed = ({ family }) => family === 'window' || family === 'global';
const divided = ({ family }) => family === 'padding' || family === 'document';
const aligned = ({ family, l, s, causal }) => l !== s && (family !== 'padding' || causal);
const SLIDERS = [
  { of: 'l', letter: 'L', says: 'queries', least: 1, use: always },
  { of: 's', letter: 'S', says: 'keys', least: 1, use: always },
  { of: 'w', letter: 'w', says: 'window', least: 1, use: windowed },
  { of: 'length', letter: '', says: 'length', least: 0, use: divided },
];
const BOXES = [
  { of: 'additive', off: 0, on: 1, says: 'additive form', use: always },
  { of: 'align', off: 'bottom-right', on: 'top-left', says: 'align top-left', use: aligned },
  { of: 'causal', off: 0, on: 1, says: 'and causal', use: divided },
];

export class MaskPainter extends Widget {
  static title = 'A mask to paint';
  static state = {
    family: choice('causal', Object.keys(RULES)),
    l: whole(6, 1, MOST), s: whole(6, 1, MOST), w: whole(3, 1, MOST), length: whole(4, 0, MOST),
    causal: whole(0, 0, 1), align: choice('bottom-right', ['bottom-right', 'top-left']),
    additive: whole(0, 0, 1), painted: pairs(MOST),
  };

  derive(state) {
    const { family, l, s, causal, align, painted } = state;
    const ahead = align === 'top-left' ? 0 : s - l;
    const also = causal && divided(state) ? RULES.causal : always;
    const allowed = SIDES.slice(0, l).map((i) => SIDES.slice(0, s).map((j) =>
      RULES[family](i + ahead, j, state) && also(i + ahead, j)));
    const inside = painted.filter(([i, j]) => i <= l && j <= s);
    for (const [i, j] of inside) allowed[i - 1][j - 1] = !allowed[i - 1][j - 1];
    const seen = allowed.map((row) => row.filter(Boolean).length);
    return {
      allowed, seen, count: sum(seen), keyless: seen.filter((n) => n === 0).length,
      painted: inside.length, example: example(allowed),
    };
  }

  describe(state, { count, keyless, painted, example: row }) {
    const { family, l, s, causal, align } = state;
    const kind = LABELS[family] + (causal && divided(state) ? ' and causal' : '');
    const lost = keyless === 0 ? 'Every row has a key' : `${keyless} row${keyless === 1 ? ' has' : 's have'} no key`;
    const order = !row ? ''
      : row.first.some(Boolean) ? `With the softmax first, row 2 of the running example sums to ${fixed(sum(row.late))}.`
        : 'In row 2 of the running example a naive softmax gives NaN; this book, by convention, 0.';
    return `${kind}${aligned(state) ? `, ${align}` : ''}: ${count} of ${l * s} cells ${count === 1 ? 'is' : 'are'} allowed`
      + `${painted ? `, ${painted} painted` : ''}. ${lost}. ${order}`;
  }

  // ── Controls ──

  presets = presets(this, PRESETS);
  sliders = SLIDERS.map((slider) => {
    const input = html('input', {
      type: 'range', min: slider.least, max: MOST, 'aria-label': slider.says,
      oninput: () => this.set({ [slider.of]: Number(input.value) }),
    });
    return { ...slider, input, text: html('span'), value: html('output') };
  });
  boxes = BOXES.map((box) => ({
    ...box,
    input: html('input', {
      type: 'checkbox',
      onchange: (/** @type {any} */ event) => this.set({ [box.of]: event.target.checked ? box.on : box.off }),
    }),
  }));

  // ── The grid. A press toggles a cell; a stroke gives all its cells what it gave the first ──

  cells = SIDES.flatMap((i) => SIDES.map((j) => html('button', {
    type: 'button', 'aria-label': `query ${i + 1}, key ${j + 1}`,
    onclick: (/** @type {MouseEvent} */ event) => {
      if (!event.detail || !this.#stroke.moved) this.#paint(i, j, !this.numbers.allowed[i][j]);
    },
  })));
  aim = roving(this.cells, MOST);
  heads = SIDES.map((j) => update(rich('th', name('key', 'k', j + 1)), { scope: 'col' }));
  counts = SIDES.map(() => html('td', { class: 'count' }));
  rows = SIDES.map((i) => html('tr', {},
    update(rich('th', name('query', 'q', i + 1)), { scope: 'row' }),
    ...SIDES.map((j) => html('td', {}, this.cells[MOST * i + j])), this.counts[i]));
  #stroke = { cell: -1, moved: false, brush: false, before: /** @type {number[][]} */ ([]) };

  #paint(i, j, brush) {
    if (this.numbers.allowed[i][j] === brush) return;
    const others = this.state.painted.filter((at) => String(at) !== `${i + 1},${j + 1}`);
    const was = others.length < this.state.painted.length;
    this.set({ painted: was ? others : [...others, [i + 1, j + 1]] });
  }

  /** Every cell between the last one and this, because a quick hand skips some. */
  #drag(/** @type {PointerEvent} */ { clientX, clientY, buttons }) {
    const stroke = this.#stroke;
    const to = this.#under(document.elementFromPoint(clientX, clientY));
    if (!buttons || to < 0 || stroke.cell < 0 || to === stroke.cell) return;
    const [[i, j], [down, right]] = [place(stroke.cell), place(to)];
    if (!stroke.moved) stroke.brush = !this.numbers.allowed[i][j];
    const steps = Math.max(Math.abs(down - i), Math.abs(right - j));
    const between = (from, end, t) => Math.round(from + ((end - from) * t) / steps);
    for (let t = 0; t <= steps; t++) this.#paint(between(i, down, t), between(j, right, t), stroke.brush);
    Object.assign(stroke, { cell: to, moved: true });
  }

  /** @param {Element | null} target */
  #under(target) { return this.cells.indexOf(target?.closest('button')); }

  // ── The running example's second row, masked in time and too late ──

  orders = SIDES.slice(0, 3).map((j) => html('tr', {},
    update(rich('th', name('key', 'k', j + 1)), { scope: 'row' }),
    ...['weight', '', 'weight', 'weight'].map((tone) => html('td', { class: tone }))));
  sums = [0, 1].map(() => html('td', { class: 'weight' }));
  caption = html('p');

  build(view) {
    const grid = html('table', {
      class: 'w-cells', 'aria-label': 'which query may see which key',
      onpointerdown: (event) => {
        const cell = this.#under(event.target), before = this.state.painted;
        this.#stroke = { cell, moved: false, brush: false, before };
      },
      onpointermove: (event) => this.#drag(event),
      onpointercancel: () => this.set({ painted: this.#stroke.before }), // the page took the finger, to scroll
    }, html('thead', {}, html('tr', {}, html('td'), ...this.heads, html('td'))), html('tbody', {}, ...this.rows));
    const heading = (text) => update(rich('th', text), { scope: 'col' });
    const order = html('table', { class: 'w-order' },
      html('thead', {}, html('tr', {}, html('td'), ...['scaled<span class="w-unseen"> score</span>', 'mask', 'mask first', 'softmax first'].map(heading))),
      html('tbody', {}, ...this.orders),
      html('tfoot', {}, html('tr', {}, update(rich('th', 'sum'), { scope: 'row' }), html('td'), html('td'), ...this.sums)));
    const sliders = this.sliders.map(({ letter, text, value, input }) =>
      html('label', {}, rich('b', letter && italic(letter)), text, value, input));
    const [additive, align, causal] = this.boxes.map(({ input, says }) =>
      html('label', { class: 'w-check' }, input, says));
    view.append(
      this.presets.node,
      html('div', { class: 'w-beside w-painter' },
        html('div', { class: 'w-canvas' }, grid),
        html('div', {},
          html('div', { class: 'w-sizes' }, ...sliders.slice(0, 2)),
          html('div', { class: 'w-family' },
            additive, html('div', { class: 'w-sizes' }, ...sliders.slice(2)), align, causal),
          this.caption, order)),
      this.says);
  }

  draw(state, { allowed, seen, example: row }) {
    const { family, l, s, additive } = state;
    this.presets.show();
    for (const slider of this.sliders) {
      slider.input.value = state[slider.of];
      slider.value.textContent = state[slider.of];
      slider.text.textContent = slider.of !== 'length' ? slider.says
        : family === 'document' ? 'first document' : 'real keys';
      slider.input.disabled = !slider.use(state);
    }
    for (const { input, of, on, use } of this.boxes) {
      input.disabled = !use(state);
      input.checked = state[of] === on;
    }
    const form = (/** @type {boolean} */ ok) => (additive ? (ok ? '0' : '−∞') : (ok ? 'T' : 'F'));
    this.style.setProperty('--sides', String(Math.max(l, s, 6)));
    const painted = new Set(state.painted.map(String));
    this.heads.forEach((head, j) => update(head, { hidden: j >= s }));
    this.rows.forEach((tr, i) => {
      update(tr, { hidden: i >= l, class: seen[i] === 0 && 'keyless' });
      this.counts[i].textContent = seen[i] || 'none';
    });
    this.cells.forEach((cell, c) => {
      const [i, j] = place(c);
      const ok = !!allowed[i]?.[j];
      update(/** @type {HTMLElement} */ (cell.parentElement), { hidden: j >= s, class: row && i === 1 && j < 3 && 'example' });
      update(cell, { 'aria-pressed': String(ok), class: painted.has(`${i + 1},${j + 1}`) && 'painted' });
      cell.textContent = form(ok);
    });
    if (this.cells.find((cell) => cell.tabIndex === 0).closest('[hidden]')) this.aim(0);
    this.caption.innerHTML = `Running example${row ? `, row ${name('query', 'q', 2)}` : ': needs 2 queries and 3 keys'}`;
    this.classList.toggle('too-small', !row);
    if (row) this.#compare(row, allowed[1], form);
  }

  /** Without a key the softmax has no answer; the book's zeros are a convention, not a result. */
  #compare({ first, late }, seen, form) {
    const none = !first.some(Boolean);
    this.orders.forEach((tr, j) => {
      const texts = [fixed(SCALED[j]), form(seen[j]), none ? '—' : fixed(first[j]), fixed(late[j])];
      [...tr.cells].slice(1).forEach((cell, n) => { cell.textContent = texts[n]; });
    });
    [first, late].map(sum).forEach((total, n) => {
      this.sums[n].textContent = none && n === 0 ? 'none' : fixed(total);
      update(this.sums[n], { class: total < 0.99995 ? 'raw short' : 'weight' });
    });
  }
}

/** The row and column of a cell. */
const place = (/** @type {number} */ c) => [Math.floor(c / MOST), c % MOST];

/** The weights of the running example's second row, whose mask is the painted one's.  @param {boolean[][]} allowed */
function example(allowed) {
  const row = allowed[1]?.slice(0, 3);
  if (row?.length !== 3) return null;
  return { first: softmax(mask([SCALED], [row])[0]), late: softmax(SCALED).map((a, j) => (row[j] ? a : 0)) };
}


customElements.define('attn-mask-painter', MaskPainter);
