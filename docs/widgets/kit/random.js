/** Random numbers that a seed repeats: a small generator, and the normal distribution from it. */

const HALF = 2 ** 31;

/**
 * Chris Doty-Humphrey's sfc32. Its state lies in an array, because numbers of 32 bits are kept
 * apart, and slowly, in variables.
 * @param {number} seed @returns {() => number} whole numbers of 32 bits, with their sign
 */
export function bits(seed) {
  const state = new Int32Array([0, seed, 0, 1]);
  const next = () => {
    const [a, b, c, count] = [state[0], state[1], state[2], state[3]];
    const drawn = (((a + b) | 0) + count) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + drawn;
    state[3] = count + 1;
    return drawn;
  };
  for (let warm = 0; warm < 12; warm++) next();
  return next;
}

/**
 * Standard normal numbers by Marsaglia's polar method, which finds them in pairs.
 * @param {number} seed @returns {(out: Float64Array) => void} fills an array of even length
 */
export function normals(seed) {
  const next = bits(seed);
  return (out) => {
    for (let i = 0; i < out.length; i += 2) {
      let x, y, square;
      do {
        x = next() / HALF;
        y = next() / HALF;
        square = x * x + y * y;
      } while (square >= 1 || square === 0);
      const stretch = Math.sqrt((-2 * Math.log(square)) / square);
      out[i] = x * stretch;
      out[i + 1] = y * stretch;
    }
  };
}
