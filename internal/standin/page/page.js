// The page: who you are, channels, messages, threads, and the loops beside them. The server sends the whole state after
// each change; the page redraws only what differs, and tells the server what the person does.
import { content, blocks } from "./blocks.js";
import { $, badge, el, goTo, patch, place } from "./dom.js";
import { names } from "./text.js";
import * as view from "./view.js";

const HOME = "home";
const QUIET = new Set(["read", "home"]); // what the page does by itself
let state = null;
let stream = null;
let at = {}; // where the person is, from the address: as, in, thread
let loops = new Map(); // id → state, as drawn last
let shown = {}; // what was drawn last, to tell a move from an update

const spot = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const address = (to) => `#${new URLSearchParams(Object.entries({ as: at.as, in: at.in, ...to }).filter(([, v]) => v))}`;

function complain(text) {
  if (view.trouble(text)) return;
  $("trouble").hidden = !text;
  $("trouble-text").textContent = text;
}

// tell sends one deed and shows what Slack would show when it fails. It reports whether it went well.
async function tell(body) {
  const waiting = setTimeout(() => ($("line").textContent = "Waiting for the app…"), 400);
  let answer;
  try {
    const r = await fetch("page/do", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ as: state.me, ...body }) });
    answer = r.ok ? await r.json() : { error: await r.text() };
  } catch {
    answer = { error: "The stand-in does not answer: is it still running?" };
  }
  clearTimeout(waiting);
  $("line").textContent = "";
  if (answer.error || !QUIET.has(body.do)) complain(answer.error || "");
  if (answer.turned_back) view.focusWrong();
  return !answer.error;
}

