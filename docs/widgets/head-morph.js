/** Chapter 10: query heads stay, and what they read is shared by more and more of them. */
import { choice } from './kit/codecs.js';
import { dial } from './kit/dial.js';
import { html, italic, svg, update } from './kit/draw.js';
import { Widget } from './kit/element.js';
import { fixed, grouped } from './kit/format.js';
import { presets } from './kit/presets.js';

const HEADS = [4, 8, 16];
const WIDTHS = [16, 32, 64, 128];
const MOST = 16;
const LATENT = 'latent';
const [FOLD, ROPE] = [4, 0.5]; // DeepSeek-V2's latent and rotated key, in widths of a head
const BYTES = 2; // a number in fp16
const [WIDE, QUERY, HIGH, TOP, LOW] = [480, 26, 46, 20, 116]; // px
const CAPTION = 'widths relative to MHA’s, which is dotted';

const PLACES = Array.from({ length: MOST }, (_, i) => i);
const KEPT = [16, 8, 4, 2, 1, LATENT];
const stages = (/** @type {number} */ heads) => KEPT.filter((kept) => kept === LATENT || Number(kept) <= heads);

export class HeadMorph extends Widget {
  static title = 'How many keys and values are kept?';
  static state = { heads: choice(8, HEADS), kept: choice(/** @type {any} */ (8), KEPT), width: choice(16, WIDTHS) };

  derive({ heads, kept: wanted, width }) {
    const kept = wanted === LATENT ? LATENT : Math.min(wanted, heads);
    const latent = kept === LATENT;
    const parts = latent ? [FOLD * width, ROPE * width] : Array.from({ length: 2 * kept }, () => width);
    const all = latent ? (FOLD + ROPE) * width : 2 * kept * width;
    const kind = latent ? 'MLA' : kept === heads ? 'MHA' : kept === 1 ? 'MQA' : 'GQA';
    return {
      kept, kind, parts, stored: all, bytes: all * BYTES, share: all / (2 * heads * width), groups: all / (2 * width),
      vectors: latent ? 2 : 2 * kept, reads: PLACES.slice(0, heads).map((i) => (latent ? 0 : Math.floor((i * kept) / heads))),
    };
  }

  describe({ heads, width }, { kept, kind, stored, bytes, share, groups }) {
    const who = {
      MHA: `each of ${heads} query heads has a key and value head of its own`,
      GQA: `${heads} query heads share ${kept} key and value heads, ${heads / kept} each`,
      MQA: `all ${heads} query heads share 1 key and value head`,
      MLA: `all ${heads} query heads read 1 latent of ${FOLD * width} numbers and 1 rotated key of ${ROPE * width}, as many as ${groups} heads’ keys and values`,
    };
    return `${kind}: ${who[kind]}. A token leaves ${grouped(stored)}\u00a0numbers a layer, ${grouped(bytes)}\u00a0bytes in fp16`
      + `${kind === 'MHA' ? '' : `: ${percent(share)} of MHA’s`}.`;
  }

  // ── Controls ──

  presets = presets(this, ['MHA', 'GQA', 'MQA', 'MLA'].map((label, i) => ({
    label, // a kind that the state is of already stays as it is
    set: ({ heads, kept }) => ({ kept: [Math.max(heads, Number(kept) || 0), kept > 1 && kept < heads ? kept : Math.max(2, heads / 4), 1, LATENT][i] }),
  })));
  dials = {
    kept: dial('kept', {}, (i) => this.set({ kept: stages(this.state.heads)[i] })),
    heads: dial('query heads', { max: HEADS.length - 1 }, (i) => this.set({ heads: HEADS[i] })),
    width: dial('width of a head', { max: WIDTHS.length - 1 }, (i) => this.set({ width: WIDTHS[i] })),
  };

  // ── The picture: query heads above, and below, to scale, what a token leaves ──

  queries = PLACES.map(() => svg('rect', { class: 'q', y: TOP, height: QUERY }));
  labels = PLACES.map((i) => svg('text', { y: TOP + QUERY / 2 + 4, 'text-anchor': 'middle' }, String(i + 1)));
  lines = PLACES.map(() => svg('path', { class: 'read' }));
  latent = svg('rect', { class: 'latent', y: LOW, height: HIGH });
  sizes = { latent: svg('text', { y: LOW + HIGH / 2 + 6, 'text-anchor': 'end' }), rope: svg('text', { y: LOW + HIGH / 4 + 6, class: 'size' }) };
  keys = PLACES.map(() => svg('rect', { y: LOW, height: HIGH / 2 }));
  values = PLACES.map(() => svg('rect', { y: LOW + HIGH / 2, height: HIGH / 2 }));
  whole = svg('rect', { class: 'whole', x: 0.5, y: LOW - 0.5, width: WIDE - 1, height: HIGH + 1 });
  rope = svg('rect', { class: 'rope', y: LOW, height: HIGH / 2 });
  below = html('figcaption');

