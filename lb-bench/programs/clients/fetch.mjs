// Node's fetch (undici) for HTTP/1.1, and its http2 module for HTTP/2; see README.md.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import http2 from "node:http2";

const [url, version, authority, sizes] = process.argv.slice(2);

function pattern(size) {
  const body = Buffer.alloc(size);
  for (let i = 0; i < size; i++) body[i] = (i ^ (i >> 8) ^ (i >> 16)) & 0xff;
  return body;
}

async function byFetch(path, body) {
  const response = await fetch(url + path, body ? { method: "POST", body } : {});
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function byHttp2(session, path, body) {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":path": path, ":method": body ? "POST" : "GET" });
    const pieces = [];
    stream.on("response", (headers) => {
      if (headers[":status"] !== 200) reject(new Error(`${path}: ${headers[":status"]}`));
    });
    stream.on("data", (piece) => pieces.push(piece));
    stream.on("end", () => resolve(Buffer.concat(pieces)));
    stream.on("error", reject);
    stream.end(body);
  });
}

let session;
let ask = byFetch;
if (version === "2") {
  session = http2.connect(url, { ca: readFileSync(authority) });
  session.on("error", (error) => {
    console.error(error);
    process.exit(1);
  });
  ask = (path, body) => byHttp2(session, path, body);
}
for (const size of sizes.split(",").map(Number)) {
  const got = await ask(`/${size}`);
  const answer = await ask("/digest", pattern(size));
  console.log(version === "2" ? "HTTP/2" : "HTTP/1.1", createHash("sha256").update(got).digest("hex"), answer.toString());
}
session?.close();
