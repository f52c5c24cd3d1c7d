// QR codes (ISO/IEC 18004) of a text: its UTF-8 bytes in byte mode, levels L and M, versions 1 to 40.
//
//   const code = qr("https://…");        // null where no version holds it
//   code.modules[row][column]            // true is dark
//
// Pure and without a dependency; tests/browser/test_qr.py holds every version, level and mask to another maker of codes.

/** Codewords for correction in each block, by version from 1. */
const CORRECTION = {
  L: [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, ...Array(14).fill(30)],
  M: [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, ...Array(19).fill(28)],
};
/** Blocks, by version from 1. */
const BLOCKS = {
  L: [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25],
  M: [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49],
};
const LEVEL_BITS = { L: 0b01, M: 0b00 };
const MOST_VERSION = 40;
const MASKS = [
  (row, column) => (row + column) % 2,
  (row) => row % 2,
  (_row, column) => column % 3,
  (row, column) => (row + column) % 3,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2,
  (row, column) => ((row * column) % 2) + ((row * column) % 3),
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2,
];

const sizeOf = (version) => 17 + 4 * version;

/** Where the centres of the small squares are, in rows as in columns. */
const centresOf = (version) => {
  if (version === 1) return [];
  const amount = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : 2 * Math.ceil((4 * version + 4) / (2 * amount - 2));
  const others = Array.from({ length: amount - 1 }, (_none, place) => sizeOf(version) - 7 - step * place);
  return [6, ...others.reverse()];
};

/** How many codewords a version has, for data and correction together. */
const codewordsOf = (version) => {
  const amount = centresOf(version).length;
  const small = amount ? 25 * (amount * amount - 3) - 5 * 2 * (amount - 2) : 0; // Those on a line of timing share five modules.
  const dark = 3 * 64 + 2 * (sizeOf(version) - 16) + 31 + (version >= 7 ? 36 : 0);
  return Math.floor((sizeOf(version) ** 2 - dark - small) / 8);
};

const correctionOf = (version, level) => CORRECTION[level][version - 1] * BLOCKS[level][version - 1];
const countBits = (version) => (version < 10 ? 8 : 16);

/** How many bytes of text a version holds. */
export const bytesIn = (version, level = "L") =>
  Math.floor((8 * (codewordsOf(version) - correctionOf(version, level)) - 4 - countBits(version)) / 8);

// -- codewords ---------------------------------------------------------------------------------------------------------

