/** Chapter 0's eight tokens: where a seed puts their rows, and where a hand does. */

/** `row` is snippets/ch00/toy.py, `start` the random table of snippets/ch00/lookup.py. */
export const TOKENS = [
  { word: 'dog', group: 0, start: [-0.05, -0.61, 0.54], row: [0.9, 0.2, 0.3] },
  { word: 'cat', group: 0, start: [-0.27, 0.84, -0.88], row: [0.8, 0.1, 0.5] },
  { word: 'man', group: 0, start: [0.28, -0.01, 0.43], row: [0.8, 0.5, 0.2] },
  { word: 'bites', group: 1, start: [-0.5, 0.16, 0.91], row: [-0.4, 0.8, 0.3] },
  { word: 'chases', group: 1, start: [-0.67, -0.25, 0.62], row: [-0.6, 0.7, 0.2] },
  { word: 'sees', group: 1, start: [-0.34, 0.91, -0.3], row: [-0.3, 0.9, 0] },
  { word: 'old', group: 2, start: [-0.21, 0.6, 0.13], row: [0.1, -0.5, 0.9] },
  { word: 'young', group: 2, start: [0.67, 0.45, -0.48], row: [-0.1, -0.3, 0.9] },
];

/** From where to where the groups reach. */
export const GROUPS = [0, 1, 2].map((group) => {
  const at = TOKENS.flatMap((token, i) => (token.group === group ? [i] : []));
  return [at[0], at[at.length - 1] + 1];
});

export const rowOf = (/** @type {string} */ word) =>
  /** @type {(typeof TOKENS)[number]} */ (TOKENS.find((token) => token.word === word)).row;
