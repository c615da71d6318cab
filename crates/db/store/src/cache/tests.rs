//! The cache over a world in memory, with a toy compiler that logs what it does.

mod damage;
mod upkeep;

use std::path::Path;
use std::sync::Arc;

use loom_base::Digest;

use super::*;
use crate::{FaultySystem, MemorySystem, Stamp};

/// A second: long after this, times are to be trusted.
const SECOND: Nanoseconds = 1_000_000_000;

/// A project in `/w`, compiled by a toy: `a.c` and, if there is one, the first `x.h` of `/w/one` and `/w/two` go into
/// `a.o`, after the variable `FLAGS`. A source with `!` in it is an error.
struct Toy {
    memory: Arc<MemorySystem>,
    system: Arc<FaultySystem>,
    settings: Settings,
}

impl Toy {
    fn new() -> Toy {
        let memory = Arc::new(MemorySystem::default());
        memory.write("/w/a.c", "source");
        memory.write("/w/two/x.h", "header");
        memory.write("/w/one/y.h", "other");
        memory.advance(10 * SECOND);
        let settings = Settings {
            mode: Mode::ReadWrite,
            directory: "/cache".into(),
            limit: 1 << 30,
            verify: false,
        };
        Toy {
            system: Arc::new(FaultySystem::new(memory.clone())),
            memory,
            settings,
        }
    }

    fn cache(&self) -> Cache {
        Cache::new(self.system.clone(), &self.settings).expect("it is on")
    }

    fn key(&self) -> Digest {
        front_key(&*self.memory, &[b"cc".to_vec()], Path::new("/w"), &[])
    }

    /// Compiles without any cache.
    fn compile(&self) -> Run {
        let mut events = Vec::new();
        let source = self.read("/w/a.c", &mut events);
        let header = ["/w/one/x.h", "/w/two/x.h"]
            .iter()
            .find_map(|path| self.read(path, &mut events));
        let variable = self.variable();
        let source = source.unwrap_or_else(|| "!".into());
        let broken = source.contains(&b'!');
        if broken {
            let _ = self.memory.remove_file(Path::new("/w/a.o"));
            events.push(Event::Removed(b"a.o".to_vec()));
            events.push(Event::Printed(said("error: !\n")));
        } else {
            let object = [
                variable.clone().unwrap_or_default(),
                source,
                header.unwrap_or_default(),
            ]
            .concat();
            self.memory.write("/w/a-1.tmp", object.clone());
            self.memory
                .rename(Path::new("/w/a-1.tmp"), Path::new("/w/a.o"))
                .expect("it was made");
            events.push(Event::Created(b"a-1.tmp".to_vec()));
            events.push(Event::Renamed(b"a-1.tmp".to_vec(), b"a.o".to_vec()));
            events.push(Event::Wrote(b"a-1.tmp".to_vec(), object));
        }
        Run {
            status: broken.into(),
            events,
            variables: vec![(b"FLAGS".to_vec(), variable)],
            times_matter: false,
            known: Vec::new(),
        }
    }

    fn read(&self, path: &str, events: &mut Vec<Event>) -> Option<Vec<u8>> {
        let Ok(stamp) = Stamp::take(&*self.memory, Path::new(path)) else {
            events.push(Event::Absent(path.into()));
            return None;
        };
        let content = self.memory.read(Path::new(path)).expect("it is a file");
        let seen = Seen::new(&stamp).expect("times of this century");
        events.push(Event::Read(path.into(), seen, Some(Digest::of(&content))));
        Some(content)
    }

    fn seen(&self, path: &str) -> Seen {
        let stamp = Stamp::take(&*self.memory, Path::new(path)).expect("it is there");
        Seen::new(&stamp).expect("times of this century")
    }

    fn variable(&self) -> Option<Vec<u8>> {
        let environment = self.memory.environment();
        environment
            .into_iter()
            .find(|(name, _)| name == b"FLAGS")
            .map(|(_, value)| value)
    }

    /// Compiles with the cache; says whether it answered.
    fn make(&self) -> bool {
        self.make_with(&self.cache())
    }

    fn make_with(&self, cache: &Cache) -> bool {
        let cwd = Path::new("/w");
        if let Some(hit) = cache.look_up(Shelf::Commands, self.key(), cwd, &self.memory.environment())
            && hit.restore(&*self.system, cwd).is_ok()
        {
            return true;
        }
        let run = self.compile();
        if let Ok((entry, contents)) = record(&*self.memory, cwd, run) {
            let _ = cache.insert(Shelf::Commands, self.key(), &entry, &contents);
        }
        false
    }

