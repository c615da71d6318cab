//! What a one-shot command and each of its compiles consult and leave, as it goes on.

use std::env;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use loom_base::Digest;
use loom_frontend::engine::OsBytes;
use loom_store::System;
use loom_store::cache::{Cache, Event, Input, Job, Renderings, Roles, Run, Said, Shelf, job_entry, job_key};

use crate::ffi::{self, Answer, Jobs, Look};

/// A running command. Whoever works on it does so unwatched.
pub(super) struct Recorder<'a> {
    system: &'a dyn System,
    cache: &'a Cache,
    cwd: &'a Path,
    engine: Vec<u8>,
    /// Whether compiles run although their result is known.
    verify: bool,
    events: Vec<Event>,
    /// What the compiles consulted.
    known: Vec<Input>,
    variables: Vec<(OsBytes, Option<OsBytes>)>,
    /// The running compile, if it is shared.
    running: Option<Digest>,
    /// What it is expected to leave.
    expected: Option<Job>,
    difference: Option<String>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(system: &'a dyn System, cache: &'a Cache, cwd: &'a Path, verify: bool) -> Self {
        let (_, _, engine) = ffi::versions();
        Self {
            system,
            cache,
            cwd,
            engine,
            verify,
            events: Vec::new(),
            known: Vec::new(),
            variables: Vec::new(),
            running: None,
            expected: None,
            difference: None,
        }
    }

    /// The whole run, and how a compile of it differs from what was kept of it.
    pub(super) fn finish(mut self, status: u8) -> (Run, Option<String>) {
        self.events.extend(ffi::take_accesses(false));
        self.variables.extend(consulted_variables());
        let run = Run {
            status,
            events: self.events,
            variables: self.variables,
            times_matter: ffi::times_matter(),
            known: self.known,
        };
        (run, self.difference)
    }

    fn pause(&mut self) {
        ffi::watch_accesses(false);
        self.variables.extend(consulted_variables());
    }

    /// What this process itself looked up in between is nobody's input.
    fn go_on() {
        ffi::take_consulted_variables();
        ffi::watch_accesses(true);
    }

    fn known_job(&mut self, key: Digest, look: Look) -> Option<Answer> {
        let hit = self
            .cache
            .look_up(Shelf::Actions, key, self.cwd, &self.system.environment())?;
        let job = Job::of(hit)?;
        let said = job.said.in_style(look.style)?.to_vec();
        if self.verify {
            self.expected = Some(job);
            return None;
        }
        self.cache.count("action hit");
        self.known.extend(job.inputs);
        self.variables.extend(job.variables);
        let [columns, colours] = look.follows;
        self.events.push(Event::Printed(Said {
            printed: said.clone(),
            columns: (!columns).then_some(look.style.columns),
            colours: (!colours).then_some(look.style.colours),
            renderings: job.said.renderings,
            ..Said::default()
        }));
        Some(Answer {
            object: job.object,
            dependencies: job.dependencies.unwrap_or_default(),
            said,
        })
    }

    /// Keeps the result of the running compile, and tells what it did from what it looked at.
    fn keep(&mut self, succeeded: bool, roles: &Roles, events: Vec<Event>) {
        let run = Run {
            status: (!succeeded).into(),
            events: events.clone(),
            // Some are looked up once in a process.
            variables: self.variables.clone(),
            times_matter: false,
            known: Vec::new(),
        };
        let key = self.running.take().filter(|_| !ffi::times_matter());
        let entry = key.and_then(|key| Some((key, job_entry(self.system, self.cwd, run, roles).ok()?)));
        let Some((key, (entry, contents))) = entry else {
            self.events.extend(events);
            return;
        };
        self.events.extend(events.into_iter().filter(Event::is_effect));
        self.known.extend(entry.inputs.iter().cloned());
        if let Some(expected) = self.expected.take() {
            self.compare(&expected, &entry.result.said.renderings, &contents, roles);
        } else if self.cache.insert(Shelf::Actions, key, &entry, &contents).is_ok() {
            self.cache.count("action miss");
        }
    }

    fn compare(
        &mut self,
        expected: &Job,
        renderings: &Option<Renderings>,
        contents: &[loom_base::Blob],
        roles: &Roles,
    ) {
        let listed = roles.dependency_file.as_ref().map(|_| &roles.dependencies);
        let object = contents.first().map(|it| it.bytes());
        let said = |it: &Option<Renderings>| it.as_ref().map(|it| it.texts.clone());
        self.difference = if object != Some(&expected.object) {
            Some("another object".to_owned())
        } else if expected.dependencies.as_ref() != listed {
            Some("other dependencies".to_owned())
        } else if said(&expected.said.renderings) != said(renderings) {
            Some("other messages".to_owned())
        } else {
            self.difference.take()
        };
    }
}

impl Jobs for Recorder<'_> {
    fn begin(&mut self) {
        self.events.extend(ffi::take_accesses(true));
    }

    fn answer(&mut self, invocation: &[u8], look: Look) -> Option<Answer> {
        self.pause();
        let key = job_key(invocation, self.cwd.as_os_str().as_bytes(), &self.engine);
        let answer = self.known_job(key, look);
        self.running = answer.is_none().then_some(key);
        Self::go_on();
        answer
    }

    fn end(&mut self, succeeded: bool, roles: Roles) {
        let events = ffi::take_accesses(false);
        self.pause();
        self.keep(succeeded, &roles, events);
        Self::go_on();
    }
}

/// All variables asked for since the last call, with their values, which no part of the process changes.
#[expect(clippy::disallowed_methods, reason = "the one-shot host owns its environment")]
fn consulted_variables() -> Vec<(OsBytes, Option<OsBytes>)> {
    ffi::take_consulted_variables()
        .into_iter()
        // How the cache is used reaches no result.
        .filter(|name| !name.starts_with(b"LOOM_CACHE"))
        .map(|name| {
            let value = env::var_os(OsStr::from_bytes(&name));
            (name, value.map(OsStringExt::into_vec))
        })
        .collect()
}
