/** Chapter 10: the bytes of a cache, factor by factor, for one's own numbers or a published model's. */
import { choice, whole } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { html, unique, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed, grouped, measured } from './kit/format.js';

const powers = (/** @type {number} */ from, /** @type {number} */ to) => Array.from({ length: to - from + 1 }, (_, i) => 2 ** (from + i));
const HEADS = [1, 2, 4, 8, 16, 32, 40, 48, 64, 96, 128];
const CHOICES = { // of the sliders that skip numbers
  heads: HEADS, width: [32, 64, 80, 96, 128, 192, 256], size: [1, 2, 4], tokens: powers(8, 20),
  batch: powers(0, 10), window: [0, ...powers(8, 16)], latent: [64, 128, 256, 512, 1024], rope: [0, 16, 32, 64, 128],
  room: [8, 16, 24, 32, 40, 48, 64, 80, 96, 128, 192, 640],
};
const LABELS = {
  layers: 'layers', heads: 'query heads', kv: 'KV heads (GQA)', width: 'width of a head', latent: 'latent (MLA)', rope: 'rotated key',
  size: 'bytes a number', tokens: 'tokens', window: 'window', batch: 'sequences', room: 'memory, GiB',
};
const KINDS = ['MHA', 'GQA', 'MQA', 'MLA'];
const ACTS = { heads: ['MHA'], kv: ['GQA'], width: ['MHA', 'GQA', 'MQA'], latent: ['MLA'], rope: ['MLA'] }; // the others act on all
const AXIS = [20, 44]; // powers of 2 in bytes, 1 MiB to 16 TiB: fixed, so that bars of two states compare
const TICKS = { 20: '1 MiB', 30: '1 GiB', 40: '1 TiB' };
const place = (/** @type {number} */ bytes) => Math.min(1, Math.max(0, (Math.log2(bytes) - AXIS[0]) / (AXIS[1] - AXIS[0])));
const GIB = 2 ** 30;
const LIST = new URL('../reference/models.json', import.meta.url);
const SOURCES = new URL('../reference/bibliography/', import.meta.url);

/** @type {Promise<any[]> | undefined} the published models, fetched once */
let list;
const published = () => {
  list ??= fetch(LIST).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))));
  return list;
};

/** What shares out the query heads evenly.  @param {number} heads */
const divisors = (heads) => HEADS.filter((kv) => kv <= heads && heads % kv === 0);

export class CacheCalculator extends Widget {
  static title = 'The bytes of a cache';
  static state = {
    kind: choice('GQA', KINDS), layers: whole(80, 1, 160), heads: choice(64, HEADS), kv: choice(8, HEADS), width: choice(128, CHOICES.width),
    latent: choice(512, CHOICES.latent), rope: choice(64, CHOICES.rope), size: choice(2, CHOICES.size), tokens: choice(8192, CHOICES.tokens),
    window: choice(0, CHOICES.window), batch: choice(1, CHOICES.batch), room: choice(80, CHOICES.room),
  };

  derive({ kind, layers, heads, kv: wanted, width, latent, rope, size, tokens, window, batch, room }) {
    const kv = divisors(heads).filter((n) => n <= wanted).at(-1) ?? 1;
    const kept = window ? Math.min(window, tokens) : tokens;
    const row = (/** @type {number} */ numbers) => { // what a token leaves in a layer
      const token = numbers * layers * size;
      return { numbers, token, all: token * kept * batch };
    };
    const rows = { MHA: row(2 * heads * width), GQA: row(2 * kv * width), MQA: row(2 * width), MLA: row(latent + rope) };
    return { kv, kept, rows, left: room * GIB - rows[kind].all };
  }

  describe({ kind, layers, heads, width, latent, rope, size, tokens, window, batch, room }, { kv, kept, rows, left }) {
    const { token, all } = rows[kind];
    const n = { MHA: heads, GQA: kv, MQA: 1 }[kind];
    const product = n ? `2 · ${layers} · ${n} · ${width} · ${size}` : `${layers} · (${latent} + ${rope}) · ${size}`;
    const much = `${grouped(kept)} ${window && window < tokens ? 'tokens in the window' : 'tokens'}${batch > 1 ? ` in each of ${grouped(batch)} sequences` : ''}`;
    const verdict = left >= 0 ? `The cache fits in ${room}\u00a0GiB; weights are not counted`
      : `The cache does not fit in ${room}\u00a0GiB: ${near(-left)} too much`;
    return `${kind}: ${product} = ${grouped(token)}\u00a0bytes a token. For ${much}: ${near(all)}, which is ${near(all, 1000)}. ${verdict}.`;
  }

  // ── Controls ──

