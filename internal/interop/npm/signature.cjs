// Says what Bolt's own check says of each request that comes as a line {body, timestamp, signature}.
const { createInterface } = require("node:readline");
const { isValidSlackRequest } = require("@slack/bolt");

const [signingSecret] = process.argv.slice(2);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { body, timestamp, signature } = JSON.parse(line);
  const headers = { "x-slack-request-timestamp": Number(timestamp), "x-slack-signature": signature };
  console.log("valid", isValidSlackRequest({ signingSecret, body, headers }));
});