  #picture() {
    const text = (y, words) => svg('text', { x: 0, y }, words);
    return svg('svg', { class: 'w-morph', viewBox: `0 0 ${WIDE} ${LOW + HIGH + 2}`, 'aria-hidden': true },
      text(TOP - 7, 'query heads'), this.whole, ...this.lines,
      svg('g', { class: 'query' }, ...this.queries, ...this.labels),
      svg('g', { class: 'key' }, ...this.keys, this.rope, this.sizes.rope), svg('g', { class: 'value' }, ...this.values), this.latent, this.sizes.latent);
  }

  cells = ['heads', 'vectors', 'stored', 'bytes', 'share'].map((key) => ({ key, td: html('td') }));

  build(view) {
    const names = ['query heads', 'vectors a token leaves', 'numbers, a layer', 'bytes in fp16', 'share of MHA’s'];
    view.append(
      this.presets.node,
      html('div', { class: 'w-morphs' },
        html('figure', {}, this.#picture(), this.below),
        html('div', {}, html('div', { class: 'w-dials' }, ...Object.values(this.dials).map(({ node }) => node)),
          html('table', { class: 'w-left' }, ...this.cells.map(({ key, td }, i) =>
            html('tr', { 'data-row': key }, html('th', { scope: 'row' }, names[i]), td))))),
      this.says);
  }

  draw({ heads, width }, { kept, kind, reads, vectors, stored, bytes, share }) {
    const { dials } = this;
    this.presets.show();
    const list = stages(heads);
    update(dials.kept.input, { max: list.length - 1 });
    dials.kept.show(list.indexOf(kept), kept === LATENT ? 'a latent' : kept === 1 ? 'one head' : kept === heads ? 'each head' : `${kept} heads`);
    dials.heads.show(HEADS.indexOf(heads), String(heads));
    dials.width.show(WIDTHS.indexOf(width), String(width));
    const latent = kept === LATENT;
    const each = WIDE / heads; // px for a query head, and for its key and value in MHA
    const blocks = latent ? 1 : kept;
    const wide = (FOLD / 2) * each; // of a latent, which is as high as a key and its value
    const middle = (b) => ((b + 0.5) * WIDE) / blocks;
    PLACES.forEach((i) => {
      const [on, block] = [i < heads, !latent && i < blocks];
      const centre = (i + 0.5) * each;
      update(this.queries[i], { x: i * each + 2, width: on ? each - 4 : 0, class: on ? 'q' : 'q off' });
      update(this.labels[i], { x: on ? centre : 0, class: on ? '' : 'off' });
      update(this.lines[i], { d: on ? `M${centre} ${TOP + QUERY + 2}L${middle(reads[i])} ${LOW - 3}` : '', 'stroke-dasharray': latent ? '4 3' : null });
      for (const rect of [this.keys[i], this.values[i]]) {
        update(rect, { x: block ? middle(i) - each / 2 + 1 : WIDE / 2, width: block ? each - 2 : 0, class: `${rect === this.keys[i] ? 'k' : 'v'}${block ? '' : ' off'}` });
      }
    });
    update(this.rope, { x: WIDE / 2 + wide / 2 + 2, width: latent ? ROPE * each : 0, class: latent ? 'rope' : 'rope off' });
    update(this.latent, { x: WIDE / 2 - wide / 2 + 1, width: latent ? wide - 2 : 0, class: latent ? 'latent' : 'latent off' });
    update(this.sizes.latent, { x: WIDE / 2 - wide / 2 - 8 });
    update(this.sizes.rope, { x: WIDE / 2 + wide / 2 + ROPE * each + 8 });
    this.sizes.latent.textContent = latent ? `latent, ${FOLD * width}` : '';
    this.sizes.rope.textContent = latent ? `${ROPE * width}` : '';
    this.below.textContent = latent ? `dashed: through its own projection; blue: the rotated key; ${CAPTION}`
      : `${italic('k')} above, ${italic('v')} below; ${CAPTION}`;
    const texts = { heads: String(heads), vectors: latent ? `1 + 1` : String(vectors), stored: grouped(stored), bytes: grouped(bytes), share: percent(share) };
    for (const { key, td } of this.cells) td.textContent = texts[key];
    this.says.dataset.kind = kind;
  }
}

/** A share with as many decimals as it has, at most two. */
const percent = (/** @type {number} */ share) => `${Number(fixed(100 * share, 2))}%`;

customElements.define('attn-head-morph', HeadMorph);