    /// What a compile from nothing would leave.
    fn expected(&self) -> Option<Vec<u8>> {
        let former = self.object();
        self.compile();
        let expected = self.object();
        match former {
            Some(former) => self.memory.write("/w/a.o", former),
            None => drop(self.memory.remove_file(Path::new("/w/a.o"))),
        }
        expected
    }

    fn object(&self) -> Option<Vec<u8>> {
        self.memory.read(Path::new("/w/a.o")).ok()
    }

    /// Compiles with the cache and expects the right object, from the cache or not.
    #[track_caller]
    fn check(&self, what: &str, answered: bool) {
        self.memory.advance(10 * SECOND);
        let expected = self.expected();
        assert_eq!(self.make(), answered, "{what}");
        assert_eq!(self.object(), expected, "{what}");
    }
}

/// Text that is the same on every terminal.
fn said(text: &str) -> Said {
    let style = |columns| Style {
        columns,
        colours: false,
    };
    Said {
        printed: text.into(),
        renderings: Some(Renderings {
            enough: 20,
            texts: vec![
                (style(0), text.into()),
                (style(Style::WIDE), format!("{text} ").into()),
            ],
        }),
        ..Said::default()
    }
}

#[test]
fn an_answer_is_given_as_long_as_the_world_is_the_same() {
    let toy = Toy::new();
    toy.check("first", false);
    toy.check("second", true);
    toy.memory.remove("/w/a.o");
    toy.check("object removed", true);
    toy.memory.write("/w/a.o", "scrap");
    toy.check("object overwritten", true);
    toy.memory.write("/w/a.c", "source");
    toy.check("source written anew", true);
    toy.memory.write("/w/one/z.h", "new");
    toy.check("a file nobody asked for", true);
}

#[test]
fn every_change_is_noticed() {
    let toy = Toy::new();
    toy.check("first", false);
    toy.memory.write("/w/a.c", "sourcf");
    toy.check("source of the same length", false);
    toy.memory.write("/w/two/x.h", "longer header");
    toy.check("header", false);
    toy.memory.write("/w/one/x.h", "shadow");
    toy.check("a header earlier on the path", false);
    toy.memory.remove("/w/one/x.h");
    toy.check("and gone again: an old answer", true);
    toy.memory.remove("/w/two/x.h");
    toy.check("no header", false);
    toy.memory.set_variable("FLAGS", Some("-x"));
    toy.check("variable", false);
    toy.memory.set_variable("FLAGS", Some(""));
    toy.check("empty variable", false);
    toy.memory.set_variable("FLAGS", None);
    toy.check("unset again", true);
    toy.memory.write("/w/a.c", "broken!");
    toy.check("an error", false);
    toy.memory.write("/w/a.o", "former");
    toy.check("the same error", true);
    toy.memory.write("/w/a.c", "sourcf");
    toy.check("mended: an old answer", true);
}

/// A file written again within one tick keeps its signature.
#[test]
fn a_change_within_one_tick_is_noticed() {
    let toy = Toy::new();
    toy.memory.write("/w/a.c", "one");
    assert!(!toy.make());
    toy.memory.write("/w/a.c", "two");
    let expected = toy.expected();
    assert!(!toy.make());
    assert_eq!(toy.object(), expected);
    assert!(toy.make());
}

#[test]
fn links_that_lead_elsewhere_are_noticed() {
    let toy = Toy::new();
    toy.memory.write("/w/real/1", "content");
    toy.memory.write("/w/real/2", "content");
    toy.memory.link("/w/one/x.h", "/w/real/1");
    toy.check("through a link", false);
    toy.check("same link", true);
    toy.memory.remove_file(Path::new("/w/one/x.h")).unwrap();
    toy.memory.link("/w/one/x.h", "/w/real/2");
    // Equal content, another real path.
    toy.check("another link", false);
}

#[test]
fn alternating_surroundings_keep_their_answers() {
    let toy = Toy::new();
    for round in 0..3 {
        for flags in ["a", "b", "c"] {
            toy.memory.set_variable("FLAGS", Some(flags));
            toy.check(flags, round > 0);
        }
    }
    // More than a record holds: the oldest go.
    for n in 0..2 * MOST_ENTRIES {
        toy.memory.set_variable("FLAGS", Some(&n.to_string()));
        toy.check("many", false);
    }
    toy.check("the newest is there", true);
    toy.memory.set_variable("FLAGS", Some("a"));
    toy.check("an old one is not", false);
}