function listen() {
  stream?.close();
  stream = new EventSource(`page/events?${new URLSearchParams({ as: at.as || "" })}`);
  stream.onmessage = (event) => {
    state = JSON.parse(event.data);
    $("line").textContent = "";
    draw();
  };
  stream.onerror = () => {
    $("line").textContent = "The connection is lost. Trying again…";
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

const name = (id) => names.get(id) || id;
const time = (ts) => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(new Date(ts * 1000));
const isBot = (id) => state.users.some((u) => u.id === id && u.bot);

function author(m) {
  const who = name(m.user);
  return [
    el("div", { class: `av${isBot(m.user) ? "" : " person"}`, "aria-hidden": "true" }, isBot(m.user) ? "⚑" : [...who][0]),
    el("p", { class: "by" }, el("b", {}, who), " ", el("time", { datetime: new Date(m.ts * 1000).toISOString() }, time(m.ts)), m.edited && " (edited)"),
  ];
}

function foot(m, channel) {
  if (m.only) {
    return el("button", { type: "button", class: "plain", "data-f": "dismiss", click: () => tell({ do: "act", channel, ts: m.ts }) }, "Dismiss message");
  }
  if (m.inThread) return null;
  const label = m.replies ? `${m.replies} ${m.replies === 1 ? "reply" : "replies"} in the thread` : "Reply in thread";
  return el("a", { class: "replies", "data-f": "thread", href: address({ thread: m.ts }) }, label);
}

// message draws one message; the item carries all that its picture depends on.
function message(m) {
  const ctx = { path: "m", act: (action) => tell({ do: "act", channel: m.channel_id, ts: m.ts, action }) };
  const [avatar, by] = author(m);
  const reactions = Object.entries(m.reactions || {}).map(([r, users]) => el("span", { class: "mention" }, `:${r}: ${users.length}`));
  return el("article", { class: `msg${m.only ? " only" : ""}`, tabindex: "-1", "aria-label": `${name(m.user)}, ${time(m.ts)}${m.only ? ", only visible to you" : ""}` },
    avatar,
    el("div", { class: "said" }, m.only && el("p", { class: "small" }, "Only visible to you"), by, content(m, ctx), reactions, foot(m, m.channel_id)));
}

const near = (box) => box.scrollHeight - box.scrollTop - box.clientHeight < 80;

function log(box, items, moved) {
  const mine = items.some((m) => (m.only || m.user === state.me) && !box.querySelector(`[data-key="${CSS.escape(m.key)}"]`));
  const follow = moved || mine || near(box); // what was said to this person alone is not missed
  if (moved) {
    box.setAttribute("aria-busy", "true"); // a change of place is not news
    box.replaceChildren();
  }
  patch(box, items, (m) => m.key, message);
  if (follow) box.scrollTop = box.scrollHeight;
  box.removeAttribute("aria-busy");
}

const item = (m, more) => ({ ...m, key: `${m.ts}${m.only ? "e" : ""}`, channel_id: at.in, ...more });

function drawMessages(moved) {
  const all = state.messages[at.in] || [];
  const replies = new Map();
  for (const m of all) if (m.thread && m.thread !== m.ts && !m.only) replies.set(m.thread, (replies.get(m.thread) || 0) + 1);
  log($("messages"), all.filter((m) => m.channel).map((m) => item(m, { replies: replies.get(m.ts) || 0 })), moved);
}

function drawHome(moved) {
  const box = $("messages");
  const home = state.home ? [{ key: "home", blocks: state.home.view.blocks, id: state.home.id }] : [];
  if (moved) box.replaceChildren();
  patch(box, home, (h) => h.key, (h) =>
    el("article", { class: "home", tabindex: "-1", "aria-label": "Your inbox" }, blocks(h.blocks, { path: "h", act: (action) => tell({ do: "view_action", view: h.id, action }) })));
  if (!home.length && !box.firstChild) box.append(el("p", { class: "soft", "data-key": "none" }, "The app has shown nothing here yet."));
}

function drawThread(moved) {
  const all = state.messages[at.in] || [];
  const parent = all.find((m) => m.ts === at.thread);
  $("thread").hidden = !at.thread;
  document.body.classList.toggle("threaded", Boolean(at.thread));
  if (!at.thread) return;
  $("thread-off").href = address({});
  const items = all.filter((m) => m.thread === at.thread && m.ts !== at.thread);
  log($("replies"), [parent, ...items].filter(Boolean).map((m) => item(m, { inThread: true })), moved);
}

function drawPeople() {
  const people = state.users.filter((u) => !u.bot && !u.away);
  patch($("people"), people, (u) => u.id, (u) =>
    el("label", { class: "pick" },
      el("input", { type: "radio", name: "me", value: u.id, "data-f": "me", change: () => (location.hash = address({ as: u.id })) }),
      el("span", {}, u.name, u.title && el("small", {}, u.title.replace(/^(\S) /, "$1\u00a0")))));
  for (const radio of $("people").querySelectorAll("input")) radio.checked = radio.value === state.me;
}

function drawChannels() {
  const channels = state.channels.map((c) => ({ id: c.id, sign: c.direct ? "⚑ " : "# ", name: title(c), unread: c.id === at.in ? 0 : c.unread || 0 }));
  channels.push({ id: HOME, sign: "⚑ ", name: "Your inbox", unread: 0 });
  patch($("channels"), channels.map((c) => ({ ...c, on: c.id === at.in, href: address({ in: c.id }) })), (c) => c.id, (c) =>
    el("li", {}, el("a", { class: "ch", href: c.href, "aria-current": c.on && "page", "data-f": "go" }, el("span", { "aria-hidden": "true" }, c.sign), c.name,
      c.unread > 0 && el("span", { class: "n" }, el("span", { "aria-hidden": "true" }, String(c.unread)), el("span", { class: "vh" }, ` ${c.unread} unread`)))));
}

const title = (c) => (c.direct ? "Direct messages" : c.name);

function loop(l) {
  const now = l.iteration || 0;
  const live = !/^done/i.test(l.state);
  const steps = l.cap > 0 && el("div", { class: "steps", "aria-hidden": "true" }, Array.from({ length: Math.min(l.cap, 50) }, (_, i) => el("i", { class: i + 1 < now || (i + 1 === now && !live) ? "did" : i + 1 === now ? "now" : null })));
  return el("section", { class: "loop", "aria-label": l.title },
    el("h3", {}, l.title), l.agent && el("p", { class: "soft" }, l.agent),
    el("p", { class: "state" }, l.state), steps,
    l.waits_for && el("p", {}, el("span", { class: "soft" }, "Waits for "), badge(l.waits_for, true)),
    l.log?.length > 0 && el("ol", { class: "did-list", "aria-label": "What it did" }, l.log.map((t) => el("li", {}, t))));
}

// drawLoops draws the loops, and says aloud which went into another state: a redrawn card would not be read out.
function drawLoops() {
  const news = state.loops.filter((l) => loops.has(l.id) && loops.get(l.id) !== l.state).map((l) => `${l.title}: ${l.state}`);
  loops = new Map(state.loops.map((l) => [l.id, l.state]));
  if (news.length) $("news").textContent = news.join(". ");
  patch($("loops"), state.loops, (l) => l.id, loop);
  $("no-loops").hidden = state.loops.length > 0;
}

function drawFrame() {
  const c = state.channels.find((x) => x.id === at.in);
  $("where").replaceChildren(...(c ? [c.direct ? "Direct messages" : `# ${c.name}`] : ["Your inbox"]));
  const silent = !c ? "" : c.archived ? "This channel is archived." : c.member ? "" : "You are not a member of this channel.";
  $("about").textContent = silent;
  $("say").hidden = !c || Boolean(silent);
  $("say-label").textContent = `Message to ${c ? title(c) : ""}, or a command that begins with /`;
  $("say-text").placeholder = `Message, or a command such as /stops`;
  document.title = `${c ? title(c) : "Your inbox"} · ${name(state.me)} · Flagstop`;
}

function draw() {
  names.clear();
  for (const u of state.users) names.set(u.id, u.name);
  for (const c of state.channels) names.set(c.id, title(c));
  for (const [id, handle] of Object.entries(state.groups)) names.set(id, handle);
  at.as = state.me;
  if (at.in !== HOME && !state.channels.some((c) => c.id === at.in)) at.in = (state.channels.find((c) => c.member && !c.direct) || state.channels[0])?.id || HOME;
  const moved = shown.as !== at.as || shown.in !== at.in;
  const opened = at.thread && (moved || shown.thread !== at.thread);
  const closed = shown.thread && !at.thread && !moved ? shown.thread : "";
  shown = { ...at };
  drawPeople();
  drawChannels();
  drawFrame();
  if (at.in === HOME) drawHome(moved);
  else drawMessages(moved);
  drawThread(opened);
  drawLoops();
  view.show(state.view, tell);
  const parent = document.querySelector(`#messages [data-key="${CSS.escape(at.thread || closed)}"]`);
  if (opened || closed) parent?.scrollIntoView({ block: "nearest" }); // the lines have another width now
  if (opened) $("thread-name").focus({ preventScroll: true });
  if (closed) parent?.querySelector("[data-f=thread]")?.focus({ preventScroll: true });
  const c = state.channels.find((x) => x.id === at.in);
  if (c?.unread) tell({ do: "read", channel: c.id });
  if (moved && at.in === HOME) tell({ do: "home" });
}

function go() {
  const was = at.as;
  at = spot();
  complain("");
  if (!state || at.as !== was) listen();
  else draw();
}

function compose(form, send) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const box = form.querySelector("input");
    const text = box.value.trim();
    if (!text) return;
    box.value = "";
    if (!(await send(text)) && !box.value) box.value = text; // what failed is not lost
  });
}

