// The end of the engine's script: the page hands the compiled program over, as the first message.
onmessage = ({ data: { program, alive } }) => {
  onmessage = null;
  // A lock is let go when its thread ends, however it ends: so the page hears of it.
  navigator.locks?.request(alive, () => {
    postMessage({ alive });
    return new Promise(() => {});
  }).catch(() => {});
  wasm_bindgen({ module_or_path: program }).catch((error) => postMessage({ failed: String(error) }));
};
