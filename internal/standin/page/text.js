// Slack's text: plain, mrkdwn, dates and mentions. Everything is decoded once and becomes text nodes.
import { el } from "./dom.js";

// names is who and what can be mentioned: id → name. The page fills it from the state.
export const names = new Map();

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
export const decode = (s) => s.replace(/&(?:lt|gt|amp);/g, (m) => ENTITIES[m]);

export function plain(text) {
  return decode(text).split("\n").flatMap((line, i) => (i ? [el("br"), line] : [line]));
}

export const mention = (sign, id, label) => el("span", { class: "mention" }, sign + (names.get(id) || label || id));

// safeLink makes a link of an address that a browser may open, and text of any other.
export function safeLink(url, label, props = {}) {
  if (!/^(https?:\/\/|mailto:)/i.test(url)) return el("span", {}, label === url ? url : `${label} (${url})`);
  return el("a", { href: url, target: "_blank", rel: "noopener noreferrer", ...props }, label);
}

const day = (d, o) => new Intl.DateTimeFormat("en-GB", o).format(d);
const clock = { hour: "2-digit", minute: "2-digit", hour12: false };
const DATES = {
  date_num: (d) => day(d, { year: "numeric", month: "2-digit", day: "2-digit" }).split("/").reverse().join("-"),
  date: (d) => day(d, { year: "numeric", month: "long", day: "numeric" }),
  date_short: (d) => day(d, { year: "numeric", month: "short", day: "numeric" }),
  date_long: (d) => day(d, { weekday: "long", year: "numeric", month: "long", day: "numeric" }),
  time: (d) => day(d, clock),
  time_secs: (d) => day(d, { ...clock, second: "2-digit" }),
  ago: (d) => ago(d),
};

function ago(d) {
  const minutes = Math.round((d - Date.now()) / 60000);
  const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (Math.abs(minutes) < 60) return relative.format(minutes, "minute");
  if (Math.abs(minutes) < 48 * 60) return relative.format(Math.round(minutes / 60), "hour");
  return relative.format(Math.round(minutes / 1440), "day");
}

function pretty(d, token) {
  const days = Math.round((new Date(d).setHours(0, 0, 0, 0) - new Date().setHours(0, 0, 0, 0)) / 86400000);
  return { "-1": "yesterday", 0: "today", 1: "tomorrow" }[days] || DATES[token](d);
}

// date draws a moment by Slack's format string, or the fallback where the format or the number is not one.
export function date(unix, format, link, fallback) {
  const d = new Date(Number(unix) * 1000);
  if (Number.isNaN(d.getTime())) return el("span", {}, fallback || format);
  const text = format.replace(/\{(\w+)\}/g, (whole, token) => {
    const base = token.replace(/_pretty$/, "");
    if (base !== token && DATES[base]) return pretty(d, base);
    return DATES[token]?.(d) ?? whole;
  });
  const time = el("time", { datetime: d.toISOString(), title: d.toString() }, text);
  return link ? safeLink(link, time) : time;
}

// token draws what stands between < and >.
function token(body) {
  const cut = body.indexOf("|");
  const head = cut < 0 ? body : body.slice(0, cut);
  const label = cut < 0 ? "" : decode(body.slice(cut + 1));
  if (/^@[UW]/.test(head)) return mention("@", head.slice(1), label);
  if (/^#C/.test(head)) return mention("#", head.slice(1), label);
  if (head.startsWith("!subteam^")) return mention("@", head.slice(9), label.replace(/^@/, ""));
  if (/^!(here|channel|everyone)$/.test(head)) return mention("@", head.slice(1));
  if (head.startsWith("!date^")) {
    const [, unix, format = "", link] = head.split("^");
    return date(unix, decode(format), link && decode(link), label);
  }
  if (/^(https?:|mailto:)/i.test(head)) return safeLink(decode(head), label || decode(head));
  return document.createTextNode(`<${decode(body)}>`);
}

const bare = (text) => decode(text.replace(/<([^<>]*)>/g, (_, body) => body.slice(body.indexOf("|") + 1)));
const STYLES = { "*": "strong", _: "em", "~": "s" };
const wordy = (c) => c !== undefined && /[\p{L}\p{N}]/u.test(c);

// closing finds the mark that ends a span: on the same line, after something, before no letter, not inside a token.
function closing(s, mark, from) {
  for (let i = from; i < s.length; i++) {
    if (s[i] === "<" && s.indexOf(">", i) > 0) i = s.indexOf(">", i);
    else if (s[i] === mark && i > from && s[i - 1] !== " " && !wordy(s[i + 1])) return i;
  }
  return -1;
}

// auto draws what Slack looks for by itself when verbatim is false: addresses and @here.
function auto(text) {
  return text.split(/(https?:\/\/[^\s<>|]+|@(?:here|channel|everyone)\b)/).map((part, i) => {
    if (i % 2 === 0) return decode(part);
    return part[0] === "@" ? mention("@", part.slice(1)) : safeLink(decode(part), decode(part));
  });
}

// span reads what begins at i: [node, where it ends], or null where it is ordinary text.
function span(s, i, verbatim) {
  const c = s[i];
  if (c === "<") {
    const end = s.indexOf(">", i);
    return end > i + 1 ? [token(s.slice(i + 1, end)), end + 1] : null;
  }
  if (c === "`") {
    const end = s.indexOf("`", i + 1);
    return end > i + 1 ? [el("code", {}, bare(s.slice(i + 1, end))), end + 1] : null;
  }
  if (!STYLES[c] || wordy(s[i - 1]) || s[i + 1] === " " || s[i + 1] === c) return null;
  const end = closing(s, c, i + 1);
  return end < 0 ? null : [el(STYLES[c], {}, inline(s.slice(i + 1, end), verbatim)), end + 1];
}

function inline(s, verbatim) {
  const out = [];
  let text = "";
  const flush = () => {
    if (text) out.push(verbatim ? decode(text) : auto(text));
    text = "";
  };
  for (let i = 0; i < s.length; ) {
    const found = "<`*_~".includes(s[i]) && span(s, i, verbatim);
    if (!found) {
      text += s[i++];
      continue;
    }
    flush();
    out.push(found[0]);
    i = found[1];
  }
  flush();
  return out;
}

function lines(text, verbatim) {
  const out = [];
  let quote = null;
  text.split("\n").forEach((line, i) => {
    const [mark] = /^(?:&gt;|>) ?/.exec(line) || [];
    if (mark) {
      if (!quote) out.push((quote = el("blockquote")));
      else quote.append(el("br"));
      quote.append(...inline(line.slice(mark.length), verbatim).flat(Infinity));
      return;
    }
    if (i && !quote) out.push(el("br"));
    quote = null;
    out.push(inline(line, verbatim));
  });
  return out;
}

// mrkdwn draws Slack's own markup: bold, italic, strike, code, pre, quote, links, mentions and dates.
export function mrkdwn(text, verbatim) {
  return text.split(/```\n?([\s\S]+?)```\n?/).map((part, i) => {
    if (i % 2) return el("pre", {}, bare(part.replace(/\n$/, "")));
    return part ? lines(part.replace(/\n$/, ""), verbatim) : null;
  });
}

// words draws a text object.
export const words = (t) => (t.type === "mrkdwn" ? mrkdwn(t.text, t.verbatim) : plain(t.text));