// toLog goes to the messages, or where a narrow window shows the thread in their place, to the thread.
const toLog = () => ($("messages").checkVisibility() ? $("messages") : $("replies")).focus();

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("theme").setAttribute("aria-pressed", String(dark));
}

compose($("say"), (text) => tell(text.startsWith("/") ? { do: "command", channel: at.in, text } : { do: "post", channel: at.in, text }));
compose($("reply"), (text) => {
  if (!text.startsWith("/")) return tell({ do: "post", channel: at.in, thread: at.thread, text });
  complain("Slack takes no commands in a thread: type it in the channel.");
  return false;
});
view.listen((body) => tell(body));
$("trouble-off").addEventListener("click", () => {
  complain("");
  toLog();
});
$("skip").addEventListener("click", (event) => {
  event.preventDefault();
  toLog();
});
$("theme").addEventListener("click", () => theme($("theme").getAttribute("aria-pressed") !== "true"));
document.addEventListener("click", (event) => {
  for (const d of document.querySelectorAll("details.menu[open]")) if (!d.contains(event.target)) d.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const d of document.querySelectorAll("details.menu[open]")) {
    d.open = false;
    d.firstElementChild.focus();
  }
});
// A browser holds few connections to one server: a page that nobody looks at gives its own back.
document.addEventListener("visibilitychange", () => (document.hidden ? stream?.close() : listen()));
window.addEventListener("hashchange", go);
$("theme").setAttribute("aria-pressed", String(matchMedia("(prefers-color-scheme: dark)").matches));
$("here").textContent = location.host;
go();
