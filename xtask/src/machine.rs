//! Where machines keep browsers and their drivers, and how to install missing ones.

use std::path::{Path, PathBuf};

/// A requirement of the tests beyond Rust, which they cannot always install themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Chromium,
    Chromedriver,
    Firefox,
    Npm,
}

impl Need {
    /// Returns the name in words.
    fn name(self) -> &'static str {
        match self {
            Need::Chromium => "Chromium or Chrome",
            Need::Chromedriver => "chromedriver, of the browser's version",
            Need::Firefox => "Firefox (its geckodriver is built when it is there)",
            Need::Npm => "npm, for the accessibility checker and wasm-opt",
        }
    }

    /// Returns the package for Debian's apt-get.
    pub fn debian(self) -> &'static str {
        match self {
            Need::Chromium => "chromium",
            Need::Chromedriver => "chromium-driver",
            Need::Firefox => "firefox-esr",
            Need::Npm => "npm",
        }
    }

    fn package(self, manager: Manager) -> Option<&'static str> {
        match (manager, self) {
            (Manager::Brew, Need::Chromium) => Some("google-chrome"),
            (Manager::Brew, Need::Npm) => Some("node"),
            (Manager::Apt, need) => Some(need.debian()),
            // The driver is part of the browser's package.
            (Manager::Pacman | Manager::Snap, Need::Chromedriver) => None,
            (Manager::Snap, Need::Npm) => None,
            (_, Need::Chromium) => Some("chromium"),
            (_, Need::Chromedriver) => Some("chromedriver"),
            (_, Need::Firefox) => Some("firefox"),
            (_, Need::Npm) => Some("npm"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manager {
    Brew,
    Dnf,
    Apt,
    Snap,
    Pacman,
}

/// Lists missing requirements, with the install command of each package manager.
pub fn advice(missing: &[Need]) -> String {
    let names: Vec<&str> = missing.iter().map(|n| n.name()).collect();
    let packages = |manager: Manager| -> String {
        let list: Vec<&str> = missing.iter().filter_map(|n| n.package(manager)).collect();
        list.join(" ")
    };
    let line =
        |system: &str, command: &str, manager: Manager| format!("  {system:<14}{command} {}\n", packages(manager));
    let mut text = format!("missing: {}. Install by the line for this machine:\n", names.join("; "));
    text += &line("macOS", "brew install", Manager::Brew);
    text += &line("Fedora", "sudo dnf install", Manager::Dnf);
    text += &line("Debian", "sudo apt-get install", Manager::Apt);
    // Ubuntu has browsers only as snaps; Chromium's contains its driver.
    let npm = if missing.contains(&Need::Npm) { "sudo apt-get install npm" } else { "" };
    let snaps = packages(Manager::Snap);
    let snaps = match (snaps.is_empty(), missing.contains(&Need::Chromedriver)) {
        (false, _) => format!("sudo snap install {snaps}"),
        (true, true) => "sudo snap install chromium".to_owned(),
        (true, false) => String::new(),
    };
    let ubuntu: Vec<&str> = [snaps.as_str(), npm].into_iter().filter(|part| !part.is_empty()).collect();
    text += &format!("  {:<14}{}\n", "Ubuntu", ubuntu.join(" && "));
    let arch = packages(Manager::Pacman);
    text += &format!("  {:<14}sudo pacman -S {}", "Arch", if arch.is_empty() { "chromium" } else { &arch });
    text
}

/// A program to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    Chromium,
    Chromedriver,
    Firefox,
    Geckodriver,
}

impl Program {
    /// Returns its names on the path.
    fn names(self) -> &'static [&'static str] {
        match self {
            Program::Chromium => &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"],
            Program::Chromedriver => &["chromedriver", "chromium.chromedriver"],
            Program::Firefox => &["firefox-esr", "firefox"],
            Program::Geckodriver => &["geckodriver", "firefox.geckodriver"],
        }
    }

    /// Returns its usual places outside the path; `~` is the home.
    fn places(self) -> &'static [&'static str] {
        match self {
            Program::Chromium => &[
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
                "~/Applications/Chromium.app/Contents/MacOS/Chromium",
                "/snap/bin/chromium",
                "/usr/lib64/chromium-browser/chromium-browser",
            ],
            Program::Chromedriver => &[
                "/opt/homebrew/bin/chromedriver",
                "/usr/local/bin/chromedriver",
                "/snap/bin/chromium.chromedriver",
                "/usr/lib/chromium/chromedriver",
                "/usr/lib/chromium-browser/chromedriver",
                "/usr/lib64/chromium-browser/chromedriver",
            ],
            Program::Firefox => &[
                "/Applications/Firefox.app/Contents/MacOS/firefox",
                "~/Applications/Firefox.app/Contents/MacOS/firefox",
                "/snap/bin/firefox",
                "/usr/lib64/firefox/firefox",
            ],
            Program::Geckodriver => &[
                "/opt/homebrew/bin/geckodriver",
                "/usr/local/bin/geckodriver",
                "/snap/bin/geckodriver",
                "~/.cargo/bin/geckodriver",
            ],
        }
    }
}

