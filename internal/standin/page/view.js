// The window: the topmost modal of the person, in a native dialog. What was typed outlives every redraw.
import { blocks } from "./blocks.js";
import { $, badge, el, goTo, place } from "./dom.js";
import { control } from "./form.js";
import { decode, plain } from "./text.js";

const drafts = new Map(); // view id → block and action → value
let open = null; // {id, json, fields, opener}

const slot = (b, e) => `${b.block_id}\u0000${e.action_id}`;

function describe(c, ids, group) {
  for (const n of group || c.inputs) n.setAttribute("aria-describedby", [ids, n.getAttribute("aria-describedby")].filter(Boolean).join(" "));
}

// input draws an input block: label, control, hint, and a place for what is wrong with it.
function input(b, view) {
  const id = `in.${b.block_id}`;
  const e = b.element;
  const c = control(e, { at: id, id, value: view.draft(b, e), act: b.dispatch_action && ((a) => view.act({ block_id: b.block_id, ...a })) });
  if (!c) return null;
  view.keep(b, e, c, true);
  const label = [plain(b.label.text), b.optional && el("span", { class: "soft" }, " (optional)")];
  const hint = b.hint && el("p", { class: "small", id: `${id}.hint` }, plain(b.hint.text));
  const wrong = el("p", { class: "wrong", id: `${id}.wrong`, hidden: true });
  const ids = [hint && hint.id, wrong.id].filter(Boolean).join(" ");
  if (!c.group) {
    c.inputs[0].setAttribute("aria-required", String(!b.optional));
    describe(c, ids);
    return el("div", { class: "field", "data-block": b.block_id }, el("label", { for: id }, label), c.node, hint, wrong);
  }
  const field = el("fieldset", { class: "field", "data-block": b.block_id, role: c.group === "radio" ? "radiogroup" : null, "aria-required": c.group === "radio" ? String(!b.optional) : null }, el("legend", {}, label), c.node, hint, wrong);
  describe(c, ids, [field]);
  return field;
}

function remember() {
  if (!open) return;
  const kept = drafts.get(open.id) || new Map();
  drafts.set(open.id, kept);
  for (const [key, f] of open.fields) kept.set(key, f.read());
}

// values is what a submission carries: what stands in the input blocks, null for nothing.
const values = () => Object.fromEntries([...open.fields.values()].filter((f) => f.sent).map((f) => [f.block, f.read()]));

function build(v, tell) {
  const fields = new Map();
  const kept = drafts.get(v.id) || new Map();
  const view = {
    path: "v",
    act: (action) => tell({ do: "view_action", view: v.id, action }),
    draft: (b, e) => (kept.has(slot(b, e)) ? (kept.get(slot(b, e)) ?? "") : undefined),
    keep: (b, e, c, sent) => fields.set(slot(b, e), { block: b.block_id, read: c.read, inputs: c.inputs, group: c.group, sent }),
  };
  view.input = (b) => input(b, view);
  const body = blocks(v.view.blocks, view);
  const send = v.view.submit && el("button", { class: "btn", "data-f": "submit" }, plain(v.view.submit.text));
  const shut = el("button", { class: "btn", type: "button", "data-f": "close", click: () => tell({ do: "close", view: v.id }) }, plain(v.view.close?.text || "Close"));
  const form = el("form", { novalidate: true, "data-key": v.id, tabindex: "-1", submit: (event) => {
    event.preventDefault();
    tell({ do: "submit", view: v.id, values: values() });
  } },
    el("h2", { id: "window-title", tabindex: "-1" }, badge(decode(v.view.title?.text || ""))),
    el("div", { class: "body" }, body, el("p", { class: "wrong", role: "alert", id: "window-trouble", hidden: true })),
    el("div", { class: "foot" }, shut, send));
  return { form, fields };
}

function mark(errors) {
  for (const f of open.fields.values()) {
    const field = $("window").querySelector(`[data-block="${CSS.escape(f.block)}"]`);
    const wrong = field?.querySelector(".wrong");
    if (!wrong) continue;
    const text = errors[f.block] || "";
    wrong.textContent = text;
    wrong.hidden = !text;
    for (const n of f.group === "radio" ? [field] : f.inputs) {
      if (text) n.setAttribute("aria-invalid", "true");
      else n.removeAttribute("aria-invalid");
    }
  }
}

// focusWrong goes to the first input that was turned back.
export const focusWrong = () => $("window").querySelector(".field:has(.wrong:not([hidden])) :is(input, textarea, select)")?.focus();

function start(dialog) {
  if (!dialog.open) dialog.showModal();
  const input = dialog.querySelector(".field input, .field select, .field textarea");
  (input || $("window-title")).focus();
}

// show brings the window in line with the state: v is {id, view, errors} or null.
export function show(v, tell) {
  const dialog = $("window");
  remember();
  if (!v) {
    if (!open) return;
    const { opener } = open;
    open = null;
    if (dialog.open) dialog.close();
    dialog.replaceChildren();
    dialog.removeAttribute("aria-labelledby");
    goTo(opener);
    return;
  }
  const { title, blocks: body, submit, close } = v.view;
  const json = JSON.stringify([title, body, submit, close]);
  const errors = v.errors || {};
  const told = JSON.stringify(errors);
  if (open?.id === v.id && open.json === json) {
    if (open.told === told) return;
    open.told = told;
    mark(errors);
    focusWrong();
    return;
  }
  const same = open?.id === v.id;
  const was = same && dialog.contains(document.activeElement) ? document.activeElement.dataset.f : null;
  const { form, fields } = build(v, tell);
  const opener = open ? open.opener : place();
  dialog.replaceChildren(form);
  dialog.setAttribute("aria-labelledby", "window-title");
  open = { id: v.id, json, told, fields, opener };
  mark(errors);
  if (!same) start(dialog);
  else (form.querySelector(`[data-f="${CSS.escape(was || "")}"]`) || $("window-title")).focus();
}

// trouble shows an error where the person is: in the window when one is open. It reports whether it did.
export function trouble(text) {
  const at = $("window-trouble");
  if (at) {
    at.textContent = text;
    at.hidden = !text;
  }
  return Boolean(at);
}

// listen makes Escape do what the window's button does: the server is told, and its state closes the window.
export function listen(tell) {
  const dialog = $("window");
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    if (open) tell({ do: "close", view: open.id });
  });
  dialog.addEventListener("close", () => open && dialog.showModal()); // a browser may close it all the same
}
