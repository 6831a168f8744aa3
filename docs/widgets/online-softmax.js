/** Chapter 11: say in a sentence what there is to see. */
import { softmax } from './kit/attention.js';
import { whole } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { bar, fill, html, name } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed } from './kit/format.js';
import { presets } from './kit/presets.js';

const MOST = 8; // how far the first key may be ahead
const PRESETS = [
  { label: 'Alike', set: { lead: 0 } },
  { label: 'Far ahead', set: { lead: MOST } },
];

export class OnlineSoftmax extends Widget {
  static title = 'Online softmax';
  /** What a reader can change. It stands in attributes and in the link. */
  static state = { lead: whole(2, 0, MOST) };

  /** The numbers, from the state alone: the tests compare them with attnref. */
  derive({ lead }) {
    const scores = [lead, 0];
    return { scores, weights: softmax(scores) };
  }

  /** The same in a sentence, for those who do not see the picture. */
  describe({ lead }, { weights }) {
    return `A key that scores ${lead} more than another gets ${fixed(weights[0])} of the attention.`;
  }

  // ── Controls ──

  presets = presets(this, PRESETS);
  lead = dial('Ahead by', { max: MOST }, (lead) => this.set({ lead }));

  // ── The table: a key a row ──

  rows = [1, 2].map((j) => {
    const cells = ['raw', 'weight'].map((tone) => html('td', { class: tone }));
    const share = bar('weight');
    const head = html('th', { scope: 'row' });
    head.innerHTML = name('key', 'k', j);
    return { tr: html('tr', {}, head, ...cells, html('td', { class: 'bars' }, share)), cells, share };
  });

  /** The view, made once. */
  build(view) {
    const columns = ['score', 'weight'].map((text) => html('th', { scope: 'col' }, text));
    view.append(
      this.presets.node,
      html('div', { class: 'w-controls' }, this.lead.node),
      html('table', {}, html('thead', {}, html('tr', {}, html('td'), ...columns, html('td'))),
        html('tbody', {}, ...this.rows.map(({ tr }) => tr))),
      this.says);
  }

  /** The state and its numbers, put into the view. */
  draw({ lead }, { scores, weights }) {
    this.presets.show();
    this.lead.show(lead, String(lead));
    this.rows.forEach(({ cells: [score, weight], share }, j) => {
      score.textContent = String(scores[j]);
      weight.textContent = fixed(weights[j]);
      fill(share, weights[j]);
    });
  }
}

customElements.define('attn-online-softmax', OnlineSoftmax);
