/** Chapter 0: two sentences, one bag of vectors, until a position is added. */
import { sinusoidal } from './kit/attention.js';
import { whole } from './kit/codecs.js';
import { html, rich, svg, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed, list } from './kit/format.js';
import { roving } from './kit/roving.js';
import { rowOf } from './embedding-space-toy.js';

const SENTENCES = ['dog bites man', 'old dog chases young cat', 'young man sees old man'];
const LONGEST = 5;
const WORD = 38; // px: the height of a word
const ROW = 32; // px: the height of a vector
const WIDTH = 4; // the toy space, and a zero, because sines and cosines come in pairs

/** In the order of their numbers, which is no order of words.  @param {number[]} a @param {number[]} b */
const before = (a, b) => a.reduce((sign, x, d) => sign || Math.sign(x - b[d]), 0);

/**
 * The two bags, side by side: each vector once for each time that it is in the fuller bag, with the
 * places that it comes from.
 * @param {number[][][]} bags
 */
function compare(bags) {
  const [left, right] = bags.map((bag) =>
    bag.map((vector, place) => ({ vector, place })).sort((a, b) => before(a.vector, b.vector)));
  const rows = [];
  while (left.length || right.length) {
    const sign = !left.length ? 1 : !right.length ? -1 : before(left[0].vector, right[0].vector);
    const [a, b] = [sign <= 0 && left.shift(), sign >= 0 && right.shift()];
    rows.push({ vector: (a || b).vector, from: a ? a.place : -1, to: b ? b.place : -1 });
  }
  return rows;
}

export class WordOrder extends Widget {
  static title = 'Two sentences, two bags of vectors';
  static state = {
    sentence: whole(1, 1, SENTENCES.length), first: whole(1, 1, LONGEST), second: whole(3, 1, LONGEST),
    position: whole(0, 0, 1),
  };

  derive({ sentence, first, second, position }) {
    const words = SENTENCES[sentence - 1].split(' ');
    const [i, j] = [first, second].map((place) => Math.min(place, words.length) - 1);
    const swapped = words.map((word, place) => (place === i ? words[j] : place === j ? words[i] : word));
    const places = sinusoidal(words.length, WIDTH);
    const bags = [words, swapped].map((text) => text.map((word, place) =>
      [...rowOf(word), 0].map((x, d) => (position ? x + places[place][d] : x))));
    return { words, swapped, chosen: [i, j], bags, rows: compare(bags) };
  }

  describe({ position }, { words, swapped, bags, rows }) {
    const alone = rows.filter(({ from }) => from < 0).length;
    const means = `“${words.join(' ')}” and “${swapped.join(' ')}”`;
    const how = position ? 'With positions' : 'Without positions';
    if (words.join() === swapped.join()) return `${how}: the same word swapped with itself, ${means}, is the same sentence.`;
    return alone
      ? `${how}, ${means} share ${bags[0].length - alone} of ${bags[0].length} vectors: the bags differ.`
      : `${how}, ${means} are the same ${bags[0].length} vectors: the bags are equal.`;
  }

  // ── Controls ──

  presets = SENTENCES.map((text, i) => html('button', {
    type: 'button', onclick: () => this.leap({ sentence: i + 1, first: [1, 2, 2][i], second: [3, 5, 5][i] }),
  }, text));
  position = html('input', {
    type: 'checkbox', onchange: () => this.set({ position: this.position.checked ? 1 : 0 }),
  });
  picks = Array.from({ length: LONGEST }, (_, place) =>
    html('button', { type: 'button', onclick: () => this.#pick(place + 1) }));
  aim = roving(this.picks);

  /** The word picked before the last one makes room. */
  #pick = (place) => {
    const { first, second } = this.state;
    if (place !== first && place !== second) this.set({ first: second, second: place });
  };

  // ── Words, lines, vectors, lines, words ──

  texts = this.picks.map(() => html('span'));
  lines = [0, 1].map(() => svg('svg', {
    class: 'w-threads', preserveAspectRatio: 'none', 'aria-hidden': true,
  }));
  body = html('tbody');

  build(view) {
    const column = (label, cells) => html('div', { class: 'w-sentence', role: 'group', 'aria-label': label }, ...cells);
    view.append(
      html('div', { class: 'w-presets', role: 'group', 'aria-label': 'Sentences' }, ...this.presets),
      html('div', { class: 'w-choice' }, html('label', {}, this.position, 'add its position to each vector')),
      html('div', { class: 'w-bags' },
        rich('div', 'press to swap'), html('div'), rich('div', 'the vectors, sorted'), html('div'), rich('div', 'swapped'),
        column('The words to swap', this.picks), this.lines[0],
        html('div', { class: 'w-bag' }, html('table', { class: 'w-table', 'aria-label': 'Vectors, and the sentences that have them' }, this.body)),
        this.lines[1], column('After the swap', this.texts)),
      this.says);
  }

  draw({ sentence, position }, { words, swapped, chosen, rows }) {
    this.presets.forEach((preset, i) => update(preset, { 'aria-pressed': String(sentence === i + 1) }));
    this.position.checked = position === 1;
    this.picks.forEach((pick, i) => {
      for (const [node, text] of [[pick, words[i]], [this.texts[i], swapped[i]]]) {
        node.replaceChildren(text ?? '', ...(position ? [rich('small', `+ 𝑝<sub>${i + 1}</sub>`)] : []));
        update(node, { hidden: i >= words.length });
        node.classList.toggle('on', chosen.includes(i));
      }
      update(pick, { 'aria-pressed': String(chosen.includes(i)) });
    });
    if (!this.contains(document.activeElement)) this.aim(chosen[1]);
    this.body.replaceChildren(...rows.map(this.#row));
    const height = ROW * (words.length + 2); // a swap adds at most two vectors
    this.style.setProperty('--bags', `${height}px`);
    const middle = (i, count, pitch) => height / 2 + (i - (count - 1) / 2) * pitch;
    this.lines.forEach((lines, side) => update(lines, { viewBox: `0 0 100 ${height}` }).replaceChildren(...rows.flatMap(({ from, to }, r) => {
      const place = side ? to : from;
      if (place < 0) return [];
      const [y1, y2] = [middle(place, words.length, WORD), middle(r, rows.length, ROW)];
      const d = side ? `M0 ${y2}C50 ${y2} 50 ${y1} 100 ${y1}` : `M0 ${y1}C50 ${y1} 50 ${y2} 100 ${y2}`;
      return [svg('path', { d, class: from < 0 || to < 0 ? 'alone' : '' })];
    })));
  }

  #row({ vector, from, to }) {
    const where = list([...(from >= 0 ? ['before'] : []), ...(to >= 0 ? ['after'] : [])]);
    const cells = vector.map((x) => html('td', {}, x === 0 ? '0' : fixed(x, 2)));
    cells[WIDTH - 1].append(html('span', { class: 'w-unseen' }, ` ${where}`));
    return html('tr', { class: from < 0 || to < 0 ? 'alone' : '' }, ...cells);
  }
}

customElements.define('attn-word-order', WordOrder);
