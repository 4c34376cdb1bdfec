//! Files and folders that were dropped or chosen. The engine reads them: the page keeps the browser's objects only, as long as
//! the engine may have to be asked again.

use crate::store::{Go, Msg};
use heddle_view::limits::{FOLDERS, IMPORT_TEXTS};
use js_sys::{Array, Function, Promise};
use std::cell::RefCell;
use std::collections::VecDeque;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    DataTransfer, File, FileSystemDirectoryEntry, FileSystemDirectoryReader, FileSystemEntry, FileSystemFileEntry,
};

/// A file, with the name that it is told by.
type NamedFile = (String, File);

/// Imports that are kept: one that is read, and those that wait for it.
const KEPT: usize = 8;

#[derive(Default)]
struct KeptFiles {
    next: u32,
    imports: VecDeque<(u32, Vec<NamedFile>)>,
}

thread_local! {
    static KEPT_FILES: RefCell<KeptFiles> = RefCell::default();
}

/// Keeps files and asks for their import.
fn import(go: &Go, files: Vec<NamedFile>) {
    let key = KEPT_FILES.with_borrow_mut(|kept| {
        kept.next += 1;
        kept.imports.push_back((kept.next, files));
        if kept.imports.len() > KEPT {
            kept.imports.pop_front();
        }
        kept.next
    });
    go.emit(Msg::ImportFiles { key });
}

/// Returns the message of a request with its files: a list of the request, and of a name and a file in turn.
pub fn message(key: u32, request: &JsValue) -> JsValue {
    let list = Array::of1(request);
    KEPT_FILES.with_borrow(|kept| {
        let files = kept.imports.iter().find(|(of, _)| *of == key);
        for (name, file) in files.into_iter().flat_map(|(_, files)| files) {
            list.push(&name.into());
            list.push(file);
        }
    });
    list.into()
}

/// Imports chosen files together.
pub fn read(go: &Go, files: &web_sys::FileList) {
    let files: Vec<NamedFile> =
        (0..files.length()).filter_map(|i| files.get(i)).map(|file| (named(&file), file)).collect();
    if !files.is_empty() {
        import(go, files);
    }
}

/// A file's path in the folder that was chosen, or its name.
fn named(file: &File) -> String {
    let path = js_sys::Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}

/// Imports what was dropped, folders with everything in them. Returns whether there were files.
pub fn dropped(go: &Go, data: &DataTransfer) -> bool {
    let items = data.items();
    // The items are gone when the event is over, their entries are not.
    let entries = (0..items.length()).filter_map(|i| items.get(i)?.webkit_get_as_entry().ok().flatten());
    let entries: Vec<FileSystemEntry> = entries.collect();
    if !entries.iter().any(FileSystemEntry::is_directory) {
        let files = data.files().filter(|files| files.length() > 0);
        files.iter().for_each(|files| read(go, files));
        return files.is_some();
    }
    let go = go.clone();
    spawn_local(async move {
        let mut files = Vec::new();
        for entry in entries {
            // A file that cannot be had is missing from the report, as it would be from the folder.
            let _ = below(entry, &mut files).await;
        }
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        import(&go, files);
    });
    true
}

/// Collects the files of an entry and below it, but for hidden ones.
async fn below(entry: FileSystemEntry, files: &mut Vec<NamedFile>) -> Result<(), JsValue> {
    let mut open = vec![(entry, 0)];
    while let Some((entry, depth)) = open.pop() {
        if depth > FOLDERS || files.len() >= IMPORT_TEXTS || entry.name().starts_with('.') {
            continue;
        }
        let path = entry.full_path().trim_start_matches('/').to_owned();
        if entry.is_file() {
            let entry: FileSystemFileEntry = entry.unchecked_into();
            let file = called(|yes, no| entry.file_with_callback_and_callback(yes, no)).await?;
            files.push((path, file.unchecked_into()));
            continue;
        }
        let reader: FileSystemDirectoryReader = entry.unchecked_into::<FileSystemDirectoryEntry>().create_reader();
        // It returns some entries at a time, in the end none.
        loop {
            let some = called(|yes, no| reader.read_entries_with_callback_and_callback(yes, no).unwrap_or(())).await?;
            let some: Array = some.unchecked_into();
            if some.length() == 0 {
                break;
            }
            open.extend(some.iter().map(|entry| (entry.unchecked_into(), depth + 1)));
        }
    }
    Ok(())
}

/// Waits for a function that takes two callbacks, for its result and its failure.
async fn called(ask: impl Fn(&Function, &Function)) -> Result<JsValue, JsValue> {
    JsFuture::from(Promise::new(&mut |yes, no| ask(&yes, &no))).await
}
