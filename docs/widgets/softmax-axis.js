/** Chapter 6: one grid of scores, normalised along its rows or along its columns. */
import { causal as causally, mask, scale, softmaxColumns, softmaxRows, sum, transpose } from './kit/attention.js';
import { matrix, whole } from './kit/codecs.js';
import { html, italic, name, rich, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fit, keepFitting } from './kit/fit.js';
import { fixed, list, roomFor } from './kit/format.js';
import { Matrix } from './kit/matrix.js';
import { radios } from './kit/radios.js';
import { roving } from './kit/roving.js';

const TOKENS = [0, 1, 2];
const CELLS = TOKENS.flatMap((i) => TOKENS.map((j) => [i, j]));
const WIDTH = 2; // of the queries and keys that these scores come from
const RUNNING_EXAMPLE = [[1, 0, 1], [0, 1, 1], [1, 1, 2]];
const LINES = ['rows', 'columns'];

export class SoftmaxAxis extends Widget {
  static title = 'Rows or columns';
  static state = {
    columns: whole(0, 0, 1), causal: whole(0, 0, 1), cell: whole(9, 1, 9), s: matrix(RUNNING_EXAMPLE),
  };

  derive({ columns, causal, s }) {
    const scaled = scale(s, WIDTH);
    const logits = causal ? mask(scaled, causally(TOKENS.length)) : scaled;
    const weights = (columns ? softmaxColumns : softmaxRows)(logits);
    return {
      exps: logits.map((row) => row.map(Math.exp)),
      weights, rows: weights.map(sum), columns: transpose(weights).map(sum),
    };
  }

  describe({ columns }, numbers) {
    const [along, across] = columns ? ['columns', 'rows'] : ['rows', 'columns'];
    const sums = numbers[across].map((x) => fixed(x));
    return `Along the ${along}, each ${along.slice(0, -1)} sums to 1. The ${across} sum to ${list(sums)}.`;
  }

  // ── Controls ──

  axis = radios('Softmax along the', LINES.map((line) => rich('span', line)),
    (columns) => this.set({ columns }), 'Softmax along the');
  causal = html('input', {
    type: 'checkbox', onchange: () => this.set({ causal: Number(this.causal.checked) }),
  });

  // ── Scores that can be edited, and the weights they become, with the sums of both kinds ──

  scores = new Matrix({
    title: `${name('raw', 's')} scores: type in them`, says: 'scores', tone: 'raw',
    rows: TOKENS.map((i) => name('query', 'q', i + 1)), cols: TOKENS.map((j) => name('key', 'k', j + 1)),
    onedit: (i, j, x) => this.set({
      s: this.state.s.map((row, r) => row.map((old, c) => (r === i && c === j ? x : old))),
    }),
  });
  cells = CELLS.map((_, c) => {
    const choose = () => this.set({ cell: c + 1 });
    return html('button', { type: 'button', onclick: choose, onfocus: choose });
  });
  aim = roving(this.cells, TOKENS.length);
  sums = LINES.map(() => TOKENS.map(() => html('td', { class: 'sum' })));
  work = html('div', { class: 'w-terms w-share' });

  build(view) {
    const heading = (tone, letter, t, scope) =>
      update(rich('th', name(tone, letter, t + 1)), { scope, class: tone });
    const [rowSums, columnSums] = this.sums;
    const lines = TOKENS.map((i) => html('tr', {}, heading('query', 'q', i, 'row'),
      ...TOKENS.map((j) => html('td', {}, this.cells[3 * i + j])), rowSums[i]));
    this.scores.node.append(html('p', { class: 'w-note' }, 'from −9.99 to 9.99'));
    view.append(
      html('div', { class: 'w-controls' },
        this.axis.node,
        html('label', { class: 'w-check' }, this.causal, html('span', {}, 'Causal mask'))),
      html('div', { class: 'w-beside w-axes' },
        this.scores.node,
        html('figure', { class: 'weight' }, rich('figcaption', `${name('weight', 'a')} weights, after ÷ √2 and softmax`),
          html('table', { class: 'w-scores weight', 'aria-label': 'weights' },
            html('thead', {}, html('tr', {}, html('td'), ...TOKENS.map((j) => heading('key', 'k', j, 'col')),
              html('th', { scope: 'col', class: 'sum' }, 'sum'))),
            html('tbody', {}, ...lines),
            html('tfoot', {}, html('tr', {}, html('th', { scope: 'row', class: 'sum' }, 'sum'), ...columnSums))))),
      this.work,
      this.says);
    keepFitting([this.work]);
  }

  draw({ columns, causal, cell, s }, { exps, weights, ...sums }) {
    const [row, column] = CELLS[cell - 1];
    const seen = causally(TOKENS.length);
    this.axis.show(columns);
    this.causal.checked = !!causal;
    this.scores.showInputs(s);
    this.cells.forEach((button, c) => {
      const [i, j] = CELLS[c];
      const together = columns ? j === column : i === row;
      button.className = causal && !seen[i][j] ? 'hidden' : '';
      button.classList.toggle('together', together);
      button.style.setProperty('--heat', weights[i][j].toFixed(3));
      button.textContent = weights[i][j] ? fixed(weights[i][j]) : '0';
      update(button, {
        'aria-pressed': String(c === cell - 1),
        'aria-label': `weight of key ${j + 1} for query ${i + 1}: ${button.textContent}`,
      });
    });
    this.aim(cell - 1);
    LINES.forEach((line, l) => this.sums[l].forEach((td, t) => {
      td.textContent = fixed(sums[line][t]);
      td.classList.toggle('given', l === columns);
    }));
    this.work.innerHTML = share(row, column, columns, exps, weights);
    fit(this.work);
  }
}

/** Few enough digits that three of them and a fraction fit on a phone's line. */
const short = (/** @type {number} */ x) => fixed(x, roomFor([x]));

/** A weight as its exponential over the sum of those that it shares its line with. */
function share(i, j, columns, exps, weights) {
  const line = TOKENS.map((t) => (columns ? [t, j] : [i, t]));
  const parts = line.map(([r, c]) => exps[r][c]);
  const e = ([r, c]) => `${italic('e')}<sub>${r + 1}${c + 1}</sub>`;
  const fraction = (over, under) => `<span class="over">${over}</span> ÷ (${under.join(' + ')})`;
  const sides = [
    fraction(e([i, j]), line.map(e)),
    fraction(short(exps[i][j]), parts.map(short)),
    `<b class="weight">${fixed(weights[i][j])}</b>`,
  ];
  return `<div>${name('weight', 'a', `${i + 1}${j + 1}`)}</div>`
    + sides.map((side) => `<div>= ${side}</div>`).join('');
}

customElements.define('attn-softmax-axis', SoftmaxAxis);
