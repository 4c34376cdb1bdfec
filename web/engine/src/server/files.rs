//! Files that came with a request. They are read one after the other and let go, so that large ones need little memory; the page
//! hears how far it is.

use super::Server;
use crate::document::GivenTexts;
use heddle_core::import::packed::Unpacked;
use heddle_view::protocol::{Answer, Ask, Reply};
use std::collections::BTreeMap;

/// A file as the browser has it.
pub trait GivenFile {
    /// Its name, with the folders that were given with it.
    fn name(&self) -> String;
    /// Its size in bytes.
    fn size(&self) -> u64;
    /// Returns its bytes, or the reason why it cannot be read.
    fn read(&self) -> Result<Vec<u8>, String>;
}

/// The files of requests that were not handled yet, by the requests' numbers.
pub type WaitingFiles = BTreeMap<u32, Vec<Box<dyn GivenFile>>>;

/// What the server needs of its surroundings.
pub struct Host {
    /// Posts an answer at once, in the middle of a request.
    pub post: Box<dyn Fn(&Answer)>,
    /// Decodes bytes by the encoding that they declare.
    pub decode: fn(Vec<u8>) -> String,
}

impl Default for Host {
    fn default() -> Self {
        Host { post: Box::new(|_| {}), decode: |bytes| String::from_utf8_lossy(&bytes).into_owned() }
    }
}

impl Server {
    /// Creates a server with these surroundings.
    pub fn of(host: Host) -> Server {
        Server { host, ..Server::default() }
    }

    /// Queues a request and the files that came with it.
    pub fn hear_with(&mut self, ask: Ask, files: Vec<Box<dyn GivenFile>>) {
        if !files.is_empty() {
            self.files.insert(ask.id, files);
        }
        self.hear(ask);
    }

    /// Reads the files of a request.
    pub(super) fn read_files(&mut self, id: u32) -> GivenTexts {
        let files = self.files.remove(&id).unwrap_or_default();
        let Host { post, decode } = &self.host;
        let of: u64 = files.iter().map(|file| file.size()).sum();
        let tell = |done: u64| post(&Answer { id, reply: Reply::Reading { done: done.min(of), of } });
        let (mut given, mut unpacked, mut done) = (GivenTexts::default(), Unpacked::default(), 0);
        for file in files {
            let name = file.name();
            let added = file.read().and_then(|bytes| {
                unpacked.add(&name, bytes, &mut |name, bytes| {
                    given.add(name, decode(bytes), &mut |at| tell(done + at as u64));
                })
            });
            if let Err(why) = added {
                given.failed(&name, why);
            }
            done += file.size();
            tell(done);
        }
        given
    }
}
