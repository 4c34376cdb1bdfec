//! Files that were dropped or chosen.

use crate::store::{Go, Msg, Notice};
use heddle_view::encoding;
use heddle_view::limits::TEXT_BYTES;
use wasm_bindgen_futures::spawn_local;

/// Reads files and passes on their texts together, because those about a cluster make one scenario.
pub fn read(go: &Go, files: &web_sys::FileList) {
    let files: Vec<web_sys::File> = (0..files.length()).filter_map(|i| files.get(i)).collect();
    let go = go.clone();
    spawn_local(async move {
        let say = |text: String| go.emit(Msg::Notice(Some(Notice { text, act: None })));
        let mut texts: Vec<(String, String)> = Vec::new();
        for file in files {
            let name = file.name();
            if file.size() > TEXT_BYTES as f64 {
                let mb = (file.size() / 1048576.0).round();
                say(format!("{name} has {mb} MB; up to {} MB can be read.", TEXT_BYTES >> 20));
                continue;
            }
            match gloo::file::futures::read_as_bytes(&gloo::file::File::from(file)).await {
                Ok(bytes) => texts.push((name, text(&bytes))),
                Err(e) => say(format!("{name} could not be read: {e}")),
            }
        }
        let mut texts = texts.into_iter();
        if let Some((name, text)) = texts.next() {
            go.emit(Msg::Import { name, text, more: texts.collect() });
        }
    });
}

/// Decodes bytes by the encoding that they declare. Invalid parts become the replacement character, which the report
/// mentions.
fn text(bytes: &[u8]) -> String {
    let name = encoding::declared(bytes).unwrap_or_else(|| "utf-8".into());
    let decoded =
        || web_sys::TextDecoder::new_with_label(&name).and_then(|d| d.decode_with_u8_array(encoding::body(bytes))).ok();
    encoding::simple(&name, bytes).or_else(decoded).unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned())
}