  models = html('select', { 'aria-label': 'published model', onchange: () => this.#adopt() }, html('option', { value: '' }, 'your own numbers'));
  source = html('p', { class: 'w-note' });
  /** @type {any[]} */ known = [];
  #own = ''; // the numbers of a model that the reader calls his own
  dials = Object.fromEntries(Object.entries(LABELS).map(([key, says]) => [key, key === 'layers'
    ? dial(says, { min: 1, max: 160 }, (layers) => this.set({ layers }))
    : dial(says, {}, (i) => this.set({ [key]: this.#choices(key)[i] }))]));
  group = unique('cache'); // radio buttons of one name exclude each other, page-wide

  #choices(/** @type {string} */ key) { return key === 'kv' ? divisors(this.state.heads) : CHOICES[key]; }

  /** What a model's row makes of the state. Where it keeps a latent, the other bars compare with it. */
  #settings(model) {
    const { layers, query_heads: heads, head_width: width, kv_heads: kv, latent_width, rope_width, window } = model;
    const kind = kv === null ? 'MLA' : kv === heads ? 'MHA' : kv === 1 ? 'MQA' : 'GQA';
    const own = kv === null ? { latent: latent_width, rope: rope_width } : kind === 'GQA' ? { kv } : {};
    return { kind, layers, heads, width, window: window ?? 0, ...own };
  }

  #adopt() {
    const model = this.known[Number(this.models.value)];
    this.#own = this.models.value === '' ? JSON.stringify(this.state) : '';
    if (this.#own) this.#name();
    else if (model) this.leap(this.#settings(model));
  }

  // ── A bar for each kind ──

  rows = KINDS.map((kind) => {
    const radio = html('input', { type: 'radio', name: this.group, value: kind, onchange: () => this.set({ kind }) });
    const cells = {
      who: html('td', { class: 'who' }), bar: html('span', { class: 'w-gauge', 'aria-hidden': true }, html('span', { class: 'in' }), html('span', { class: 'past' })),
      all: html('td', { class: 'all' }), decimal: html('td', { class: 'decimal' }), verdict: html('td', { class: 'verdict' }),
    };
    const tr = html('tr', { 'data-kind': kind }, html('th', { scope: 'row' }, html('label', {}, radio, kind)), cells.who, html('td', { class: 'wide' }, cells.bar), cells.all, cells.decimal, cells.verdict);
    return { kind, radio, cells, tr };
  });

  build(view) {
    view.append(
      html('label', { class: 'w-model' }, html('span', {}, 'model'), this.models), this.source,
      html('div', { class: 'w-dials w-factors' }, ...Object.values(this.dials).map(({ node }) => node)),
      html('table', { class: 'w-caches' }, html('tbody', { 'aria-hidden': true }, html('tr', { class: 'w-ticks' }, html('td'), html('td'),
        html('td', { class: 'wide' }, html('div', {}, ...Object.entries(TICKS).map(([power, text]) =>
          html('span', { style: `left: ${(100 * place(2 ** Number(power))).toFixed(2)}%` }, text)))), html('td'), html('td'), html('td'))), html('tbody', { role: 'radiogroup', 'aria-label': 'kind of attention' }, ...this.rows.map(({ tr }) => tr))),
      this.says);
    this.source.textContent = 'Loading the list of published models …';
    published().then((models) => {
      this.known = models;
      this.models.append(...models.map(({ name }, i) => html('option', { value: i }, name)));
      this.#name();
    }, () => {
      list = undefined;
      this.source.textContent = 'The list of published models could not be loaded. Everything else works.';
    });
  }

  draw(state, { kv, rows }) {
    for (const [key, { input, show, node }] of Object.entries(this.dials)) {
      node.classList.toggle('idle', !(ACTS[key] ?? KINDS).includes(state.kind));
      const value = key === 'kv' ? kv : state[key];
      const text = key === 'window' && !value ? 'none' : grouped(value);
      if (key === 'layers') show(value, text);
      else {
        update(input, { max: this.#choices(key).length - 1 });
        show(this.#choices(key).indexOf(value), text);
      }
    }
    const who = { MHA: heads(state.heads), GQA: heads(kv), MQA: heads(1), MLA: `${state.latent} + ${state.rope}` };
    for (const { kind, radio, cells, tr } of this.rows) {
      const on = kind === state.kind;
      radio.checked = on;
      tr.classList.toggle('on', on);
      cells.who.replaceChildren(html('span', { class: 'if' }, 'if '), who[kind]);
      const fits = rows[kind].all <= state.room * GIB;
      cells.bar.style.setProperty('--share', String(place(rows[kind].all)));
      cells.bar.style.setProperty('--room', String(place(state.room * GIB)));
      cells.verdict.textContent = fits ? 'fits' : 'too much';
      tr.classList.toggle('much', !fits);
      cells.all.textContent = amount(rows[kind].all);
      cells.decimal.textContent = amount(rows[kind].all, 1000);
    }
    if (this.known.length) this.#name();
  }

  /** Which model has these numbers, and where they stand. */
  #name() {
    const fits = (model) => Object.entries(this.#settings(model)).every(([key, value]) => this.state[key] === value);
    const chosen = this.known[Number(this.models.value)];
    if (this.#own !== JSON.stringify(this.state)) this.#own = '';
    const at = this.#own ? -1 : this.models.value !== '' && fits(chosen) ? Number(this.models.value) : this.known.findIndex(fits);
    for (const { kind, tr } of this.rows) tr.classList.toggle('other', at >= 0 && kind !== this.state.kind);
    this.models.value = at < 0 ? '' : String(at);
    if (at < 0) {
      this.source.textContent = 'Your own numbers. Choose a model for published ones.';
      return;
    }
    const { name, source, place: where, note } = this.known[at];
    this.source.replaceChildren('Source: ', html('a', { href: `${SOURCES.href}#${source}` }, `${name.replace(/ \d+B.*/, '')} paper`), `, ${where}.`, note ? ` ${note}` : '');
  }
}

const heads = (/** @type {number} */ n) => (n === 1 ? '1 head' : `${n} heads`);

/** Bytes to three decimals.  @param {number} bytes @param {1000 | 1024} [base] */
function amount(bytes, base) {
  const [value, unit] = measured(bytes, { base });
  return `${Number(fixed(value, 3))}\u00a0${unit}`;
}

/** The same in a sentence, which owns up to rounding.  @param {number} bytes @param {1000 | 1024} [base] */
function near(bytes, base) {
  const [value] = measured(bytes, { base });
  return `${Number(fixed(value, 3)) === value ? '' : 'about '}${amount(bytes, base)}`;
}

customElements.define('attn-cache-calculator', CacheCalculator);
