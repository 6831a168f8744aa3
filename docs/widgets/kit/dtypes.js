/** Numbers as narrower floats hold them, to the nearest, ties to even. */

const word = new Uint32Array(1);
const single = new Float32Array(word.buffer);

/** bfloat16 is float32 without its lower half.  @param {number} x  finite */
function bfloat16(x) {
  single[0] = x;
  word[0] += 0x7fff + ((word[0] >>> 16) & 1);
  word[0] &= 0xffff0000;
  return single[0];
}

/** @type {Record<string, (x: number) => number>} */
export const round = { float64: (x) => x, float32: Math.fround, bfloat16 };
