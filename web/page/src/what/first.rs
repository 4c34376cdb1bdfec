//! WHAT of the first visit: the one PlacementSpec, as text and in English. Everything else of the form is folded below.

use super::draw::Draw;
use heddle_view::form::Part;
use yew::prelude::*;

/// The key of the group that holds a spec.
const SPEC: &str = "spec";

/// Draws a form that has a spec; `None` if it has none.
pub fn form(draw: &Draw<'_>, parts: &[Part]) -> Option<Html> {
    let (mut spec, mut rest) = (Vec::new(), Vec::new());
    split(parts, &mut spec, &mut rest);
    if spec.is_empty() {
        return None;
    }
    Some(html! {
        <>
            <div class="build"><h3 class="h3">{ "PlacementSpec" }</h3>{ draw.parts(&spec) }</div>
            <details class="rest"><summary class="h3">{ "Queue, user, sizes and more" }</summary>{ draw.parts(&rest) }</details>
        </>
    })
}

/// Takes the text of the spec, its problems and its reading out of the form.
fn split(parts: &[Part], spec: &mut Vec<Part>, rest: &mut Vec<Part>) {
    for part in parts {
        match part {
            Part::Group { key, shape, head, parts } => {
                let mut inside = Vec::new();
                if key == SPEC {
                    let (shown, other) = parts.iter().cloned().partition(is_spec);
                    spec.extend::<Vec<Part>>(shown);
                    inside = other;
                } else {
                    split(parts, spec, &mut inside);
                }
                rest.push(Part::Group { key: key.clone(), shape: *shape, head: head.clone(), parts: inside });
            }
            other => rest.push(other.clone()),
        }
    }
}

/// Returns whether a part of the spec's group is the spec itself, and not how it is handled.
fn is_spec(part: &Part) -> bool {
    matches!(part, Part::Code(_) | Part::Caret(_) | Part::Problems { .. } | Part::Reads(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_view::form::GroupShape;

    #[test]
    fn the_spec_is_taken_out_and_all_else_stays() {
        let group = |key: &str, parts| Part::Group { key: key.into(), shape: GroupShape::Plain, head: None, parts };
        let inner = group(SPEC, vec![Part::Heading("handler".into()), Part::Reads(vec![]), Part::Caret("^".into())]);
        let all = vec![Part::Heading("apps".into()), group("app0", vec![inner])];
        let (mut spec, mut rest) = (Vec::new(), Vec::new());
        split(&all, &mut spec, &mut rest);
        assert_eq!(spec, [Part::Reads(vec![]), Part::Caret("^".into())]);
        let left = group(SPEC, vec![Part::Heading("handler".into())]);
        assert_eq!(rest, [Part::Heading("apps".into()), group("app0", vec![left])]);
    }
}
