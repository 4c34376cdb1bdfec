//! The colour of each category, assigned by first appearance and for good.

use super::ColourBy;
use heddle_view::{Selection, Snapshot};
use std::collections::BTreeMap;

/// The number of fills. From the ninth name on a fill comes again with another pattern.
pub const CATEGORIES: usize = 8;

/// Names in the order of first appearance. Applications have their numbers from the scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    apps: Names,
    queues: Names,
    users: Names,
    tags: Names,
    /// What is known of each application, by name.
    known: BTreeMap<String, Known>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    queue: String,
    user: String,
    /// The first tag of its containers, while all have the same.
    tag: Option<String>,
    /// Whether its containers differ in their first tag.
    mixed: bool,
}

impl Palette {
    /// Learns the names in a new picture.
    pub fn learn(&mut self, snapshot: &Snapshot) {
        for app in &snapshot.apps {
            self.apps.put(app.category, &app.name);
            self.users.learn(&app.user);
            let known = self.known.entry(app.name.clone()).or_default();
            known.user.clone_from(&app.user);
            // The queue is empty before the application is placed.
            if !app.queue.is_empty() {
                known.queue.clone_from(&app.queue);
            }
        }
        for queue in snapshot.queues.iter().filter(|q| q.leaf) {
            self.queues.learn(&queue.path);
        }
        for c in snapshot.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| &n.containers) {
            let Some(tag) = c.tags.first() else { continue };
            c.tags.iter().for_each(|tag| self.tags.learn(tag));
            if let Some(known) = self.known.get_mut(&c.app) {
                match &known.tag {
                    None => known.tag = Some(tag.clone()),
                    Some(has) => known.mixed |= has != tag,
                }
            }
        }
    }

    /// Returns what to colour by if nobody has chosen: applications while each has a fill of its own, otherwise queues or users.
    pub fn best(&self) -> ColourBy {
        let few = |names: &Names| (2..=CATEGORIES).contains(&names.list.len());
        let some = |names: &Names| names.list.len() > 1;
        match () {
            () if self.apps.list.len() <= CATEGORIES => ColourBy::App,
            () if few(&self.queues) => ColourBy::Queue,
            () if few(&self.users) => ColourBy::User,
            () if some(&self.queues) => ColourBy::Queue,
            () if some(&self.users) => ColourBy::User,
            () => ColourBy::App,
        }
    }

    /// Returns the class of an application as things are coloured: its own, its queue's, its user's or its tag's. So what waits,
    /// the lists and WHY have the colour that its containers have.
    pub fn of(&self, by: ColourBy, app: &str) -> &'static str {
        let known = self.known.get(app);
        match by {
            ColourBy::App | ColourBy::Reason => self.app(app),
            ColourBy::Queue => known.map_or("k0", |k| self.queue(&k.queue)),
            ColourBy::User => known.map_or("k0", |k| self.user(&k.user)),
            ColourBy::Tag => {
                let tag = known.filter(|k| !k.mixed).and_then(|k| k.tag.as_ref());
                tag.map_or("k0", |tag| self.tag(tag))
            }
        }
    }

    /// Returns the class of what is selected, if it has a fill as things are coloured.
    pub fn of_thing(&self, by: ColourBy, about: &Selection) -> Option<&'static str> {
        match (by, about) {
            (ColourBy::Queue, Selection::Queue(path)) => Some(self.queue(path)),
            (ColourBy::User, Selection::User(user)) => Some(self.user(user)),
            (by, about) => about.app().map(|app| self.of(by, app)),
        }
    }

    /// Returns the class of a leaf queue if queues have fills as things are coloured; other queues have none.
    pub fn of_queue(&self, by: ColourBy, path: &str) -> Option<&'static str> {
        (by == ColourBy::Queue && self.queues.places.contains_key(path)).then(|| self.queue(path))
    }

    /// Returns an application's own class.
    pub fn app(&self, name: &str) -> &'static str {
        self.apps.class(name)
    }

    /// Returns a leaf queue's class.
    pub fn queue(&self, path: &str) -> &'static str {
        self.queues.class(path)
    }

    /// Returns a user's class.
    pub fn user(&self, name: &str) -> &'static str {
        self.users.class(name)
    }

    /// Returns an allocation tag's class.
    pub fn tag(&self, tag: &str) -> &'static str {
        self.tags.class(tag)
    }

    /// The tags seen so far.
    pub fn tags(&self) -> &[String] {
        &self.tags.list
    }
}

