// Inputs of Block Kit. control returns {node, inputs, read, group}: what to show, what carries the aria attributes, how
// to read the value (a string, a number, a list of option values, or null), and whether it is a group of boxes.
import { el } from "./dom.js";
import { decode, plain } from "./text.js";

const text = (t) => (t ? decode(t.text) : null);

// choices are the options of an element, flat; those of a group carry its label.
const choices = (e) => e.options ?? e.option_groups.flatMap((g) => g.options.map((o) => ({ ...o, group: decode(g.label.text) })));

// first is what the app has preset.
const first = (e) => e.initial_options?.map((o) => o.value) ?? e.initial_option?.value ?? e.initial_value ?? e.initial_date ?? e.initial_time ?? e.initial_date_time;

function typed(node, value, read) {
  node.value = value ?? "";
  return { node, inputs: [node], read: read || (() => node.value || null) };
}

function line(e, c, props) {
  return typed(el("input", { type: "text", id: c.id, "data-f": c.at, "aria-label": c.label, placeholder: text(e.placeholder), autocomplete: "off", ...props }), c.value ?? first(e));
}

function area(e, c) {
  return typed(el("textarea", { id: c.id, rows: "4", "data-f": c.at, "aria-label": c.label, placeholder: text(e.placeholder) }), c.value ?? first(e));
}

const two = (n) => String(n).padStart(2, "0");
const local = (unix) => {
  const d = new Date(unix * 1000);
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}T${two(d.getHours())}:${two(d.getMinutes())}`;
};

function moment(e, c) {
  const node = el("input", { type: "datetime-local", id: c.id, "data-f": c.at, "aria-label": c.label });
  const start = c.value ?? first(e);
  return typed(node, start ? local(start) : "", () => (node.value ? Math.floor(new Date(node.value).getTime() / 1000) : null));
}

function select(e, c) {
  const node = el("select", { id: c.id, "data-f": c.at, "aria-label": c.label }, el("option", { value: "" }, text(e.placeholder) || "Choose one"));
  let group = null;
  for (const o of choices(e)) {
    if (o.group && group?.label !== o.group) node.append((group = el("optgroup", { label: o.group })));
    (o.group ? group : node).append(el("option", { value: o.value }, decode(o.text.text)));
  }
  return typed(node, c.value ?? first(e));
}

// boxes are radio buttons, or check boxes for whatever may be chosen several times.
function boxes(e, c, kind) {
  const start = [c.value ?? first(e) ?? []].flat();
  const inputs = [];
  const row = (o, i) => {
    const note = o.description && `${c.at}.${i}.note`;
    const input = el("input", { type: kind, name: c.at, value: o.value, "data-f": `${c.at}.${i}`, "aria-describedby": note });
    input.checked = start.includes(o.value);
    inputs.push(input);
    return el("label", { class: "pick" }, input, el("span", {}, plain(o.text.text), o.description && el("small", { id: note }, plain(o.description.text))));
  };
  const all = choices(e);
  const node = el("div", { class: all.length > 10 ? "picks many" : "picks", role: c.label ? "group" : null, "aria-label": c.label }, all.map(row));
  const chosen = () => inputs.filter((i) => i.checked).map((i) => i.value);
  return { node, inputs, group: kind, read: () => (kind === "radio" ? (chosen()[0] ?? null) : chosen()) };
}

const CONTROLS = {
  plain_text_input: (e, c) => (e.multiline ? area(e, c) : line(e, c)),
  email_text_input: (e, c) => line(e, c, { inputmode: "email" }),
  url_text_input: (e, c) => line(e, c, { inputmode: "url" }),
  number_input: (e, c) => line(e, c, { inputmode: e.is_decimal_allowed ? "decimal" : "numeric" }),
  datepicker: (e, c) => line(e, c, { type: "date" }),
  timepicker: (e, c) => line(e, c, { type: "time" }),
  datetimepicker: moment,
  radio_buttons: (e, c) => boxes(e, c, "radio"),
  checkboxes: (e, c) => boxes(e, c, "checkbox"),
  static_select: select,
  multi_static_select: (e, c) => boxes(e, c, "checkbox"),
};

// control draws an input element. c: at (its name for the focus), id, label (where no label stands beside it), value
// (what was typed before), act (outside an input block: told of every change).
export function control(e, c) {
  const made = CONTROLS[e.type]?.(e, c);
  if (made && c.act) made.node.addEventListener("change", () => c.act({ action_id: e.action_id, value: made.read() }));
  return made;
}
