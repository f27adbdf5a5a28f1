import { planRequests, chooseOftenAsked } from "./bench/scenario/jwt_mysql/request_plan.ts";
import { requestLines } from "./bench/scenario/jwt_mysql/request_file.ts";
import { createHmac } from "node:crypto";
const emails = Array.from({length: 100000}, (_, i) => `someone.named${i}@example.com`);
const random = Math.random;
const lines = 100000;
const plan = planRequests({lines, users: 100000, unknownUsers: 900, oftenAsked: chooseOftenAsked(100000, new Set(), random), nowSeconds: Math.floor(Date.now()/1000), random});
for (let k = 0; k < 3; k++) {
let t = performance.now(); let n = 0;
for (const l of requestLines(plan, {emails, unknownEmails: emails.slice(0, 900), secret: "0".repeat(64), random})) n += l.length;
console.log("lines", (performance.now() - t) / lines * 1000, "us");
t = performance.now();
const texts = emails.map((e) => "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + e + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
for (const x of texts) createHmac("sha256", "0".repeat(64)).update(x).digest("base64url");
console.log("hmac fresh text", (performance.now() - t) / lines * 1000, "us");
t = performance.now();
for (const x of texts) { const h = createHmac("sha256", "0".repeat(64)); }
console.log("createHmac only", (performance.now() - t) / lines * 1000, "us");
t = performance.now();
for (const x of texts) { const h = createHmac("sha256", "0".repeat(64)).update(x); }
console.log("createHmac+update only", (performance.now() - t) / lines * 1000, "us");
}