/// Names with their places.
#[derive(Clone, Debug, Default, PartialEq)]
struct Names {
    list: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Names {
    fn learn(&mut self, name: &str) {
        if !name.is_empty() && !self.places.contains_key(name) {
            self.places.insert(name.to_owned(), self.list.len());
            self.list.push(name.to_owned());
        }
    }

    /// Gives a name the place that the scenario gives it.
    fn put(&mut self, place: usize, name: &str) {
        if self.list.len() <= place {
            self.list.resize(place + 1, String::new());
        }
        if self.list[place] != name {
            self.places.remove(&self.list[place]);
            self.list[place] = name.to_owned();
            self.places.insert(name.to_owned(), place);
        }
    }

    /// Returns the name's class, or `k0` if it is unknown.
    fn class(&self, name: &str) -> &'static str {
        self.places.get(name).map_or("k0", |place| nth(*place))
    }
}

/// Returns the classes of the i-th category: its fill, and from the ninth on another pattern than the fill has by itself. Of more
/// than 64 they come again.
pub fn nth(i: usize) -> &'static str {
    const ALL: [&str; CATEGORIES * CATEGORIES] = [
        "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k1 p2", "k2 p3", "k3 p4", "k4 p5", "k5 p6", "k6 p7", "k7 p8",
        "k8 p1", "k1 p3", "k2 p4", "k3 p5", "k4 p6", "k5 p7", "k6 p8", "k7 p1", "k8 p2", "k1 p4", "k2 p5", "k3 p6",
        "k4 p7", "k5 p8", "k6 p1", "k7 p2", "k8 p3", "k1 p5", "k2 p6", "k3 p7", "k4 p8", "k5 p1", "k6 p2", "k7 p3",
        "k8 p4", "k1 p6", "k2 p7", "k3 p8", "k4 p1", "k5 p2", "k6 p3", "k7 p4", "k8 p5", "k1 p7", "k2 p8", "k3 p1",
        "k4 p2", "k5 p3", "k6 p4", "k7 p5", "k8 p6", "k1 p8", "k2 p1", "k3 p2", "k4 p3", "k5 p4", "k6 p5", "k7 p6",
        "k8 p7",
    ];
    ALL[i % ALL.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_stay_and_no_two_of_sixty_four_are_alike() {
        let mut names = Names::default();
        for i in 0..65 {
            names.learn(&format!("q{i}"));
        }
        names.learn("q3");
        assert_eq!(["q0", "q7", "q8", "x"].map(|name| names.class(name)), ["k1", "k8", "k1 p2", "k0"]);
        assert_eq!(names.list.len(), 65);
        let all: std::collections::BTreeSet<&str> = (0..64).map(nth).collect();
        assert_eq!(all.len(), 64);
    }

    #[test]
    fn from_nine_applications_on_queues_or_users_have_the_colours() {
        let of = |apps: usize, queues: usize, users: usize| {
            let mut palette = Palette::default();
            (0..apps).for_each(|i| palette.apps.learn(&format!("a{i}")));
            (0..queues).for_each(|i| palette.queues.learn(&format!("q{i}")));
            (0..users).for_each(|i| palette.users.learn(&format!("u{i}")));
            palette.best()
        };
        assert_eq!(of(8, 4, 4), ColourBy::App);
        assert_eq!(of(9, 4, 4), ColourBy::Queue);
        assert_eq!(of(9, 1, 4), ColourBy::User);
        assert_eq!(of(9, 60, 4), ColourBy::User);
        assert_eq!(of(9, 60, 60), ColourBy::Queue);
        assert_eq!(of(9, 1, 1), ColourBy::App);
    }

    #[test]
    fn an_application_has_the_colour_of_its_containers() {
        let mut palette = Palette::default();
        palette.apps.learn("etl");
        ["root.dev", "root.prod"].into_iter().for_each(|q| palette.queues.learn(q));
        ["ann", "bob", "eve"].into_iter().for_each(|u| palette.users.learn(u));
        let known = Known { queue: "root.prod".into(), user: "eve".into(), ..Known::default() };
        palette.known.insert("etl".into(), known);
        let of = |by| palette.of(by, "etl");
        assert_eq!(
            [of(ColourBy::App), of(ColourBy::Queue), of(ColourBy::User), of(ColourBy::Tag)],
            ["k1", "k2", "k3", "k0"]
        );
    }
}
