/** Radio buttons in a row, of which one is chosen. */
import { html, unique } from './draw.js';

/**
 * @param {string} says  what is chosen
 * @param {(string | Node)[]} labels
 * @param {(i: number) => void} choose
 * @param {string} [lead]  what is chosen, for eyes, if it has to be said
 */
export function radios(says, labels, choose, lead) {
  const name = unique('radios'); // those of one name exclude each other, page-wide
  const inputs = labels.map((_, i) => html('input', { type: 'radio', name, onchange: () => choose(i) }));
  return {
    node: html('div', { class: 'w-choice', role: 'radiogroup', 'aria-label': says },
      ...(lead ? [html('b', {}, lead)] : []), ...inputs.map((input, i) => html('label', {}, input, labels[i]))),
    show(/** @type {number} */ chosen) {
      inputs.forEach((input, i) => { input.checked = i === chosen; });
    },
  };
}
