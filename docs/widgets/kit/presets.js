/** Buttons that lead to states worth seeing; the one whose state is shown looks pressed. */
import { html, rich, update } from './draw.js';

/** @typedef {Record<string, any>} State */
/** @typedef {{label: string, set: State | ((state: State) => State)}} Preset  the label is HTML */

/**
 * @param {{state: State, leap: (patch: State) => void}} widget
 * @param {Preset[]} choices
 */
export function presets(widget, choices) {
  const patch = (/** @type {Preset} */ { set }) => (typeof set === 'function' ? set(widget.state) : set);
  const buttons = choices.map((choice) => update(rich('button', choice.label), {
    type: 'button', onclick: () => widget.leap(patch(choice)),
  }));
  return {
    node: html('div', { class: 'w-presets', role: 'group', 'aria-label': 'Presets' }, ...buttons),
    show() {
      choices.forEach((choice, i) => {
        const now = Object.entries(patch(choice)).every(([k, v]) => String(widget.state[k]) === String(v));
        update(buttons[i], { 'aria-pressed': String(now) });
      });
    },
  };
}
