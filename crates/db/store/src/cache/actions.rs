//! Costly pure steps: values that are made once for all processes.
//!
//! A step is a function of its question and of the engine's build, and of nothing else: normalization, merging, raising,
//! the compile of a kernel request. [`Actions::answer`] is all that a step needs. What also depends on the world brings
//! that into its question (see the engine host of `loom-driver`).

use std::path::Path;
use std::sync::Arc;

use loom_base::{Blob, Digest, DigestWriter};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::entry::{ActionResult, Effect, Entry, Output};
use super::said::Said;
use super::{Cache, Settings, Shelf, key};
use crate::System;

/// The name of the one output of a step.
const VALUE: &[u8] = b"value";

/// The cache as the steps of one engine use it.
#[derive(Clone, Debug)]
pub struct Actions {
    cache: Cache,
    engine: Vec<u8>,
    verify: bool,
}

impl Actions {
    /// The steps of the engine with build-id `engine` in the cache that `settings` describe; `None` if it is off.
    pub fn new(system: Arc<dyn System>, settings: &Settings, engine: &[u8]) -> Option<Self> {
        Some(Self {
            cache: Cache::new(system, settings)?,
            engine: engine.to_vec(),
            verify: settings.verify,
        })
    }

    /// The answer of `step`, a name such as `"linked_module"`, to `question`: the kept one, else that of `run`, which is
    /// then kept. Errors are not: an engine that failed says nothing about the question.
    ///
    /// # Panics
    /// Where answers are to be verified (`LOOM_CACHE_VERIFY=1`) and the kept one is another than that of `run`.
    pub fn answer<A, E>(
        &self,
        step: &str,
        question: &impl Serialize,
        run: impl FnOnce() -> Result<A, E>,
    ) -> Result<A, E>
    where
        A: Serialize + DeserializeOwned,
    {
        let Some(key) = self.key(step, question) else {
            return run();
        };
        let kept = self.get(key);
        if !self.verify
            && let Some(answer) = kept.as_deref().and_then(decode)
        {
            self.cache.count("action hit");
            return Ok(answer);
        }
        let answer = run()?;
        let Some(value) = encode(&answer) else {
            return Ok(answer);
        };
        if let Some(kept) = kept.filter(|_| self.verify) {
            let right = kept == value;
            self.cache
                .count(if right { "verified" } else { "verified: wrong" });
            assert!(
                right,
                "the compile cache would have answered wrongly: another {step} [LOOM_CACHE_VERIFY]"
            );
            return Ok(answer);
        }
        if self.put(key, &value) {
            self.cache.count("action miss");
        }
        Ok(answer)
    }

    /// Whether answers are computed again and compared.
    pub fn verifies(&self) -> bool {
        self.verify
    }

    /// What [`remember`](Self::remember) kept last under this question.
    pub fn recall<A: DeserializeOwned>(&self, step: &str, question: &impl Serialize) -> Option<A> {
        decode(&self.get(self.key(step, question)?)?)
    }

    /// Keeps `value` under `question` in place of what was there. No answer of a pure step, but what helps to ask for one.
    pub fn remember(&self, step: &str, question: &impl Serialize, value: &impl Serialize) {
        if let (Some(key), Some(value)) = (self.key(step, question), encode(value)) {
            self.put(key, &value);
        }
    }

    fn key(&self, step: &str, question: &impl Serialize) -> Option<Digest> {
        let question = encode(question)?;
        let key = DigestWriter::default()
            .bytes64(key::FORMAT)
            .bytes64(b"step")
            .bytes64(&self.engine)
            .bytes64(step.as_bytes())
            .bytes64(&question);
        Some(key.finish())
    }

    fn get(&self, key: Digest) -> Option<Vec<u8>> {
        let hit = self.cache.look_up(Shelf::Actions, key, Path::new("/"), &[])?;
        let output = hit.entry.result.outputs.iter().find(|it| it.path == VALUE)?;
        Some(hit.content(output.effect.content()?)?.to_vec())
    }

    fn put(&self, key: Digest, value: &[u8]) -> bool {
        let value = Blob::new(value);
        let entry = Entry {
            inputs: Vec::new(),
            variables: Vec::new(),
            times_matter: false,
            result: ActionResult {
                status: 0,
                said: Said::default(),
                outputs: vec![Output {
                    path: VALUE.to_vec(),
                    effect: Effect::Replaced(value.digest()),
                }],
                program: None,
            },
        };
        self.cache.insert(Shelf::Actions, key, &entry, &[value]).is_ok()
    }
}

fn encode(value: &impl Serialize) -> Option<Vec<u8>> {
    postcard::to_allocvec(value).ok()
}

