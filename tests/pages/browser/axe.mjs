// Looks at pages in headless Chromium as a phone and as a desktop have them, light and dark.
// Usage: node axe.mjs CHROMIUM FOLDER_FOR_PICTURES PAGE…; exits with 1 when axe-core finds a violation.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const [executablePath, pictures, ...pages] = process.argv.slice(2);
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });
let violations = 0;
for (const page of pages) {
  for (const [device, width, height] of [["phone", 390, 844], ["desktop", 1280, 900]]) {
    for (const scheme of ["light", "dark"]) {
      const tab = await browser.newPage();
      await tab.setBypassCSP(true);
      await tab.setViewport({ width, height, isMobile: device === "phone" });
      await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await tab.goto(page, { waitUntil: "load" });
      await tab.evaluate(axe);
      const found = await tab.evaluate(() => globalThis.axe.run());
      const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (overflow > 0) found.violations.push({ id: "overflow", help: `${overflow} pixels too wide`, nodes: [] });
      for (const violation of found.violations) {
        violations += 1;
        console.log(`${page} ${device} ${scheme}: ${violation.id}: ${violation.help}`);
        for (const node of violation.nodes.slice(0, 3)) console.log(`    ${node.html.slice(0, 200)}\n      ${node.failureSummary?.replace(/\s+/g, " ").slice(0, 300)}`);
      }
      const name = `${basename(new URL(page).pathname, ".html")}-${device}-${scheme}.png`;
      await tab.screenshot({ path: join(pictures, name) });
      await tab.close();
    }
  }
}
await browser.close();
console.log(`${pages.length} pages, ${violations} violations`);
process.exitCode = violations ? 1 : 0;
