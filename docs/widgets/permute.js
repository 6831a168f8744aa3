/** Chapter 9: shuffle the tokens, and see which outputs come along. */
import { attention, causal, sinusoidal } from './kit/attention.js';
import { choice, whole } from './kit/codecs.js';
import { html, svg, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { vector } from './kit/format.js';
import { presets } from './kit/presets.js';
import { radios } from './kit/radios.js';
import { roving } from './kit/roving.js';
import { rowOf } from './embedding-space-toy.js';

const WORDS = ['old', 'dog', 'chases', 'young', 'cat'];
const PLACES = WORDS.map((_, i) => i);
const WIDTH = 4; // the toy space, and a zero, because positions come in pairs
const ROW = 46; // px
const SAME = 1e-9;
const X = WORDS.map((word) => [...rowOf(word), 0]);
const POSITIONS = { none: 'no positions', added: 'added sines', turned: 'turned queries and keys' };
const PRESETS = [
  { label: 'In order', set: { order: '12345' } },
  { label: 'First three', set: { order: '31245' } },
  { label: 'Reversed', set: { order: '54321' } },
];

/** Every place's rows, turned pair by pair as far as its position says. */
const rotate = (/** @type {number[][]} */ rows) => rows.map((row, at) => row.map((x, d) => {
  const angle = at * 10000 ** (-(d - (d % 2)) / WIDTH);
  return d % 2 ? row[d - 1] * Math.sin(angle) + x * Math.cos(angle)
    : x * Math.cos(angle) - row[d + 1] * Math.sin(angle);
}));

export class Permute extends Widget {
  static title = 'The same tokens in another order';
  static state = {
    order: {
      initial: '31245', expects: 'the digits 1 to 5, each once, as in "31245"', format: String,
      parse: (/** @type {string} */ text) => ([...text.trim()].sort().join('') === '12345' ? text.trim() : undefined),
    },
    causal: whole(0, 0, 1), position: choice('none', Object.keys(POSITIONS)),
  };

  derive({ order, causal: masked, position }) {
    const from = [...order].map((digit) => Number(digit) - 1); // who stands at each place
    const places = sinusoidal(WORDS.length, WIDTH);
    const run = (rows) => {
      const read = position === 'added' ? rows.map((row, i) => row.map((x, d) => x + places[i][d])) : rows;
      const asks = position === 'turned' ? rotate(read) : read;
      return attention(asks, asks, read.map((row) => row.slice(0, 2)), masked ? { seen: causal(WORDS.length) } : {}).output;
    };
    const [before, after] = [run(X), run(from.map((i) => X[i]))];
    const moved = from.map((i, place) => Math.max(...after[place].map((x, d) => Math.abs(x - before[i][d]))));
    return { from, before, after, moved, follows: moved.map((gap) => gap < SAME) };
  }

  describe({ causal: masked, position }, { from, follows }) {
    const how = `${masked ? 'With a causal mask' : 'Without a mask'} and ${position === 'none' ? 'without positions' : `with ${POSITIONS[position]}`}`;
    if (from.every((i, place) => i === place)) return `${how}: the tokens stand as they stood. Swap some.`;
    const kept = follows.filter(Boolean).length;
    return kept === WORDS.length ? `${how}, all ${kept} outputs follow their tokens.`
      : `${how}, ${kept || 'none'} of ${WORDS.length} outputs ${kept === 1 ? 'follows its token' : 'follow their tokens'}.`;
  }

  // ── Controls ──

  presets = presets(this, PRESETS);
  causal = html('input', { type: 'checkbox', onchange: () => this.set({ causal: Number(this.causal.checked) }) });
  positions = radios('Positions', Object.values(POSITIONS), (p) => this.set({ position: Object.keys(POSITIONS)[p] }));

  /** A word and the one below change places, and the focus goes with the word. */
  #swap(/** @type {number} */ place) {
    const order = [...this.state.order];
    [order[place], order[place + 1]] = [order[place + 1], order[place]];
    this.#follow = this.picks[Math.min(place + 1, this.picks.length - 1)];
    this.set({ order: order.join('') });
  }
  /** @type {HTMLElement | undefined} */ #follow;

  // ── Words and outputs before, threads, words and outputs after ──

  outputs = PLACES.map(() => html('span', { class: 'output' }));
  threads = svg('svg', { class: 'w-threads', viewBox: `0 0 100 ${ROW * WORDS.length}`, preserveAspectRatio: 'none', 'aria-hidden': true });
  picks = PLACES.slice(1).map((_, place) => html('button', { type: 'button', onclick: () => this.#swap(place) }));
  last = html('span', { class: 'word' }); // there is none below it
  aim = roving(this.picks);
  now = PLACES.map(() => html('span', { class: 'output' }));
  verdicts = PLACES.map(() => html('span', { class: 'verdict' }));

  build(view) {
    this.positions.node.classList.add('w-where');
    const line = (place, word, ...parts) => html('div', { role: 'listitem' }, html('span', { class: 'place' }, String(place + 1)), word, ...parts);
    const table = (says, rows) => html('div', { role: 'list', 'aria-label': says }, ...rows);
    view.append(
      this.presets.node,
      html('div', { class: 'w-controls' },
        html('label', { class: 'w-check' }, this.causal, 'causal mask'),
        this.positions.node),
      html('div', { class: 'w-shuffle' },
        html('p', { class: 'w-note' }, 'before: token, output'), html('p'),
        html('p', { class: 'w-note' }, 'after: press a word to swap it with the one below'),
        table('Before the shuffle', PLACES.map((i) => line(i, html('span', { class: 'word' }, WORDS[i]), this.outputs[i]))),
        this.threads,
        table('After the shuffle', PLACES.map((i) => line(i, this.picks[i] ?? this.last, this.now[i], this.verdicts[i])))),
      this.says);
  }

  draw({ causal: masked, position }, { from, before, after, follows }) {
    this.presets.show();
    this.causal.checked = masked === 1;
    this.positions.show(Object.keys(POSITIONS).indexOf(position));
    const middle = (place) => ROW * (place + 0.5);
    this.threads.replaceChildren(...from.map((i, place) => svg('path', {
      d: `M0 ${middle(i)}C50 ${middle(i)} 50 ${middle(place)} 100 ${middle(place)}`, class: follows[place] ? '' : 'changed',
    })));
    PLACES.forEach((place) => {
      this.outputs[place].textContent = vector(before[place], 2);
      const [word, below] = [WORDS[from[place]], WORDS[from[place + 1]]];
      (this.picks[place] ?? this.last).textContent = word;
      if (below) update(this.picks[place], { 'aria-label': `swap ${word} with ${below}` });
      this.now[place].textContent = vector(after[place], 2);
      update(this.verdicts[place], { 'data-follows': String(follows[place]) });
      this.verdicts[place].textContent = follows[place] ? 'follows' : 'changed';
    });
    this.#follow?.focus();
    this.#follow = undefined;
  }
}

customElements.define('attn-permute', Permute);