/// All of `bytes`, or nothing.
fn decode<A: DeserializeOwned>(bytes: &[u8]) -> Option<A> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(value)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::PathBuf;

    use super::*;
    use crate::cache::Mode;
    use crate::{Call, FaultySystem, MemorySystem};

    fn settings(mode: Mode, verify: bool) -> Settings {
        Settings {
            mode,
            directory: "/cache".into(),
            limit: 1 << 30,
            verify,
        }
    }

    fn actions(system: &Arc<MemorySystem>, engine: &str) -> Actions {
        let system = Arc::clone(system) as Arc<dyn System>;
        Actions::new(system, &settings(Mode::ReadWrite, false), engine.as_bytes()).expect("it is on")
    }

    /// Asks, and says whether the step ran.
    fn runs(actions: &Actions, step: &str, question: &str) -> bool {
        let ran = Cell::new(false);
        let answer = actions.answer(step, &question, || {
            ran.set(true);
            Ok::<_, ()>(format!("{step} of {question}"))
        });
        assert_eq!(answer.as_deref(), Ok(&*format!("{step} of {question}")));
        ran.get()
    }

    #[test]
    fn a_step_runs_once_for_all_processes() {
        let system = Arc::new(MemorySystem::default());
        for first in [true, false] {
            // Each time as another process.
            let actions = actions(&system, "engine");
            for (step, question) in [("merge", "a"), ("merge", "b"), ("raise", "a"), ("raise", "")] {
                assert_eq!(runs(&actions, step, question), first, "{step} {question}");
            }
        }
        assert!(runs(&actions(&system, "another engine"), "merge", "a"));
        let counts = actions(&system, "engine").cache.statistics();
        assert_eq!((counts["action hit"], counts["action miss"]), (4, 5));
    }

    #[test]
    fn failures_are_not_kept() {
        let system = Arc::new(MemorySystem::default());
        let actions = actions(&system, "engine");
        let answer = actions.answer("merge", &"a", || Err::<String, _>("killed"));
        assert_eq!(answer, Err("killed"));
        assert!(runs(&actions, "merge", "a"));
    }

    #[test]
    fn what_is_remembered_last_is_recalled() {
        let system = Arc::new(MemorySystem::default());
        let actions = actions(&system, "engine");
        assert_eq!(actions.recall::<u32>("state", &"unit"), None);
        for value in [7_u32, 8] {
            actions.remember("state", &"unit", &value);
            assert_eq!(actions.recall("state", &"unit"), Some(value));
        }
        // Bytes of another type are none.
        assert_eq!(actions.recall::<(u64, u64)>("state", &"unit"), None);
    }

    #[test]
    fn a_wrong_answer_is_found_where_answers_are_verified() {
        let system = Arc::new(MemorySystem::default());
        let verifying = Actions {
            verify: true,
            ..actions(&system, "engine")
        };
        assert!(runs(&verifying, "merge", "a"));
        assert!(runs(&verifying, "merge", "a"));
        assert_eq!(verifying.cache.statistics()["verified"], 1);
        let ask = || verifying.answer("merge", &"a", || Ok::<_, ()>("impure".to_owned()));
        let wrong = std::panic::catch_unwind(std::panic::AssertUnwindSafe(ask));
        assert!(wrong.is_err());
        assert_eq!(verifying.cache.statistics()["verified: wrong"], 1);
    }

    /// Whatever call fails, and whatever file is cut short, the answer is right.
    #[test]
    fn faults_and_damage_cost_no_more_than_a_run() {
        for call in [
            Call::Read,
            Call::Write,
            Call::Rename,
            Call::CreateDir,
            Call::Append,
        ] {
            for nth in 1..8 {
                let memory = Arc::new(MemorySystem::default());
                let faulty = Arc::new(FaultySystem::new(memory));
                let system = Arc::clone(&faulty) as Arc<dyn System>;
                let actions =
                    Actions::new(system, &settings(Mode::ReadWrite, false), b"e").expect("it is on");
                faulty.fail(call, nth, std::io::ErrorKind::OutOfMemory);
                for _ in 0..4 {
                    runs(&actions, "merge", "a");
                }
                assert!(!runs(&actions, "merge", "a"), "{call:?} {nth}");
            }
        }
        let system = Arc::new(MemorySystem::default());
        let actions = actions(&system, "engine");
        runs(&actions, "merge", "a");
        for file in files(&system, "/cache") {
            let sound = system.read(&file).expect("it is there");
            for length in 0..sound.len() {
                system.write(&file, &sound[..length]);
                assert!(runs(&actions, "merge", "a"), "{} of {length}", file.display());
                assert!(!runs(&actions, "merge", "a"));
            }
        }
    }

    fn files(system: &MemorySystem, directory: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in system.read_dir(Path::new(directory)).unwrap_or_default() {
            let path = Path::new(directory).join(crate::path_of(&entry.name));
            match entry.is_directory {
                true => found.extend(files(system, &path.display().to_string())),
                false if !path.ends_with("statistics") && !path.ends_with("growth") => found.push(path),
                false => {}
            }
        }
        found
    }
}
