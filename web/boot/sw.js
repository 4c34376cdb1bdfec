// Keeps the site, so that it works without a network. `cargo xtask finish` puts VERSION and FILES before this: every file
// with the hash of its content. A version is kept whole or not at all, and one that is there is never asked for again.
const OURS = `heddle ${registration.scope} `;
const NAME = OURS + VERSION;
const PAGE = "./";

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(tidy()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(registration.scope)) {
    event.respondWith(answer(event.request));
  }
});

async function keep() {
  const cache = await caches.open(NAME);
  try {
    // Names hold a hash, but for those of pages; the integrity is what is believed.
    await cache.addAll(FILES.map(([name, integrity]) => new Request(name, { integrity, cache: name === PAGE || name.endsWith(".html") ? "no-cache" : "default" })));
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
  // A page that runs fetches nothing any more; one that is just loading finds its files in the version before.
  await skipWaiting();
}

async function tidy() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS));
  await Promise.all(names.slice(0, -2).map((name) => caches.delete(name)));
}

async function answer(request) {
  const path = request.url.slice(registration.scope.length).split(/[?#]/)[0];
  const page = request.mode === "navigate" && (path === "" || path === "index.html");
  const own = await (await caches.open(NAME)).match(page ? PAGE : request);
  const kept = own ?? (page ? undefined : await caches.match(request));
  return kept ?? fetch(request);
}
