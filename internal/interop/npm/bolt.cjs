// An app made with Slack's Bolt: over HTTP where a signing secret is given, else over Socket Mode.
const { App, HTTPReceiver, LogLevel } = require("@slack/bolt");

const [base, botToken, appToken, signingSecret] = process.argv.slice(2);
const say = (word, about) => console.log(word, JSON.stringify(about ?? null));

const common = { token: botToken, logLevel: LogLevel.ERROR, clientOptions: { slackApiUrl: base + "/api/" } };
const receiver = signingSecret && new HTTPReceiver({ signingSecret, endpoints: "/slack", logLevel: LogLevel.ERROR });
const app = receiver ? new App({ ...common, receiver }) : new App({ ...common, socketMode: true, appToken });

const plain = (text) => ({ type: "plain_text", text });
const form = {
  type: "modal", callback_id: "form", title: plain("T"), submit: plain("S"), notify_on_close: true,
  blocks: [{ type: "input", block_id: "n", label: plain("l"), element: { type: "plain_text_input", action_id: "v" } }],
};

app.error(async (e) => say("error", { code: e.code, message: e.message }));
app.action("go", async ({ ack, body, action, client, respond, say: post }) => {
  await ack();
  say("BlockAction", body);
  await client.views.open({ trigger_id: body.trigger_id, view: form });
  await respond({ text: "only you: " + action.value, replace_original: false });
  await post({ text: "everybody", thread_ts: body.message.ts });
});
app.view({ callback_id: "form", type: "view_submission" }, async ({ ack, body, view }) => {
  say("ViewSubmitAction", body);
  await ack(view.state.values.n.v.value === "bad" ? { response_action: "errors", errors: { n: "not this" } } : undefined);
});
app.view({ callback_id: "form", type: "view_closed" }, async ({ ack, body }) => {
  say("ViewClosedAction", body);
  await ack();
});
app.command("/stops", async ({ ack, command, respond }) => {
  say("SlashCommand", command);
  await ack("acknowledged " + command.text);
  await respond({ text: "and responded", response_type: "in_channel" });
});
app.message("hello", async ({ message, say: post }) => {
  say("GenericMessageEvent", message);
  await post("heard " + message.text);
});
app.event("app_home_opened", async ({ event, client }) => {
  say("AppHomeOpenedEvent", event);
  await client.views.publish({ user_id: event.user, view: { type: "home", blocks: [{ type: "divider" }] } });
});
for (const type of ["channel_archive", "member_left_channel"]) app.event(type, async ({ event }) => say(type, event));
app.message(async ({ message }) => message.subtype && say(message.subtype, message));

(async () => {
  const server = receiver ? await app.start({ port: 0, host: "127.0.0.1" }) : await app.start();
  say("started", receiver ? server.address().port : 0);
})();
