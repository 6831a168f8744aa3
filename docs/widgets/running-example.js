/** The running example, as chapter 7 works it out. Its queries are its keys. */
export const KEYS = [[1, 0], [0, 1], [1, 1]];
export const VALUES = [[1, 0], [0, 2], [3, 1]];
