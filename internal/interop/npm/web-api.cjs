// Calls methods of Slack's WebClient as the standard input says: one {method, args} a line, one answer a line.
const { createInterface } = require("node:readline");
const { WebClient, LogLevel } = require("@slack/web-api");

const [base, token] = process.argv.slice(2);
const client = new WebClient(token, {
  slackApiUrl: base + "/api/",
  logLevel: LogLevel.ERROR,
  retryConfig: { retries: 2, factor: 1, minTimeout: 10, maxTimeout: 20 },
});

const member = (path) => path.split(".").reduce((at, name) => at[name], client);

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const { method, args } = JSON.parse(line);
    const begun = Date.now();
    let said;
    try {
      said = { result: await member(method)(args) };
    } catch (e) {
      said = { error: { class: e.constructor.name, code: e.code, name: e.data?.error, status: e.statusCode, data: e.data } };
    }
    console.log("answer", JSON.stringify({ ...said, took: Date.now() - begun }));
  }
}
main();
