//! Files that were dropped or chosen.

use crate::store::{Go, Msg, Notice};
use heddle_view::encoding;
use heddle_view::limits::TEXT_BYTES;
use wasm_bindgen_futures::spawn_local;

/// Reads files, each in turn, and hands their texts over.
pub fn read(go: &Go, files: &web_sys::FileList) {
    for i in 0..files.length() {
        let Some(file) = files.get(i) else { continue };
        let name = file.name();
        let say = |text: String| go.emit(Msg::Notice(Some(Notice { text, act: None })));
        if file.size() > TEXT_BYTES as f64 {
            let mb = (file.size() / 1048576.0).round();
            say(format!("{name} has {mb} MB; up to {} MB can be read.", TEXT_BYTES >> 20));
            continue;
        }
        let go = go.clone();
        spawn_local(async move {
            match gloo::file::futures::read_as_bytes(&gloo::file::File::from(file)).await {
                Ok(bytes) => go.emit(Msg::Import { name, text: text(&bytes) }),
                Err(e) => {
                    go.emit(Msg::Notice(Some(Notice { text: format!("{name} could not be read: {e}"), act: None })))
                }
            }
        });
    }
}

/// The text of these bytes, in the encoding that they declare. What cannot be read becomes the sign for that, which the
/// report tells.
fn text(bytes: &[u8]) -> String {
    let name = encoding::declared(bytes).unwrap_or_else(|| "utf-8".into());
    let decoded =
        || web_sys::TextDecoder::new_with_label(&name).and_then(|d| d.decode_with_u8_array(encoding::body(bytes))).ok();
    encoding::simple(&name, bytes).or_else(decoded).unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned())
}
