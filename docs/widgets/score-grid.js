/** Chapter 3: four queries, four keys, sixteen scores, and the products that each is made of. */
import { scores } from './kit/attention.js';
import { matrix, whole } from './kit/codecs.js';
import { html, name, rich, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fit, keepFitting } from './kit/fit.js';
import { digitsFor, row as rowOf } from './kit/format.js';
import { presets } from './kit/presets.js';
import { products } from './kit/products.js';
import { roving } from './kit/roving.js';

const QUERIES = [[1, 1, 2], [1, -2, -1], [-1, -2, -1], [2, 1, 1]];
const KEYS = [[2, 1, 1], [2, 1, -1], [-1, 2, 1], [0, 0, 2]];
const TOKENS = [0, 1, 2, 3];
const CELLS = TOKENS.flatMap((i) => TOKENS.map((j) => [i, j]));
const PRESETS = [
  { label: 'A matrix for each role', set: { k: KEYS } },
  { label: `One for both, ${name('key', 'W', 'K')} = ${name('query', 'W', 'Q')}`, set: ({ q }) => ({ k: q }) },
];

export class ScoreGrid extends Widget {
  static title = 'Sixteen scores';
  static state = {
    query: whole(1, 1, 4), key: whole(2, 1, 4), mirror: whole(0, 0, 1),
    q: matrix(QUERIES), k: matrix(KEYS),
  };

  derive({ q, k }) {
    const grid = scores(q, k);
    const pairs = CELLS.filter(([i, j]) => i < j);
    return {
      scores: grid,
      negative: grid.flat().filter((s) => s < 0).length,
      unequal: pairs.filter(([i, j]) => Math.abs(grid[i][j] - grid[j][i]) > 1e-9).length,
    };
  }

  describe({ query, key, mirror }, { scores: grid, negative, unequal }) {
    const s = (i, j) =>
      `uery ${i} gives key ${j} the score ${rowOf([grid[i - 1][j - 1]], digitsFor(grid.flat()))[0]}`;
    const back = query === key ? 'That cell is its own mirror' : `In the mirror, q${s(key, query)}`;
    return `Q${s(query, key)}. ${mirror ? `${back}. ` : ''}`
      + `${negative} of 16 scores are negative, and ${unequal} of 6 pairs differ from their mirror.`;
  }

  // ── Controls ──

  presets = presets(this, PRESETS);
  sliders = ['query', 'key'].map((role) => {
    const slider = html('input', {
      type: 'range', min: 1, max: TOKENS.length, 'aria-label': `${role} to look at`,
      oninput: () => this.set({ [role]: Number(slider.value) }),
    });
    return slider;
  });
  mirror = html('input', {
    type: 'checkbox', onchange: () => this.set({ mirror: Number(this.mirror.checked) }),
  });
  mirrored = html('span');

  // ── The grid: queries down the side, keys along the top, as the matrix product has them ──

  queries = TOKENS.map(() => html('th', { scope: 'row', class: 'query' }));
  keys = TOKENS.map(() => html('th', { scope: 'col', class: 'key' }));
  cells = CELLS.map(([i, j]) => {
    const choose = () => this.set({ query: i + 1, key: j + 1 });
    return html('button', { type: 'button', onclick: choose, onfocus: choose });
  });
  aim = roving(this.cells, TOKENS.length);
  grid = html('div', { class: 'w-fitted' });
  work = html('div', { class: 'w-terms' });

  build(view) {
    const lines = TOKENS.map((i) => html('tr', {}, this.queries[i],
      ...TOKENS.map((j) => html('td', {}, this.cells[4 * i + j]))));
    this.grid.append(html('table', { class: 'w-scores raw', 'aria-label': 'scores' },
      html('thead', {}, html('tr', {}, html('td'), ...this.keys)), html('tbody', {}, ...lines)));
    const labelled = (text, tone, slider) => html('label', { class: tone }, rich('span', text), slider);
    view.append(
      this.presets.node,
      html('div', { class: 'w-beside' }, this.grid,
        html('div', {},
          html('div', { class: 'w-sliders' },
            labelled('Query', 'query', this.sliders[0]), labelled('Key', 'key', this.sliders[1])),
          html('label', { class: 'w-check' }, this.mirror, this.mirrored),
          this.work)),
      this.says);
    keepFitting([this.grid, this.work]);
  }

  draw({ query, key, mirror, q, k }, { scores: grid }) {
    const [i, j] = [query - 1, key - 1];
    this.presets.show();
    this.sliders.forEach((slider, s) => { slider.value = [query, key][s]; });
    this.mirror.checked = !!mirror;
    this.mirrored.innerHTML = `Show the mirror, ${score(j, i)}`;
    TOKENS.forEach((t) => {
      this.queries[t].innerHTML = `${name('query', 'q', t + 1)} ${numbers(q[t])}`;
      this.keys[t].innerHTML = `${name('key', 'k', t + 1)} ${numbers(k[t])}`;
      this.queries[t].classList.toggle('on', t === i);
      this.keys[t].classList.toggle('on', t === j);
    });
    const digits = digitsFor(grid.flat());
    const most = Math.max(...grid.flat().map(Math.abs)) || 1;
    this.cells.forEach((cell, c) => {
      const [row, col] = CELLS[c];
      const s = grid[row][col];
      const chosen = row === i && col === j;
      update(cell, { 'aria-pressed': String(chosen) });
      cell.className = ['negative', 'zero', 'positive'][Math.sign(s) + 1];
      cell.classList.toggle('mirror', !!mirror && !chosen && row === j && col === i);
      cell.style.setProperty('--heat', (Math.abs(s) / most).toFixed(3));
      cell.textContent = rowOf([s], digits)[0];
    });
    this.aim(4 * i + j);
    const pair = (a, b) => products(
      { name: name('query', 'q', a + 1), tone: 'query', values: q[a] },
      { name: name('key', 'k', b + 1), tone: 'key', values: k[b] },
      { name: score(a, b), tone: 'raw', value: grid[a][b] },
    );
    this.work.replaceChildren(pair(i, j), ...(mirror && i !== j ? [pair(j, i)] : []));
    fit(this.grid);
    fit(this.work);
  }
}

const score = (i, j) => name('raw', 's', `${i + 1}${j + 1}`);
const numbers = (v) =>
  `<span class="numbers">${rowOf(v, digitsFor(v)).map((x) => `<i>${x}</i>`).join('')}</span>`;

customElements.define('attn-score-grid', ScoreGrid);
