//! One compile of a command as the engine parsed it: what different spellings of it, and of where its outputs go, share.

use std::path::Path;

use loom_base::{Blob, Digest, DigestWriter};

use super::check::plain;
use super::entry::{Effect, Entry, Input, Output};
use super::recording::{Run, Uncacheable, record};
use super::said::Said;
use super::{Hit, key};
use crate::System;

/// The names of outputs in the entry of a job.
const OBJECT: &[u8] = b"object";
const DEPENDENCIES: &[u8] = b"dependencies";

/// What a job's outputs are, as far as its key does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roles {
    /// The path of the object.
    pub object: Vec<u8>,
    /// The path of the dependency file, if there is one.
    pub dependency_file: Option<Vec<u8>>,
    /// What it lists, as it does before quoting.
    pub dependencies: Vec<Vec<u8>>,
}

/// A job's kept result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The object.
    pub object: Vec<u8>,
    /// What a dependency file lists; none if none was asked for.
    pub dependencies: Option<Vec<Vec<u8>>>,
    /// What was said.
    pub said: Said,
    /// What was consulted.
    pub inputs: Vec<Input>,
    /// Variables that were.
    pub variables: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

/// The action key of the compile that `invocation` spells, without the paths of its outputs, in directory `cwd` by the
/// engine with this build-id.
pub fn job_key(invocation: &[u8], cwd: &[u8], engine: &[u8]) -> Digest {
    DigestWriter::default()
        .bytes64(key::FORMAT)
        .bytes64(b"job")
        .bytes64(engine)
        .bytes64(cwd)
        .bytes64(invocation)
        .finish()
}

/// The entry of a finished job, and the contents that it names.
///
/// Only a compile that succeeds, leaves nothing but what `roles` name, and says nothing that only clang could render
/// anew is shared.
pub fn job_entry(
    system: &dyn System,
    cwd: &Path,
    run: Run,
    roles: &Roles,
) -> Result<(Entry, Vec<Blob>), Uncacheable> {
    let refuse = |reason: &str| Err(Uncacheable(reason.to_owned()));
    let (mut entry, mut contents) = record(system, cwd, run)?;
    let result = &mut entry.result;
    if result.status != 0 || result.program.is_some() {
        return refuse("the compile failed");
    }
    if result.said.renderings.is_none() && !result.said.printed.is_empty() {
        return refuse("not all that was said is a message");
    }
    let place = |path: &[u8]| plain(cwd, path);
    let dependency_file = roles.dependency_file.as_deref().map(place);
    let mut object = None;
    for output in &result.outputs {
        let path = place(&output.path);
        match output.effect.content() {
            Some(content) if path == place(&roles.object) => object = Some(content),
            Some(_) if Some(&path) == dependency_file.as_ref() => {}
            _ => return refuse("the compile leaves more than an object"),
        }
    }
    let Some(object) = object else {
        return refuse("the compile leaves no object");
    };
    contents.retain(|it| it.digest() == object);
    contents.truncate(1);
    result.outputs = vec![Output {
        path: OBJECT.to_vec(),
        effect: Effect::Replaced(object),
    }];
    if dependency_file.is_some() {
        let list = Blob::new(roles.dependencies.join(&0));
        result.outputs.push(Output {
            path: DEPENDENCIES.to_vec(),
            effect: Effect::Written(list.digest()),
        });
        contents.push(list);
    }
    result.outputs.sort();
    Ok((entry, contents))
}

impl Job {
    /// The job that an entry keeps; `None` if it keeps something else.
    pub fn of(hit: Hit) -> Option<Self> {
        let content = |name: &[u8]| {
            let output = hit.entry.result.outputs.iter().find(|it| it.path == name)?;
            Some(hit.content(output.effect.content()?)?.to_vec())
        };
        let list = |list: Vec<u8>| match list.is_empty() {
            true => Vec::new(),
            false => list.split(|it| *it == 0).map(<[u8]>::to_vec).collect(),
        };
        let object = content(OBJECT)?;
        let dependencies = content(DEPENDENCIES).map(list);
        let entry = hit.entry;
        Some(Self {
            object,
            dependencies,
            said: entry.result.said,
            inputs: entry.inputs,
            variables: entry.variables,
        })
    }
}
