/** The few verbs with which every widget draws: make a node, update it, an arrow, a letter, a bar. */

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Record<string, any>} Attributes  `onclick: f` listens; null and false leave out */

/**
 * @template {Element} E
 * @param {E} node @param {Attributes} attributes
 */
export function update(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (value == null || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  return node;
}

/** @typedef {(tag: string, attributes?: Attributes, ...children: (Node | string)[]) => any} Make */

/** @type {Make} */
export function html(tag, attributes = {}, ...children) {
  const node = update(document.createElement(tag), attributes);
  node.append(...children);
  return node;
}

/** An element around a piece of our own HTML, never a reader's. */
export const rich = (/** @type {string} */ tag, /** @type {string} */ text) =>
  Object.assign(html(tag), { innerHTML: text });

/** @type {Make} */
export function svg(tag, attributes = {}, ...children) {
  const node = update(document.createElementNS(SVG, tag), attributes);
  node.append(...children);
  return node;
}

let names = 0;
/** A name that nothing else on the page has: for radio buttons and patterns. */
export const unique = (/** @type {string} */ what) => `${what}-${(names += 1)}`;

/** Stripes, to fill shapes with: `fill: url(#id)`.  @param {string} id */
export const stripes = (id) => svg('pattern',
  { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
  svg('rect', { width: 2.2, height: 5, class: 'stripe' }));

/** A letter as formulas set it: 𝑞 for q, 𝐴 for A. */
export const italic = (/** @type {string} */ letter) => String.fromCodePoint(
  letter.charCodeAt(0) + (letter < 'a' ? 0x1D434 - 65 : 0x1D44E - 97));

/** @typedef {(tone: string, letter: string, index?: string | number) => any} Name */

/** A vector's name in its colour, k₁ in blue italics, as HTML text.  @type {Name} */
export const name = (tone, letter, index = '') =>
  `<span class="${tone}">${italic(letter)}${index === '' ? '' : `<sub>${index}</sub>`}</span>`;

/** The same inside a drawing.  @type {Name} */
export const svgName = (tone, letter, index = '') =>
  svg('text', { class: `w-name ${tone}`, 'aria-hidden': true },
    svg('tspan', { class: 'letter' }, italic(letter)),
    svg('tspan', { class: 'sub', dy: 4 }, String(index)));

/** A path from `a` to the tip `b`. Too short for its head, it gets a smaller one; zero is a dot. */
export function arrow([ax, ay], [bx, by], head = 10) {
  const n = Math.hypot(bx - ax, by - ay);
  if (n < 0.5) return `M${ax} ${ay}h.01`;
  const [ux, uy] = [(bx - ax) / n, (by - ay) / n];
  const h = Math.min(head, n);
  const [cx, cy, w] = [bx - ux * h, by - uy * h, h * 0.4];
  const [left, right] = [[cx - uy * w, cy + ux * w], [cx + uy * w, cy - ux * w]];
  return `M${ax} ${ay}L${cx} ${cy}M${left}L${bx} ${by}L${right}Z`;
}

/** A horizontal bar for a share between 0 and 1; set it with `fill`. */
export const bar = (/** @type {string} */ tone) =>
  html('span', { class: `w-bar ${tone}`, 'aria-hidden': true });
export const fill = (/** @type {HTMLElement} */ node, /** @type {number} */ share) =>
  node.style.setProperty('--share', String(share));
