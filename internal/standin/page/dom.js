// Nodes are made one by one: text of messages becomes text nodes only, never markup.

// el makes an element. Properties that are functions listen, true is an empty attribute, false and null are left out.
export function el(tag, props = {}, ...kids) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== false && value != null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...kids.flat(Infinity).filter((k) => k != null && k !== false));
  return node;
}

export const $ = (id) => document.getElementById(id);

const drawn = new WeakMap(); // node → the JSON that it was built from

// place says where the focus is in words that outlive a rebuilt node: which list, which item, which control.
export function place() {
  const at = document.activeElement;
  const item = at?.closest("[data-key]");
  return item && { list: item.parentElement, key: item.dataset.key, control: at.dataset.f, at };
}

// goTo puts the focus back to a place when it was lost: the control, else its item, else the list.
export function goTo(p) {
  if (!p || (p.at.isConnected && document.activeElement === p.at)) return;
  const item = [...p.list.children].find((n) => n.dataset.key === p.key);
  const control = item && p.control && item.querySelector(`[data-f="${CSS.escape(p.control)}"]`);
  (control || item || p.list).focus({ preventScroll: true });
}

function swap(old, fresh) {
  for (const d of old.querySelectorAll("details[open][data-f]")) {
    const twin = fresh.querySelector(`details[data-f="${CSS.escape(d.dataset.f)}"]`);
    if (twin) twin.open = true;
  }
  old.replaceWith(fresh);
}

// patch brings the children of list in line with items. It builds only what is new or has changed and keeps the focus.
export function patch(list, items, key, build) {
  const was = list.contains(document.activeElement) ? place() : null;
  const wanted = new Set(items.map(key));
  const old = new Map();
  for (const node of [...list.children]) {
    if (wanted.has(node.dataset.key)) old.set(node.dataset.key, node);
    else node.remove();
  }
  let at = list.firstElementChild;
  for (const item of items) {
    const k = key(item);
    const json = JSON.stringify(item);
    let node = old.get(k);
    if (!node || drawn.get(node) !== json) {
      const fresh = build(item);
      fresh.dataset.key = k;
      drawn.set(fresh, json);
      if (node) {
        if (at === node) at = fresh;
        swap(node, fresh);
      }
      node = fresh;
    }
    if (node === at) at = at.nextElementSibling;
    else list.insertBefore(node, at);
  }
  goTo(was);
}

const GLYPHS = { "◆": "pt", "■": "fa", "▲": "other", "●": "other" };

// badge draws "◆ Product thinker · trade-off" as a sign and what follows it; other text stays text.
export function badge(text, small) {
  const [, glyph, role, rest] = /^([◆■▲●]) ([^·]*?)(?: · (.*))?$/su.exec(text) || [];
  if (!glyph) return [text];
  const sign = el("span", { class: `badge ${GLYPHS[glyph]}${small ? " xs" : ""}` }, el("span", { "aria-hidden": "true" }, glyph), role);
  return rest ? [sign, " ", el("span", { class: "kind" }, rest)] : [sign];
}