const dataOf = (bytes, version, level) => {
  const most = codewordsOf(version) - correctionOf(version, level);
  const bits = [];
  const put = (value, length) => {
    for (let place = length - 1; place >= 0; place -= 1) bits.push((value >> place) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, countBits(version));
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, 8 * most - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  const data = Array.from({ length: bits.length / 8 }, (_none, place) => bits.slice(8 * place, 8 * place + 8).reduce((sum, bit) => 2 * sum + bit, 0));
  for (let pad = 0xec; data.length < most; pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
};

// The field of 256 elements by x^8 + x^4 + x^3 + x^2 + 1.
const POWERS = [];
const LOGARITHMS = [];
for (let power = 1, exponent = 0; exponent < 255; exponent += 1) {
  POWERS.push(power);
  LOGARITHMS[power] = exponent;
  power = (power << 1) ^ (power & 0x80 ? 0x11d : 0);
}
const times = (one, other) => (one && other ? POWERS[(LOGARITHMS[one] + LOGARITHMS[other]) % 255] : 0);

/** The polynomial with the roots 1, 2, 4 … , its highest coefficient (1) left out. */
const generatorOf = (degree) => {
  let made = [1];
  for (let root = 0; root < degree; root += 1) {
    const moved = [...made, 0];
    made = moved.map((coefficient, place) => coefficient ^ times(place ? made[place - 1] : 0, POWERS[root]));
  }
  return made.slice(1);
};

const remainderOf = (data, generator) => {
  const left = Array(generator.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ left.shift();
    left.push(0);
    generator.forEach((coefficient, place) => (left[place] ^= times(coefficient, factor)));
  }
  return left;
};

/** The data in blocks, each with its correction, one codeword of each block in turn. */
const codewords = (data, version, level) => {
  const amount = BLOCKS[level][version - 1];
  const generator = generatorOf(CORRECTION[level][version - 1]);
  const short = Math.floor(data.length / amount);
  const longFrom = amount - (data.length % amount);
  const blocks = [];
  for (let start = 0, number = 0; number < amount; number += 1) {
    const length = short + (number >= longFrom ? 1 : 0);
    blocks.push(data.slice(start, start + length));
    start += length;
  }
  const inTurn = (parts) => Array.from({ length: parts.at(-1).length }, (_none, place) => parts.flatMap((part) => part.slice(place, place + 1))).flat();
  return [...inTurn(blocks), ...inTurn(blocks.map((block) => remainderOf(block, generator)))];
};

// -- the matrix --------------------------------------------------------------------------------------------------------

/** `value` with the remainder of its division behind it. */
const checked = (value, divisor, length) => {
  let left = value << length;
  for (let place = 31 - Math.clz32(left); place >= length; place -= 1) if (left & (1 << place)) left ^= divisor << (place - length);
  return (value << length) | left;
};

/** What is the same whatever the text is; null where data goes, `undefined` nowhere. */
const patternsOf = (version) => {
  const size = sizeOf(version);
  const modules = Array.from({ length: size }, () => Array(size).fill(null));
  const square = (row, column, far, isDark) => {
    for (let down = -far; down <= far; down += 1) {
      for (let along = -far; along <= far; along += 1) {
        if (modules[row + down]?.[column + along] !== undefined) modules[row + down][column + along] = isDark(Math.max(Math.abs(down), Math.abs(along)));
      }
    }
  };
  for (let place = 0; place < size; place += 1) modules[6][place] = modules[place][6] = place % 2 === 0;
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(row, column, 4, (ring) => ring !== 2 && ring !== 4);
  const centres = centresOf(version);
  const isFinder = (row, column) => (row === 6 && (column === 6 || column === size - 7)) || (row === size - 7 && column === 6);
  for (const row of centres) for (const column of centres) if (!isFinder(row, column)) square(row, column, 2, (ring) => ring !== 1);
  writeFormat(modules, 0);
  if (version >= 7) {
    const bits = checked(version, 0x1f25, 12);
    for (let place = 0; place < 18; place += 1) {
      const [near, far] = [Math.floor(place / 3), size - 11 + (place % 3)];
      modules[near][far] = modules[far][near] = Boolean((bits >> place) & 1);
    }
  }
  return modules;
};

/** Both copies of level and mask, and the module that is always dark. */
const writeFormat = (modules, format) => {
  const size = modules.length;
  const bits = checked(format, 0x537, 10) ^ 0x5412;
  for (let place = 0; place < 15; place += 1) {
    const isDark = Boolean((bits >> place) & 1);
    const near = place < 6 ? place : place < 8 ? place + 1 : 14 - place;
    if (place < 8) [modules[near][8], modules[8][size - 1 - place]] = [isDark, isDark];
    else [modules[8][place === 8 ? 7 : near], modules[size - 15 + place][8]] = [isDark, isDark];
  }
  modules[size - 8][8] = true;
};

/** The places for data in the order of its bits: two columns at a time from the right, upwards and downwards in turn. */
const placesOf = (patterns) => {
  const size = patterns.length;
  const places = [];
  let isUpwards = true;
  for (let right = size - 1; right > 0; right -= 2, isUpwards = !isUpwards) {
    if (right === 6) right = 5; // The column of timing.
    for (let step = 0; step < size; step += 1) {
      const row = isUpwards ? size - 1 - step : step;
      for (const column of [right, right - 1]) if (patterns[row][column] === null) places.push([row, column]);
    }
  }
  return places;
};

const drawn = (patterns, places, bytes, format, mask) => {
  const modules = patterns.map((row) => [...row]);
  places.forEach(([row, column], place) => {
    const bit = place < 8 * bytes.length ? (bytes[place >> 3] >> (7 - (place & 7))) & 1 : 0;
    modules[row][column] = Boolean(bit ^ (MASKS[mask](row, column) === 0 ? 1 : 0));
  });
  writeFormat(modules, format);
  return modules;
};

// -- which mask --------------------------------------------------------------------------------------------------------

/** What a camera may take for a corner of the code; outside of it all is light. */
const LIKE_CORNER = /00001011101|1011101(?=0000)/g;

/** How hard a matrix is to read; the mask with the least is taken. */
const penaltyOf = (modules) => {
  const size = modules.length;
  const lines = modules.map((row) => row.map((isDark) => (isDark ? "1" : "0")).join(""));
  const turned = modules.map((_row, place) => modules.map((row) => (row[place] ? "1" : "0")).join(""));
  let penalty = 0;
  for (const line of [...lines, ...turned]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * [...`0000${line}0000`.matchAll(LIKE_CORNER)].length;
  }
  for (let row = 1; row < size; row += 1) {
    for (let column = 1; column < size; column += 1) {
      const isDark = modules[row][column];
      if (isDark === modules[row - 1][column] && isDark === modules[row][column - 1] && isDark === modules[row - 1][column - 1]) penalty += 3;
    }
  }
  const dark = modules.flat().filter(Boolean).length;
  return penalty + 10 * Math.floor(Math.abs(20 * dark - 10 * size * size) / (size * size));
};

/**
 * The code of a text: `{ version, level, mask, modules }`. Null where it is too long for `most`, or for the version asked for.
 * Without a level it is L, or M where that fits into the same version.
 */
export const qr = (text, { version = null, level = null, mask = null, most = MOST_VERSION } = {}) => {
  const bytes = new TextEncoder().encode(text);
  const versions = version ? [version] : Array.from({ length: most }, (_none, place) => place + 1);
  const chosen = versions.find((one) => bytes.length <= bytesIn(one, level ?? "L"));
  if (!chosen) return null;
  const used = level ?? (bytes.length <= bytesIn(chosen, "M") ? "M" : "L");
  const patterns = patternsOf(chosen);
  const places = placesOf(patterns);
  const words = codewords(dataOf(bytes, chosen, used), chosen, used);
  const masks = mask === null ? MASKS.keys() : [mask];
  const made = [...masks].map((one) => ({ mask: one, modules: drawn(patterns, places, words, (LEVEL_BITS[used] << 3) | one, one) }));
  const penalties = made.length > 1 ? made.map(({ modules }) => penaltyOf(modules)) : [0];
  return { version: chosen, level: used, ...made[penalties.indexOf(Math.min(...penalties))] };
};

/** The dark modules as the `d` of an SVG path, one unit a module, `quiet` units of margin on every side. */
export const pathOf = (modules, quiet = 4) =>
  modules
    .map((row, down) => {
      const line = row.map((isDark) => (isDark ? "1" : "0")).join("");
      return [...line.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index + quiet} ${down + quiet}h${run.length}v1h-${run.length}z`).join("");
    })
    .join("");
