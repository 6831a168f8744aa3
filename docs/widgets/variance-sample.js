/** The experiment: random queries and keys, their scores at every width, and what they come to. */
import { softmax } from './kit/attention.js';
import { normals } from './kit/random.js';

export const WIDTHS = Array.from({ length: 11 }, (_, power) => 2 ** power);
export const WIDEST = WIDTHS[WIDTHS.length - 1];
export const QUERIES = 2000;
export const KEYS = 4; // for each query, its own
export const REACH = 20; // the ruler's ends: scores of -20 and 20
export const BIN = 0.5;

/**
 * Drawn once for all widths: a narrow vector is the beginning of a wide one. So the slider finds
 * every width ready, and turning it changes nothing but the width.
 */
export class Sample {
  drawn = 0; // queries
  scores = WIDTHS.map(() => new Float64Array(QUERIES * KEYS));
  #q = new Float64Array(WIDEST);
  #k = new Float64Array(WIDEST);

  /** @param {number} seed */
  constructor(seed) {
    this.seed = seed;
    this.fill = normals(seed);
  }

  get complete() { return this.drawn === QUERIES; }

  /** As many more queries as fit into some milliseconds, one at least. */
  grow(/** @type {number} */ ms) {
    const end = performance.now() + ms;
    do this.#draw(); while (!this.complete && performance.now() < end);
  }

  #draw() {
    const [q, k] = [this.#q, this.#k];
    this.fill(q);
    for (let j = 0; j < KEYS; j++) {
      this.fill(k);
      let sum = 0;
      let c = 0;
      for (let w = 0; w < WIDTHS.length; w++) {
        for (; c < WIDTHS[w]; c++) sum += q[c] * k[c];
        this.scores[w][this.drawn * KEYS + j] = sum;
      }
    }
    this.drawn += 1;
  }

  /** The scores of one width so far, those of a query next to each other; perhaps divided. */
  at(/** @type {number} */ d, divisor = 1) {
    const scores = this.scores[WIDTHS.indexOf(d)].subarray(0, this.drawn * KEYS);
    return divisor === 1 ? scores : scores.map((s) => s / divisor);
  }
}

/**
 * What an array of scores comes to, a row of KEYS a query.
 * @param {Float64Array} scores
 */
export function measure(scores) {
  const mean = scores.reduce((sum, s) => sum + s, 0) / scores.length;
  const squares = scores.reduce((sum, s) => sum + (s - mean) ** 2, 0);
  const counts = new Array((2 * REACH) / BIN).fill(0);
  let [below, above] = [0, 0];
  for (const s of scores) {
    if (s < -REACH) below += 1;
    else if (s >= REACH) above += 1;
    else counts[Math.floor((s + REACH) / BIN)] += 1;
  }
  let top = 0;
  for (let i = 0; i < scores.length; i += KEYS) top += Math.max(...weights(scores, i / KEYS));
  return {
    variance: squares / (scores.length - 1),
    top: (top * KEYS) / scores.length,
    counts,
    below: below / scores.length,
    above: above / scores.length,
  };
}

/** How query `i` divides its attention.  @param {Float64Array} scores @param {number} i */
export const weights = (scores, i) => softmax(Array.from(scores.subarray(i * KEYS, (i + 1) * KEYS)));
