// The end of the engine's script: the page hands the compiled program over, as the first message.
onmessage = ({ data }) => {
  onmessage = null;
  wasm_bindgen({ module_or_path: data }).catch((error) => postMessage({ failed: String(error) }));
};
