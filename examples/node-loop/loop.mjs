// A loop in Node that asks a person and goes on with the answer. It uses nothing of Flagstop's, only the protocol
// (docs/protocol.md): a handful of Redis commands, and a signature that any JOSE library verifies.
import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import Redis from "ioredis";
import * as jose from "jose";

const prefix = process.env.FLAGSTOP_PREFIX ?? "fs";
const redis = new Redis(process.env.FLAGSTOP_REDIS_URL);
const subscriber = redis.duplicate();

const loop = "node-loop/report";
const record = JSON.stringify({
  v: 1, id: "node-loop-report-1", addressee: "product-thinker", kind: "judgement", concern: "scope",
  loop: { id: loop, repository: "acme/examples", agent: "node-loop" },
  questions: [{
    key: "q",
    message: "The weekly report can list every change or only those that people notice. Which one should it be?",
    requestedSchema: {
      type: "object", required: ["choice"],
      properties: { choice: { type: "string", oneOf: [
        { const: "all", title: "Every change", description: "This week the report has 43 lines." },
        { const: "seen", title: "What people notice", description: "This week the report has 6 lines." },
        { const: "none", title: "None of these" },
      ] } },
    },
    null_option: "none",
  }],
});
const id = JSON.parse(record).id;
const digest = "sha256:" + createHash("sha256").update(record).digest("hex");

// Which partition: CRC-32 (IEEE) of the id modulo the number that the bot wrote.
const partitions = Number(await redis.hget(`${prefix}:meta`, "partitions"));
if (!partitions) throw new Error("no bot has started here");
const tag = `{${prefix}:${crc32(id) % partitions}}`;
const keys = {
  outcome: `${tag}:outcome:${id}`, refusal: `${tag}:refusal:${digest.slice(7)}`, stop: `${tag}:stop:${id}`,
  inbox: `${tag}:inbox`, claim: `${tag}:claim:${id}`,
};

// Subscribe first, then look: an answer in between is then heard or seen. Only the key is sure to be there.
let wake = () => {};
subscriber.on("message", () => wake());
await subscriber.subscribe(keys.outcome, keys.refusal);
const jws = await wait();

const keySet = jose.createLocalJWKSet(JSON.parse(process.env.FLAGSTOP_VERIFY_KEY));
const { payload } = await jose.compactVerify(jws, keySet, { algorithms: ["EdDSA"] }).then(({ payload, protectedHeader }) => {
  if (protectedHeader.typ !== "flagstop-outcome") throw new Error(`not an outcome: ${protectedHeader.typ}`);
  return { payload: JSON.parse(new TextDecoder().decode(payload)) };
});
if (payload.prefix !== prefix || payload.stop !== id || payload.digest !== digest) throw new Error("the outcome of another stop");

// One instance goes on. The claim is a lease of 60 s until what the verdict led to is saved.
const me = `${loop}/${randomUUID()}`;
if (await redis.set(keys.claim, `${me} ${new Date().toISOString()}`, "EX", 60, "NX") !== "OK") {
  console.log("taken by", await redis.get(keys.claim));
} else {
  console.log("went on with", JSON.stringify(payload.end === "answered" ? payload.verdicts.q : payload.end));
  await redis.xadd(keys.inbox, "*", "op", "resumed", "body", JSON.stringify({ id, by: me, outcome: jws }));
}
redis.disconnect();
subscriber.disconnect();

/** Returns the signed outcome. Raises the record where nobody knows of it, and looks again every 30 s or so. */
async function wait() {
  let raised = 0;
  for (;;) {
    const heard = new Promise((resolve) => { wake = resolve; });
    const [outcome, refusal] = await redis.mget(keys.outcome, keys.refusal);
    if (outcome) return outcome;
    if (refusal) throw new Error("refused: " + Buffer.from(refusal.split(".")[1], "base64url"));
    const known = await redis.hget(keys.stop, "digest");
    if (known && known !== digest) throw new Error("the id is taken by another record");
    if (!known && Date.now() - raised > 60_000) {
      await redis.xadd(keys.inbox, "*", "op", "raise", "body", record);
      raised = Date.now();
      console.log("suspended on stop", id);
    }
    const look = new AbortController();
    const pause = sleep(30_000 * (0.8 + 0.4 * Math.random()), undefined, { signal: look.signal }).catch(() => {});
    await Promise.race([heard, pause]);
    look.abort();
  }
}

/** CRC-32 (IEEE), as in zip; newer versions of Node have it as zlib.crc32. */
function crc32(text) {
  let c = ~0;
  for (const byte of Buffer.from(text)) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = (c >>> 1) ^ (0xedb88320 & -(c & 1));
  }
  return ~c >>> 0;
}
