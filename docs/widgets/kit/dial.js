/** A slider with its name before it and its value, as text, behind it. */
import { html, update } from './draw.js';

/**
 * @param {string | Element} says @param {Record<string, number | string>} attributes
 *   of the input: its range, from 0 if not given, and what it is called if that is not what it says
 * @param {(value: number) => void} choose
 */
export function dial(says, attributes, choose) {
  const input = html('input', {
    type: 'range', class: 'w-plain', min: 0, 'aria-label': says, ...attributes,
    oninput: () => choose(Number(input.value)),
  });
  const label = typeof says === 'string' ? html('span', {}, says) : says;
  const output = html('output');
  return {
    input,
    node: html('label', { class: 'w-dial' }, label, input, output),
    show(/** @type {number} */ value, /** @type {string} */ text) {
      input.value = value;
      update(input, { 'aria-valuetext': text });
      output.textContent = text;
    },
  };
}
