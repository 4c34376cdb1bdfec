//! The page and its worker: one program that asks where it runs.

use yew::prelude::*;

#[function_component(App)]
fn app() -> Html {
    html! { <main><h1>{ "Heddle" }</h1></main> }
}

fn main() {
    if web_sys::window().is_some() {
        yew::Renderer::<App>::new().render();
    }
}