#[test]
fn read_only_adds_nothing() {
    let mut toy = Toy::new();
    toy.settings.mode = Mode::ReadOnly;
    toy.check("nothing there", false);
    toy.cache().count("miss");
    assert!(toy.memory.read_dir(Path::new("/cache")).is_err());
    toy.settings.mode = Mode::ReadWrite;
    toy.check("filled", false);
    toy.settings.mode = Mode::ReadOnly;
    toy.check("answered", true);
    toy.settings.mode = Mode::Off;
    assert!(Cache::new(toy.system.clone(), &toy.settings).is_none());
}

#[test]
fn what_cannot_be_told_is_not_kept() {
    let toy = Toy::new();
    let refused = |change: &dyn Fn(&mut Run)| {
        let mut run = toy.compile();
        change(&mut run);
        record(&*toy.memory, Path::new("/w"), run)
            .map(drop)
            .unwrap_err()
            .0
    };
    let with = |event: Event| move |run: &mut Run| run.events.push(event.clone());
    assert_eq!(refused(&with(Event::Forbidden("why".into()))), "why");
    assert_eq!(refused(&|run| run.status = 139), "unusual exit status");
    assert_eq!(
        refused(&with(Event::Created(b"t-77".to_vec()))),
        "leaves a file under a name made up for it"
    );
    assert_eq!(
        refused(&with(Event::Written(b"/w/a.c".to_vec()))),
        "an input is also an output"
    );
    assert_eq!(
        refused(&with(Event::Written(b"one".to_vec()))),
        "output is not a regular file"
    );
    assert_eq!(
        refused(&with(Event::Permitted(
            b"/w/one/tool".to_vec(),
            toy.seen("/w/one/y.h")
        ))),
        "asks for permissions"
    );
    assert_eq!(
        refused(&|_| toy.memory.write("/w/a.o", "of another process")),
        "another process writes the same output"
    );
    let changed = refused(&|_| {
        toy.memory.advance(1);
        toy.memory.write("/w/a.c", "changed");
    });
    assert_eq!(changed, "an input changed during the compile");
    // Within the same tick only the content tells.
    let changed = refused(&|_| toy.memory.write("/w/a.c", "CHANGED"));
    assert_eq!(changed, "an input changed during the compile");
}

/// What links: the run only finds the linker, so the linker is what is kept.
#[test]
fn a_program_that_does_the_work_is_run_again() {
    let toy = Toy::new();
    let cwd = Path::new("/w");
    let linker = Program {
        path: b"/bin/ld".to_vec(),
        arguments: vec![b"ld".to_vec(), b"a.o".to_vec()],
    };
    let seen = toy.seen("/w/one/y.h");
    let run = |more: &[Event]| Run {
        status: 0,
        events: [
            &[
                Event::Permitted(b"/w/one/y.h".to_vec(), seen),
                Event::Spawned(linker.clone()),
            ],
            more,
        ]
        .concat(),
        variables: Vec::new(),
        times_matter: false,
        known: Vec::new(),
    };
    let (entry, contents) = record(&*toy.memory, cwd, run(&[])).unwrap();
    toy.cache()
        .insert(Shelf::Commands, toy.key(), &entry, &contents)
        .unwrap();
    let hit = toy.cache().look_up(Shelf::Commands, toy.key(), cwd, &[]).unwrap();
    assert_eq!(hit.entry.result.program.as_ref(), Some(&linker));
    toy.memory.remove("/w/one/y.h");
    assert!(
        toy.cache()
            .look_up(Shelf::Commands, toy.key(), cwd, &[])
            .is_none()
    );

    for more in [
        Event::Spawned(linker.clone()),
        Event::Printed(said("said\n")),
        Event::Removed(b"x".to_vec()),
    ] {
        let Uncacheable(reason) = record(&*toy.memory, cwd, run(&[more])).unwrap_err();
        assert_eq!(reason, "runs other programs");
    }
}

#[test]
fn times_matter_where_they_reach_the_result() {
    let toy = Toy::new();
    let cwd = Path::new("/w");
    let run = Run {
        times_matter: true,
        ..toy.compile()
    };
    let (entry, contents) = record(&*toy.memory, cwd, run).unwrap();
    toy.cache()
        .insert(Shelf::Commands, toy.key(), &entry, &contents)
        .unwrap();
    let answers = || {
        toy.cache()
            .look_up(Shelf::Commands, toy.key(), cwd, &[])
            .is_some()
    };
    assert!(answers());
    toy.memory.advance(SECOND);
    toy.memory.touch(Path::new("/w/a.c")).unwrap();
    assert!(!answers());
}
