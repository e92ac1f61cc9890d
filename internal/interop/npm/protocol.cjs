// Says of each record that comes as a line {record, partitions}, with what Node brings alone, which partition and digest it has.
const { createHash } = require("node:crypto");
const { createInterface } = require("node:readline");
const { crc32 } = require("node:zlib");

createInterface({ input: process.stdin }).on("line", (line) => {
  const { record, partitions } = JSON.parse(line);
  const digest = "sha256:" + createHash("sha256").update(record, "utf8").digest("hex");
  console.log("is", JSON.stringify({ partition: crc32(JSON.parse(record).id) % partitions, digest }));
});
