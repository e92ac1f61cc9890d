// Slack's SocketModeClient: says what it hears, and acknowledges; a window's submission with errors.
const { SocketModeClient, LogLevel } = require("@slack/socket-mode");

const [base, appToken] = process.argv.slice(2);
const client = new SocketModeClient({
  appToken,
  logLevel: LogLevel.ERROR,
  clientPingTimeout: 500, // also how long it waits before it connects again
  clientOptions: { slackApiUrl: base + "/api/" },
});

const say = (word, about) => console.log(word, JSON.stringify(about ?? null));

for (const state of ["connected", "reconnecting", "disconnected"]) client.on(state, () => say(state));
client.on("slack_event", async ({ ack, type, body, envelope_id, accepts_response_payload, retry_num, retry_reason }) => {
  say("envelope", { type, body, envelope_id, accepts_response_payload, retry_num, retry_reason });
  if (body.event?.text === "say nothing" && retry_num === 0) return;
  if (body.type === "view_submission" && body.view.state.values.n.v.value === "bad") {
    await ack({ response_action: "errors", errors: { n: "not this" } });
  } else if (type === "slash_commands") {
    await ack({ text: "you said " + body.text });
  } else {
    await ack();
  }
});
process.stdin.on("end", () => client.disconnect().then(() => process.exit(0))).resume();
client.start();
