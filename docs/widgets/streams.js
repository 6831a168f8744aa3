/** Chapter 8: who asks and who is asked decides the grid. */
import { causal, sum } from './kit/attention.js';
import { choice, whole } from './kit/codecs.js';
import { html, italic, name, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { list } from './kit/format.js';
import { presets } from './kit/presets.js';
import { roving } from './kit/roving.js';

const TEXTS = {
  original: ['The', 'tide', 'comes', 'in', 'late', 'this', 'evening', '.'],
  translation: ['Die', 'Flut', 'kommt', 'heute', 'Abend', 'erst', 'spät', '.'],
};
const LANGUAGES = { original: 'en', translation: 'de' };
const KINDS = {
  encoder: { label: 'Encoder self-attention', asks: 'original', asked: 'original', ahead: true },
  decoder: { label: 'Causal self-attention', asks: 'translation', asked: 'translation', ahead: false },
  cross: { label: 'Cross-attention', asks: 'translation', asked: 'original', ahead: true },
};
const MOST = 8;
const PLACES = Array.from({ length: MOST }, (_, i) => i);

export class Streams extends Widget {
  static title = 'Who asks whom';
  static state = {
    kind: choice(/** @type {any} */ ('cross'), Object.keys(KINDS)),
    original: whole(6, 1, MOST), translation: whole(4, 1, MOST), query: whole(2, 1, MOST),
  };

  derive({ kind, query, ...lengths }) {
    const { asks, asked, ahead } = KINDS[kind];
    const [L, S] = [lengths[asks], lengths[asked]];
    const seen = causal(L, S).map((row) => (ahead ? S : row.filter(Boolean).length)); // keys, by query
    const row = Math.min(query, L);
    return { L, S, seen, row, scores: L * S, allowed: sum(seen) };
  }

  describe({ kind }, { L, S, seen, row, scores, allowed }) {
    const { asks, asked } = KINDS[kind];
    const read = seen[row - 1];
    return `${count(L, 'query', 'queries')} from the ${asks}, ${count(S, 'key')} from the ${asked}: ${L} × ${S} = `
      + `${count(scores, 'score')} a head${allowed < scores ? `, of which ${allowed} may be used` : ''}. `
      + `Query ${row}, “${TEXTS[asks][row - 1]}”, may read ${count(read, 'key')}.`;
  }

  // ── Controls ──

  presets = presets(this, Object.entries(KINDS).map(([kind, { label }]) => ({ label, set: { kind } })));
  sliders = ['original', 'translation'].map((text) => {
    const input = html('input', {
      type: 'range', class: 'w-plain', min: 1, max: MOST, 'aria-label': `tokens of the ${text}`,
      oninput: () => this.set({ [text]: Number(input.value) }),
    });
    const output = html('output');
    const role = html('small');
    return { text, input, output, role, node: html('label', {}, html('span', {}, `The ${text}`), output, input, role) };
  });

  // ── The grid: a row for each word that asks, a column for each that is asked ──

  keys = PLACES.map(() => html('th', { scope: 'col', class: 'key' }, html('span')));
  queries = PLACES.map((i) => {
    const choose = () => this.set({ query: i + 1 });
    return html('button', { type: 'button', class: 'query', onclick: choose, onfocus: choose });
  });
  aim = roving(this.queries);
  rows = PLACES.map((i) => ({
    cells: PLACES.map(() => html('td')),
    head: html('th', { scope: 'row' }, this.queries[i]),
  }));
  lines = this.rows.map(({ head, cells }) => html('tr', {}, head, ...cells));
  axes = ['query', 'key'].map((tone) => html('span', { class: tone }));

  build(view) {
    view.append(
      this.presets.node,
      html('div', { class: 'w-beside w-streams' },
        html('div', { class: 'w-room' }, html('table', { class: 'weight', 'aria-label': 'who may read whom' },
          html('thead', {}, html('tr', {}, html('td', { class: 'w-note' }, 'choose a word that asks'), ...this.keys)),
          html('tbody', {}, ...this.lines))),
        html('div', {}, ...this.sliders.map(({ node }) => node),
          html('p', {}, ...this.axes))),
      this.says);
  }

  draw({ kind, ...state }, { L, S, seen, row }) {
    const { asks, asked } = KINDS[kind];
    this.presets.show();
    for (const { text, input, output, role, node } of this.sliders) {
      input.value = state[text];
      output.textContent = state[text];
      const made = [...(asks === text ? [name('query', 'Q')] : []), ...(asked === text ? [name('key', 'K'), name('value', 'V')] : [])];
      role.innerHTML = made.length ? `makes ${list(made)}` : 'takes no part';
      update(input, { disabled: !made.length });
      node.classList.toggle('idle', !made.length);
    }
    this.axes[0].innerHTML = `${italic('L')} = ${count(L, 'query', 'queries')}`;
    this.axes[1].innerHTML = `${italic('S')} = ${count(S, 'key')}`;
    PLACES.forEach((i) => {
      const here = i === row - 1;
      update(this.lines[i], { hidden: i >= L });
      this.lines[i].classList.toggle('on', here);
      update(this.queries[i], { 'aria-pressed': String(here), lang: LANGUAGES[asks] });
      this.queries[i].textContent = TEXTS[asks][i];
      update(this.keys[i], { hidden: i >= S, lang: LANGUAGES[asked] });
      this.keys[i].classList.toggle('on', i < seen[row - 1]);
      this.keys[i].firstChild.textContent = TEXTS[asked][i];
      this.rows[i].cells.forEach((cell, j) => {
        update(cell, { hidden: j >= S });
        cell.className = j < seen[i] ? '' : 'masked';
      });
    });
    this.aim(row - 1);
  }
}

const count = (/** @type {number} */ n, /** @type {string} */ one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

customElements.define('attn-streams', Streams);
