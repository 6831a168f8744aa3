/** A dot product as a table: two vectors one above the other, their products, and the sum. */
import { html } from './draw.js';
import { digitsFor, row as rowOf } from './format.js';

/**
 * @typedef {object} Side  a vector and how it is called
 * @property {string} name  HTML
 * @property {string} tone
 * @property {number[]} values
 */

/**
 * @param {Side} a @param {Side} b
 * @param {{name: string, tone: string, value: number}} sum
 */
export function products(a, b, sum) {
  const terms = a.values.map((x, d) => x * b.values[d]);
  const digits = digitsFor([...terms, sum.value]);
  const [first, ...rest] = rowOf(terms, digits);
  const total = rowOf([sum.value], digits)[0];
  const line = (/** @type {string} */ name, /** @type {string[]} */ texts, tone = '', end = '') =>
    `<tr class="${tone}"><th scope="row">${name}</th>${texts.map((t) => `<td>${t}</td>`).join('')}`
    + `<td class="end">${end}</td></tr>`;
  const side = (/** @type {Side} */ { name, tone, values }) =>
    line(name, rowOf(values, digitsFor(values)), tone);
  return html('table', { class: 'w-products' }, ...rows(side(a) + side(b)
    + line('multiply, add', [first, ...rest.map(signed)], 'terms',
      `= <b class="${sum.tone}">${total}</b>`)));
}

const signed = (/** @type {string} */ text) =>
  `<span class="sign">${text.startsWith('−') ? '−' : '+'}</span>${text.replace('−', '')}`;

/** @param {string} text */
function rows(text) {
  const body = html('tbody');
  body.innerHTML = text;
  return [body];
}
