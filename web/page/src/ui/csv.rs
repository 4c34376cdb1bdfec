//! Tables as comma-separated values (RFC 4180), for spreadsheets.

use super::dom::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlTableElement};

/// Returns rows as text.
pub fn text(rows: &[Vec<String>]) -> String {
    let cell = |c: &String| match c.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", c.replace('"', "\"\"")),
        false => c.clone(),
    };
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n").collect()
}

/// Returns the rows of all tables that are drawn in what `css` finds, an empty row between two of them.
pub fn of_tables(css: &str) -> Vec<Vec<String>> {
    let Ok(found) = document().query_selector_all(&format!("{css} table")) else { return Vec::new() };
    let tables = (0..found.length()).filter_map(|i| found.get(i)?.dyn_into::<HtmlTableElement>().ok());
    let mut out: Vec<Vec<String>> = Vec::new();
    for table in tables {
        if !out.is_empty() {
            out.push(Vec::new());
        }
        let rows = table.rows();
        for row in (0..rows.length()).filter_map(|i| rows.item(i)?.dyn_into::<web_sys::HtmlTableRowElement>().ok()) {
            let cells = row.cells();
            out.push((0..cells.length()).filter_map(|i| cells.item(i)).map(|c| whole(&c)).collect());
        }
    }
    out
}

/// Returns the text of a cell; of one that is shortened its title.
fn whole(cell: &Element) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = words(&cell.text_content().unwrap_or_default());
    let titled =
        if cell.has_attribute("title") { Some(cell.clone()) } else { cell.query_selector("[title]").ok().flatten() };
    let title = titled.filter(|_| text.contains('…')).and_then(|e| e.get_attribute("title"));
    title.map_or(text, |title| words(&title))
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_would_end_a_cell_is_quoted() {
        let rows = [vec!["a".to_owned(), "1,5".to_owned()], vec!["say \"b\"".to_owned(), String::new()]];
        assert_eq!(super::text(&rows), "a,\"1,5\"\r\n\"say \"\"b\"\"\",\r\n");
    }
}
