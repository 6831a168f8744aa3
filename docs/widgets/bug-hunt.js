/** Chapter 12: seven mistakes in the running example, what they change, and what notices. */
import { choice, whole } from './kit/codecs.js';
import { html, name, rich, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fit, keepFitting } from './kit/fit.js';
import { fixed, list } from './kit/format.js';
import { Matrix } from './kit/matrix.js';
import { presets } from './kit/presets.js';
import { bits } from './kit/random.js';
import { equal, head, rowSums, stepwise, tests } from './bug-hunt-heads.js';
import { KEYS, VALUES } from './running-example.js';

const TOKENS = [0, 1, 2];

/** What is done wrong, in a few words, and what it does here. */
const BUGS = {
  axes: ['1 axes', 'Sequence and heads have changed places: each token is a head of its own, and reads its own value.'],
  polarity: ['2 polarity', 'True hides where it should allow: each token reads its future, and the last one nothing.'],
  late: ['3 mask late', 'Forbidden weights are erased after the softmax: those that are left are too small.'],
  columns: ['4 columns', 'The softmax runs along the queries: a column sums to one, a row need not.'],
  twice: ['5 scaled twice', 'Divided by √2 before the call and in it: every row with a choice is too even.'],
  never: ['5 never scaled', 'Nobody divides by √2: every row with a choice is too sharp.'],
  cache: ['6 cache', 'A token at a time, with the causal flag aligned top-left: each step reads key 1 only.'],
  dropout: ['7 dropout', 'Weights are dropped at random, the others doubled, though nobody trains.'],
  nokey: ['7 no key', 'The first token is padding. Under the causal mask its row has no key, and the naive softmax takes −∞ from −∞: NaN.'],
};
const TESTS = {
  shape: 'the output has the right shape',
  finite: 'no output is NaN',
  sums: 'weights sum to 1, or to 0 without a key',
  future: 'no token hears a later one',
  past: 'the last token hears the second',
  cached: 'one query with a cache gives the last row',
  twice: 'two calls give the same',
  numbers: 'the numbers are those of a reference',
};

const named = (tone, letter) => TOKENS.map((i) => name(tone, letter, i + 1));
const [QS, KS, OS] = [named('query', 'q'), named('key', 'k'), named('output', 'o')];
const STAGES = [
  { of: 'raw', title: 'scores', says: 'scores', tone: 'raw', rows: QS, cols: KS },
  { of: 'logits', title: 'scaled, masked', says: 'scaled and masked scores', tone: 'weight', rows: QS, cols: KS },
  { of: 'weights', title: 'weights', says: 'weights', tone: 'weight', rows: QS, cols: KS },
  { of: 'sums', title: 'row sums', says: 'sums of the rows of weights', tone: 'weight', rows: QS, cols: [''] },
  { of: 'output', title: 'outputs', says: 'outputs', tone: 'output', rows: OS, cols: ['', ''] },
];

export class BugHunt extends Widget {
  static title = 'One mistake at a time';
  static state = { bug: choice(/** @type {string} */ ('axes'), ['none', ...Object.keys(BUGS)]), seed: whole(1, 1, 999) };

  derive({ bug, seed }) {
    const [wrong, right] = [bug, bug === 'nokey' ? bug : ''].map((kind, r) => {
      const run = bug === 'cache' ? stepwise : head;
      const stages = run(kind, KEYS, KEYS, VALUES, bits(seed), !r && bug === 'nokey');
      return { ...stages, sums: rowSums(stages.weights) };
    });
    const changed = Object.fromEntries(STAGES.map(({ of }) => [of, wrong[of].map((row, i) => row.map((x, j) => (
      !equal(x, right[of][i][j]) || (of === 'raw' && wrong.computed[i][j] !== right.computed[i][j]))))]));
    return { wrong, right, changed, passes: tests(bug, KEYS, KEYS, VALUES, seed) };
  }

  describe({ bug }, { changed, passes }) {
    if (bug === 'none') return 'No mistake: these are the numbers of chapter 7. Choose one.';
    const counts = STAGES.map(({ of, title }) => {
      const cells = changed[of].flat();
      return [cells.filter(Boolean).length, `of ${cells.length} ${title === 'scaled, masked' ? 'scaled scores' : title}`];
    }).filter(([changes]) => changes);
    const noticing = Object.values(passes).filter((passed) => !passed).length;
    return `${BUGS[bug][1]} ${counts.length ? `It changes ${list(counts.map((count) => count.join(' ')))}` : 'It happens to change nothing'}. `
      + `${noticing} of ${Object.keys(TESTS).length} tests ${noticing === 1 ? 'notices' : 'notice'}.`;
  }

  // ── Controls ──

  presets = presets(this, [['none', ['none']], ...Object.entries(BUGS)].map(([bug, [label]]) => ({ label, set: { bug } })));
  again = html('button', {
    type: 'button', onclick: () => this.set({ seed: (this.state.seed % 999) + 1 }),
  }, 'Draw again');

  // ── The stages, right numbers small below wrong ones, and the tests ──

  stages = STAGES.map((stage) => new Matrix(stage));
  stage = html('div', { class: 'w-hunt' }, ...this.stages.map(({ node }) => node));
  tests = Object.entries(TESTS).map(([test, text]) => {
    const mark = html('b');
    return { test, mark, node: html('li', {}, mark, text) };
  });

  build(view) {
    this.presets.node.append(this.again);
    this.stage.append(html('figure', { class: 'w-tests' },
      rich('figcaption', 'which tests notice?'), html('ul', {}, ...this.tests.map(({ node }) => node))));
    view.append(this.presets.node, this.stage, this.says);
    keepFitting([this.stage]);
  }

  draw({ bug }, { wrong, right, changed, passes }) {
    this.presets.show();
    this.again.style.visibility = bug === 'dropout' ? '' : 'hidden';
    STAGES.forEach(({ of }, s) => this.stages[s].cells.forEach((cells, i) => cells.forEach((cell, j) => {
      const there = of !== 'raw' || wrong.computed[i][j];
      const [now, was] = [there ? text(wrong[of][i][j]) : '·', text(right[of][i][j])];
      const td = /** @type {HTMLElement} */ (cell.parentElement);
      td.style.setProperty('--heat', '0');
      td.classList.toggle('changed', changed[of][i][j]);
      td.classList.toggle('masked', of === 'logits' && wrong.logits[i][j] === -Infinity);
      cell.replaceChildren(there ? now : html('span', { title: 'not computed' }, '·'), ...(changed[of][i][j]
        ? [html('small', {}, `≠ ${was}`)] : []));
    })));
    this.tests.forEach(({ test, mark, node }) => {
      node.classList.toggle('notices', !passes[test]);
      mark.replaceChildren(passes[test] ? '–' : '✗',
        html('span', { class: 'w-unseen' }, passes[test] ? 'silent: ' : 'notices: '));
      update(node, { 'data-test': test });
    });
    fit(this.stage);
  }
}

/** As the page prints it; whole numbers bare. */
function text(/** @type {number} */ x) {
  if (Number.isNaN(x)) return 'NaN';
  return Number.isFinite(x) && equal(x, Math.round(x)) ? fixed(x, 0) : fixed(x);
}

customElements.define('attn-bug-hunt', BugHunt);
