// Block Kit → nodes. act(element, action) is told what a person did; control draws the inputs.
import { badge, el } from "./dom.js";
import { control } from "./form.js";
import { date, decode, mention, plain, safeLink, words } from "./text.js";

const missing = (what, type) => el("p", { class: "unknown" }, `This page does not draw the ${what} “${type}”.`);
const sure = (c) => !c || window.confirm([c.title, c.text].filter(Boolean).map((t) => decode(t.text)).join("\n\n"));

function button(e, at, act) {
  const label = plain(e.text.text);
  const props = {
    class: `btn${e.style ? ` ${e.style}` : ""}`,
    "aria-label": e.accessibility_label,
    "data-f": at,
    click: (event) => {
      if (sure(e.confirm)) act({ action_id: e.action_id });
      else event.preventDefault();
    },
  };
  return e.url ? safeLink(e.url, label, props) : el("button", { type: "button", ...props }, label);
}

function overflow(e, at, act) {
  const pick = (o) => (event) => {
    const menu = event.currentTarget.closest("details");
    menu.open = false;
    menu.firstElementChild.focus();
    if (sure(e.confirm)) act({ action_id: e.action_id, value: o.value ?? "" });
    else event.preventDefault();
  };
  const choice = (o, i) => {
    const props = { "data-f": `${at}.${i}`, click: pick(o) };
    return el("li", {}, o.url ? safeLink(o.url, plain(o.text.text), props) : el("button", { type: "button", ...props }, plain(o.text.text)));
  };
  const list = el("ul", {}, e.options.map(choice));
  const reveal = (event) => event.currentTarget.open && list.scrollIntoView({ block: "nearest" });
  return el("details", { class: "menu", "data-f": at, toggle: reveal }, el("summary", { "aria-label": "More actions", "data-f": `${at}.more` }, "⋯"), list);
}

const image = (e) => el("span", { class: "image", role: "img", "aria-label": e.alt_text || "" }, `Image: ${e.alt_text || ""}`);

function element(e, block, ctx, n = 0) {
  const at = `${ctx.path}${e.action_id || n}`; // no block id in it: an update brings new ones
  const act = (action) => ctx.act({ block_id: block.block_id || "", ...action });
  if (e.type === "button") return button(e, at, act);
  if (e.type === "overflow") return overflow(e, at, act);
  if (e.type === "image") return image(e);
  const c = control(e, { at, act, value: ctx.draft?.(block, e), label: e.placeholder ? decode(e.placeholder.text) : "Choose" });
  if (!c) return missing("element", e.type);
  ctx.keep?.(block, e, c);
  return c.node;
}

const RICH = {
  text: (e) => e.text,
  link: (e) => safeLink(e.url, e.text || e.url),
  user: (e) => mention("@", e.user_id),
  usergroup: (e) => mention("@", e.usergroup_id),
  channel: (e) => mention("#", e.channel_id),
  broadcast: (e) => mention("@", e.range),
  emoji: (e) => (e.unicode ? String.fromCodePoint(...e.unicode.split("-").map((h) => parseInt(h, 16))) : `:${e.name}:`),
  date: (e) => date(e.timestamp, e.format, e.url, e.fallback),
  color: (e) => e.value,
};

function rich(e) {
  let node = RICH[e.type] ? RICH[e.type](e) : `(${e.type})`;
  for (const [style, tag] of [["code", "code"], ["bold", "strong"], ["italic", "em"], ["strike", "s"]]) {
    if (e.style?.[style]) node = el(tag, {}, node);
  }
  return node;
}

function richText(e, i, all) {
  const kids = (e.elements || []).map((k) => (k.elements ? el("li", {}, k.elements.map(rich)) : rich(k)));
  switch (e.type) {
    case "rich_text_section":
      return el("div", { class: "rich" }, kids);
    case "rich_text_preformatted":
      return el("pre", { tabindex: "0" }, kids);
    case "rich_text_quote":
      return el("blockquote", {}, kids);
    case "rich_text_list":
      return el(e.style === "ordered" ? "ol" : "ul", { class: `rich in${Math.min(e.indent || 0, 4)}`, start: e.offset ? e.offset + 1 : null }, kids);
    default:
      return missing("rich text element", e.type);
  }
}

const DRAW = {
  header: (b) => el("h3", { class: "head" }, badge(decode(b.text.text))),
  section: (b, ctx) =>
    el("div", { class: "section" },
      el("div", { class: "text" },
        b.text && el("div", {}, words(b.text)),
        b.fields && el("div", { class: "fields" }, b.fields.map((f) => el("div", {}, words(f))))),
      b.accessory && element(b.accessory, b, ctx)),
  context: (b) => el("div", { class: "small" }, b.elements.map((e) => (e.type === "image" ? image(e) : el("span", {}, words(e))))),
  actions: (b, ctx) => el("div", { class: "row" }, b.elements.map((e, i) => element(e, b, ctx, i))),
  divider: () => el("hr"),
  markdown: (b) => el("div", { class: "rich" }, b.text),
  rich_text: (b) => b.elements.map(richText),
  image: (b) => el("figure", {}, b.title && el("figcaption", {}, plain(b.title.text)), image(b)),
  input: (b, ctx) => ctx.input?.(b) || missing("block outside a window", b.type),
};

// blocks draws a list of blocks. ctx: act, path, and for windows input and field.
export function blocks(list, ctx) {
  return (list || []).map((b, i) => {
    const draw = DRAW[b.type];
    return draw ? draw(b.block_id ? b : { ...b, block_id: "" }, { ...ctx, path: `${ctx.path}${i}.` }) : missing("block", b.type);
  });
}

const colour = (c) => ({ good: "#2eb886", warning: "#daa038", danger: "#a30200" })[c] || (/^#?[0-9a-f]{6}$/i.test(c || "") ? `#${c.replace("#", "")}` : "#8a8a8a");

// content draws a message: its blocks, else its text, and the attachments with their bars.
export function content(m, ctx) {
  const said = { type: "mrkdwn", text: m.text };
  const top = m.blocks?.length ? blocks(m.blocks, ctx) : m.text && el("div", { class: "section" }, el("div", { class: "text" }, words(said)));
  const bars = (m.attachments || []).map((a, i) => {
    const bar = el("div", { class: "bar" }, a.blocks?.length ? blocks(a.blocks, { ...ctx, path: `${ctx.path}a${i}.` }) : words({ type: "mrkdwn", text: a.text || a.fallback || "" }));
    bar.style.setProperty("--bar", colour(a.color));
    return bar;
  });
  return [top, bars];
}
