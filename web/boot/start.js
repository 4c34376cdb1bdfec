// Starts the page, and the engine in a worker, side by side; then the page closes its policy, for good.

const part = (id) => document.getElementById(id);

const embedded = (script) => Uint8Array.from(atob(script.text), (c) => c.charCodeAt(0));

async function fetched(link) {
  const response = await fetch(link.href).catch(() => {});
  if (!response?.ok) throw new Error(`a part of the page did not arrive (${link.href.replace(/.*\//, "")})`);
  return response;
}

async function compiled(at) {
  if (!at.href) return WebAssembly.compile(embedded(at));
  const response = await fetched(at);
  return response.headers.get("content-type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function script(at) {
  const text = at.href ? await (await fetched(at)).arrayBuffer() : embedded(at);
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}

let closed = false;

function close() {
  if (closed) return;
  closed = true;
  try {
    if (location.protocol.startsWith("http")) navigator.serviceWorker?.register("./sw.js").catch(() => {});
  } catch {}
  document.head.append(part("closed").content.cloneNode(true));
}

let engine;

function fetchEngine() {
  engine ??= Promise.all([script(part("engine")), compiled(part("engine-wasm"))]);
  engine.catch(() => (engine = undefined));
  return engine;
}

// What the page takes for the engine's worker: called when it runs, and again when a worker has failed.
globalThis.heddleEngine = () => {
  let worker;
  let ended = false;
  const seat = {
    onmessage: null,
    onerror: null,
    watched: false,
    postMessage(...message) {
      worker?.postMessage(...message);
    },
    terminate() {
      ended = true;
      worker?.terminate();
    },
  };
  // The engine holds this lock while it lives.
  const watch = (alive) => {
    seat.watched = true;
    navigator.locks.request(alive, () => ended || seat.onerror?.({ gone: true }));
  };
  fetchEngine()
    .then(([script, program]) => {
      close();
      if (ended) return;
      worker = new Worker(script, { name: "engine" });
      const alive = `heddle engine ${performance.timeOrigin} ${Math.random()}`;
      worker.onmessage = (event) => (event.data.alive ? watch(alive) : seat.onmessage?.(event));
      worker.onerror = (event) => seat.onerror?.(event);
      worker.postMessage({ program, alive });
    })
    .catch((error) => {
      failed(error);
      seat.onerror?.({ message: error.message });
    });
  return seat;
};

function failed(error) {
  globalThis.heddleBootFailed(
    `Heddle cannot start: ${error.message}. If WebAssembly is switched off in this browser, switch it on; else reload the page.`,
  );
}

if (typeof WebAssembly === "object" && typeof Worker === "function") {
  const page = part("page");
  fetchEngine().catch(() => {}); // told where it is asked for
  Promise.all([page.href ?? script(page), compiled(part("page-wasm"))])
    .then(async ([address, program]) => {
      const { default: init } = await import(address);
      await init({ module_or_path: program });
    })
    .catch((error) => {
      failed(error);
      throw error;
    });
}
