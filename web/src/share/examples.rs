//! Questions to start from. The page opens with one; the others are a module of its site (`cargo xtask embed` writes it)
//! that is loaded when they are first looked at.

use heddle_core::scenario;
use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A card of the gallery.
#[derive(Clone, PartialEq)]
pub struct Example {
    /// File name without its ending.
    pub name: String,
    /// The scenario.
    pub text: String,
    /// The question in the asker's voice.
    pub question: String,
    /// The answer in a sentence or two.
    pub answer: String,
    /// Where it was asked.
    pub source: String,
    /// What it is about.
    pub topic: String,
}

/// What the page opens with.
pub const FIRST: &str = include_str!("../../../scenarios/q39-anti-affinity.toml");

/// All cards, or why they did not arrive.
pub async fn all() -> Result<Vec<Example>, String> {
    let files = files().await.map_err(|e| format!("The questions did not arrive: {e:?}. Reload the page."))?;
    Ok(files.iter().map(|file| card(Array::from(&file))).collect())
}

/// The files of the gallery: pairs of name and text. `boot.js` knows where they are.
async fn files() -> Result<Array, JsValue> {
    let load: Function = Reflect::get(&js_sys::global(), &"heddleGallery".into())?.dyn_into()?;
    let module = JsFuture::from(load.call0(&JsValue::NULL)?.dyn_into::<Promise>()?).await?;
    Ok(Array::from(&Reflect::get(&module, &"default".into())?))
}

fn card(file: Array) -> Example {
    let part = |i| file.get(i).as_string().unwrap_or_default();
    let (name, text) = (part(0), part(1));
    let read = scenario::read(&text).scenario;
    let title = read.as_ref().map(|s| s.title.clone()).unwrap_or_default();
    let card = read.and_then(|s| s.card).unwrap_or_default();
    let question = if card.question.is_empty() { title } else { card.question };
    Example { name, text, question, answer: card.answer, source: card.source, topic: card.topic }
}