/// Returns where a program is: on the path, else in its usual places.
pub fn find(program: Program, path: &[PathBuf], home: &Path, there: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let named = program.names().iter().flat_map(|name| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        path.iter().map(move |folder| folder.join(&name))
    });
    let placed = program.places().iter().map(|place| match place.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None => PathBuf::from(place),
    });
    named.chain(placed).find(|p| there(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(program: Program, path: &[&str], files: &[&str]) -> Option<String> {
        let path: Vec<PathBuf> = path.iter().map(PathBuf::from).collect();
        find(program, &path, Path::new("/home/me"), |p| files.iter().any(|f| Path::new(f) == p))
            .map(|p| p.display().to_string())
    }

    #[test]
    fn browsers_are_found_where_systems_keep_them() {
        let usual = ["/usr/local/bin", "/usr/bin"];
        let debian = ["/usr/bin/chromium", "/usr/bin/chromedriver", "/usr/bin/firefox-esr", "/usr/bin/firefox"];
        assert_eq!(found(Program::Chromium, &usual, &debian).as_deref(), Some("/usr/bin/chromium"));
        assert_eq!(found(Program::Chromedriver, &usual, &debian).as_deref(), Some("/usr/bin/chromedriver"));
        assert_eq!(found(Program::Firefox, &usual, &debian).as_deref(), Some("/usr/bin/firefox-esr"));
        assert_eq!(found(Program::Geckodriver, &usual, &debian), None);

        let mac = [
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            "/home/me/Applications/Firefox.app/Contents/MacOS/firefox",
            "/opt/homebrew/bin/chromedriver",
        ];
        assert_eq!(found(Program::Chromium, &usual, &mac).as_deref(), Some(mac[0]));
        assert_eq!(found(Program::Firefox, &usual, &mac).as_deref(), Some(mac[1]));
        assert_eq!(found(Program::Chromedriver, &usual, &mac).as_deref(), Some(mac[2]));

        let ubuntu =
            ["/snap/bin/chromium", "/snap/bin/chromium.chromedriver", "/snap/bin/firefox", "/snap/bin/geckodriver"];
        assert_eq!(found(Program::Chromium, &usual, &ubuntu).as_deref(), Some(ubuntu[0]));
        assert_eq!(found(Program::Chromedriver, &usual, &ubuntu).as_deref(), Some(ubuntu[1]));
        assert_eq!(found(Program::Firefox, &usual, &ubuntu).as_deref(), Some(ubuntu[2]));
        assert_eq!(found(Program::Geckodriver, &usual, &ubuntu).as_deref(), Some(ubuntu[3]));

        let fedora = ["/usr/bin/chromium-browser", "/usr/lib64/firefox/firefox"];
        assert_eq!(found(Program::Chromium, &usual, &fedora).as_deref(), Some(fedora[0]));
        assert_eq!(found(Program::Firefox, &usual, &fedora).as_deref(), Some(fedora[1]));
        assert_eq!(found(Program::Chromedriver, &usual, &fedora), None);
    }

    #[test]
    fn the_path_comes_first() {
        let both = ["/mine/chromedriver", "/usr/local/bin/chromedriver"];
        assert_eq!(found(Program::Chromedriver, &["/mine"], &both).as_deref(), Some(both[0]));
    }

    #[test]
    fn all_that_is_missing_is_told_at_once() {
        let text = advice(&[Need::Chromium, Need::Chromedriver, Need::Firefox, Need::Npm]);
        for line in [
            "brew install google-chrome chromedriver firefox node",
            "sudo dnf install chromium chromedriver firefox npm",
            "sudo apt-get install chromium chromium-driver firefox-esr npm",
            "sudo snap install chromium firefox && sudo apt-get install npm",
            "sudo pacman -S chromium firefox npm",
        ] {
            assert!(text.lines().any(|l| l.ends_with(line)), "{line}:\n{text}");
        }
        let driver = advice(&[Need::Chromedriver]);
        for line in ["apt-get install chromium-driver", "snap install chromium", "pacman -S chromium"] {
            assert!(driver.lines().any(|l| l.ends_with(line)), "{line}:\n{driver}");
        }
        assert!(!driver.contains("irefox") && !driver.contains("npm"));
    }
}
