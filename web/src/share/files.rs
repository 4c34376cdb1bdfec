//! Files that were dropped or chosen.

use crate::store::{Go, Msg, Notice};
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
            match gloo::file::futures::read_as_text(&gloo::file::File::from(file)).await {
                Ok(text) => go.emit(Msg::Import { name, text }),
                Err(e) => {
                    go.emit(Msg::Notice(Some(Notice { text: format!("{name} could not be read: {e}"), act: None })))
                }
            }
        });
    }
}
