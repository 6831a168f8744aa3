/** The five steps of chapter 7, and the arithmetic of one row written out term by term. */
import { mix as mixed, sum } from './kit/attention.js';
import { name } from './kit/draw.js';
import { digitsFor, fixed, list, row as rowOf } from './kit/format.js';

/** `title` heads the matrix that a step makes, `says` names it aloud; `quiet` as in Matrix. */
export const STEPS = [
  { verb: 'compare', operator: '=', title: '<b>1</b> 𝑄𝐾<sup>⊤</sup> scores', says: 'scores', tone: 'raw' },
  { verb: 'scale', operator: '→', title: '<b>2</b> ÷ √2 scaled', says: 'scaled scores', tone: 'weight', quiet: true },
  { verb: 'mask', operator: '→', title: '<b>3</b> masked', says: 'masked scores', tone: 'weight' },
  { verb: 'softmax', operator: '→', title: '<b>4</b> 𝐴 weights', says: 'weights', tone: 'weight', quiet: true },
  { verb: 'mix', operator: '=', title: '<b>5</b> 𝑂 output', says: 'output', tone: 'output' },
];

/** @typedef {Record<'q' | 'k' | 'v', number[][]>} Inputs */
/** @typedef {'raw' | 'scaled' | 'masked' | 'exps' | 'weights' | 'output'} Stage */

/**
 * @param {number} step  1 to 5
 * @param {number} i  the row, from 0
 * @param {Inputs} inputs
 * @param {Record<Stage, number[][]>} numbers
 * @returns {string} HTML
 */
export const arithmetic = (step, i, inputs, numbers) =>
  [compare, scale, mask, softmax, mix][step - 1](i, inputs, numbers).join('');

const q = (/** @type {number} */ i) => name('query', 'q', i + 1);
const k = (/** @type {number} */ j) => name('key', 'k', j + 1);
const say = (/** @type {string} */ tone, /** @type {string} */ text) =>
  `<span class="${tone}">${text}</span>`;
/** A row of `M`, all of whose rows have the same decimals. */
const evenly = (/** @type {number[][]} */ M, /** @type {number} */ i) =>
  rowOf(M[i], digitsFor(M.flat()));

/** One line of several parts; `n` says which cells it is about. */
function line(/** @type {number} */ n, /** @type {string[]} */ ...parts) {
  const spans = parts.map((part) => `<span>${part}</span>`);
  return `<div class="line" data-n="${n}">${spans.join('')}</div>`;
}

/** @param {number} n @param {string} left @param {string[]} sides  all equal to it */
const equation = (n, left, ...sides) => line(n, left, ...sides.map((side) => `= ${side}`));

function compare(i, { q: Q, k: K }, { raw }) {
  const [query, scores] = [evenly(Q, i), evenly(raw, i)];
  return K.map((_, j) => {
    const products = evenly(K, j).map((x, d) => `${say('query', query[d])} × ${say('key', x)}`);
    return equation(j, `${q(i)} · ${k(j)}`, products.join(' + '), say('raw', scores[j]));
  });
}

function scale(i, _inputs, { raw, scaled }) {
  const [before, after] = [evenly(raw, i), rowOf(scaled[i])];
  return before.map((s, j) => equation(
    j, `${q(i)} · ${k(j)} ÷ √2`, `${say('raw', s)} ÷ ${fixed(Math.SQRT2)}`, say('weight', after[j]),
  ));
}

function mask(i, _inputs, { scaled, masked }) {
  const [before, after] = [rowOf(scaled[i]), rowOf(masked[i])];
  return before.map((s, j) => (j <= i
    ? line(j, `${q(i)} sees ${k(j)}:`, `${say('weight', s)} + 0`, `= ${say('weight', after[j])}`)
    : line(j, `${q(i)} never sees ${k(j)}:`, `${say('weight', s)} − ∞`, `= ${say('muted', after[j])}`)));
}

function softmax(i, _inputs, { masked, exps, weights }) {
  const [powers, shares] = [rowOf(exps[i]), rowOf(weights[i])];
  const whole = fixed(sum(exps[i]), digitsFor(exps[i]));
  const e = rowOf(masked[i]).map((s) => `𝑒<sup>${say('weight', s)}</sup>`);
  const weight = (j) => name('weight', 'A', `${i + 1}${j + 1}`);
  return [equation(-1, 'sum', e.join(' + '), whole), ...shares.map((share, j) => equation(
    j, weight(j), `${e[j]} ÷ sum`, `${powers[j]} ÷ ${whole}`, say('weight', share),
  ))];
}

function mix(i, { v: V }, { weights, output }) {
  const [shares, outputs] = [rowOf(weights[i]), rowOf(output[i])];
  const values = V.map((_, j) => evenly(V, j));
  const lines = outputs.map((o, d) => {
    const terms = shares.map((a, j) => `${say('weight', a)} × ${say('value', values[j][d])}`);
    return equation(d, name('output', 'O', `${i + 1}${d + 1}`), terms.join(' + '), say('output', o));
  });
  return [...lines, rounding(V, weights[i], output[i])];
}

/** Redone with the weights as printed the last digit may differ: say so before the reader asks. */
function rounding(V, weights, output) {
  const digits = digitsFor(output);
  const printed = weights.map((w) => Number(w.toFixed(4)));
  const redone = mixed([printed], V)[0].map((x) => fixed(x, digits));
  const differing = redone.filter((text, d) => text !== fixed(output[d], digits));
  if (!differing.length) return '';
  return `<p class="w-note">From the printed digits you would get ${list(differing)}: `
    + 'that is rounding.</p>';
}
