/** Chapter 12: a head with one mistake in it, and the tests that notice. */
import { mask as masked, mix, scale, scores, softmaxColumns, softmaxRows, sum } from './kit/attention.js';
import { bits } from './kit/random.js';

/** @typedef {number[][]} M */

const P = 0.5; // of dropout
const SAME = 1e-9;

/** What a causal query may see; the padded example has no first key. */
export const allowed = (/** @type {string} */ bug, /** @type {number} */ L, /** @type {number} */ S) =>
  Array.from({ length: L }, (_, i) => Array.from({ length: S }, (_, j) => j <= i + S - L && !(bug === 'nokey' && j === 0)));

/** exp(z) over its sum, without a thought of rows that have no key: NaN there. */
const naive = (/** @type {M} */ Z) => Z.map((row) => {
  const top = Math.max(...row);
  const exps = row.map((z) => Math.exp(z - top));
  return exps.map((e) => e / sum(exps));
});

/**
 * @param {string} bug  '' for none
 * @param {M} q L × D @param {M} k S × D @param {M} v S × Dv
 * @param {() => number} draw  for dropout
 * @param {boolean} [naively]  rows without a key become NaN
 */
export function head(bug, q, k, v, draw, naively = bug === 'nokey') {
  const axes = bug === 'axes'; // each token is taken for a head, alone with its own key
  const asks = axes ? k.map((_, i) => q[i] ?? q[0]) : q; // one query is stretched along the heads
  const sees = allowed(bug, asks.length, k.length);
  const used = sees.map((row, i) => row.map((see, j) => ({
    axes: i === j, polarity: !see, cache: j <= i, late: true,
  }[bug] ?? see)));
  const raw = scores(asks, k);
  const divide = (/** @type {M} */ Z) => scale(Z, q[0].length);
  const scaled = bug === 'never' ? raw : bug === 'twice' ? divide(divide(raw)) : divide(raw);
  const logits = masked(scaled, used);
  let weights = (bug === 'columns' ? softmaxColumns : naively ? naive : softmaxRows)(logits);
  if (bug === 'late') weights = weights.map((row, i) => row.map((a, j) => (sees[i][j] ? a : 0)));
  if (bug === 'dropout') weights = weights.map((row) => row.map((a) => (draw() >= 0 ? a / (1 - P) : 0)));
  const computed = used.map((row) => row.map((u) => !axes || u));
  return { raw, computed, logits, weights, output: mix(weights, v) };
}

/** A token at a time, with what came before it in a cache: each step is a row. */
export function stepwise(/** @type {string} */ bug, q, k, v, draw) {
  const steps = k.map((_, i) => head(bug, [q[i]], k.slice(0, i + 1), v.slice(0, i + 1), draw));
  const pad = (/** @type {number[]} */ row, fill) => k.map((_, j) => row[j] ?? fill);
  const rows = (/** @type {string} */ stage, fill) => steps.map((step) => pad(step[stage][0], fill));
  return {
    raw: rows('raw', NaN), computed: steps.map((step) => pad(step.computed[0], false)),
    logits: rows('logits', -Infinity), weights: rows('weights', 0), output: steps.map((step) => step.output[0]),
  };
}

export const equal = (/** @type {number} */ a, /** @type {number} */ b) =>
  Math.abs(a - b) < SAME || Object.is(a, b);
const same = (/** @type {M} */ A, /** @type {M} */ B) =>
  A.length === B.length && A.every((row, i) => row.every((x, j) => equal(x, B[i][j])));

/** Whether each of the tests passes, on a text of these tokens. */
export function tests(/** @type {string} */ bug, q, k, v, seed) {
  const run = (Q, K, V, draw = bits(seed)) => head(bug, Q, K, V, draw).output;
  const out = run(q, k, v);
  const moved = (/** @type {number} */ token) => {
    const poke = (/** @type {M} */ X) => X.map((row, i) => (i === token ? row.map((x) => x + 1) : row));
    const now = run(poke(q), poke(k), poke(v));
    return out.map((row, i) => !same([row], [now[i]]));
  };
  const last = k.length - 1;
  const sees = allowed(bug, q.length, k.length);
  const sums = run(q, k, k.map(() => [1]));
  const draw = bits(seed);
  return {
    shape: out.length === q.length && out[0].length === v[0].length,
    finite: out.flat().every(Number.isFinite),
    sums: same(sums, sees.map((row) => [Number(row.some(Boolean))])),
    future: !moved(last).slice(0, -1).some(Boolean),
    past: moved(1)[last],
    cached: same(run(q.slice(-1), k, v), out.slice(-1)),
    twice: same(run(q, k, v, draw), run(q, k, v, draw)),
    numbers: same(out, head(bug === 'nokey' ? 'nokey' : '', q, k, v, draw, false).output),
  };
}

/** What each row of weights sums to. */
export const rowSums = (/** @type {M} */ A) => A.map((row) => [sum(row)]);
