//! The callbacks by which a one-shot command's compiles are shared (`cpp/shared_job.cpp`).

use std::ffi::{c_int, c_void};
use std::slice;

use loom_frontend::engine::OsBytes;
use loom_store::cache::{Roles, Style};

use super::bytes::put;
use super::compile::surroundings;
use super::raw;

/// How the messages of a running compile look.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// The style.
    pub(crate) style: Style,
    /// Whether the terminal decides about columns, and about colours.
    pub(crate) follows: [bool; 2],
}

/// What a compile left before.
pub(crate) struct Answer {
    pub(crate) object: Vec<u8>,
    pub(crate) dependencies: Vec<OsBytes>,
    /// In the style that was asked for.
    pub(crate) said: Vec<u8>,
}

/// Who knows results of compiles.
pub(crate) trait Jobs {
    /// A compile begins whose result may be shared.
    fn begin(&mut self);
    /// Its result, if it is known.
    fn answer(&mut self, invocation: &[u8], look: Look) -> Option<Answer>;
    /// It was not, and the compile has been run.
    fn end(&mut self, succeeded: bool, roles: Roles);
}

/// # Safety
/// As for [`surroundings`]; besides, there are jobs: the C side has these callbacks only then.
unsafe fn jobs<'a>(context: *mut c_void) -> &'a mut dyn Jobs {
    // SAFETY: passed on.
    *unsafe { surroundings(context) }
        .jobs
        .as_mut()
        .expect("the callback was passed because there are jobs")
}

pub(super) unsafe extern "C" fn begin(context: *mut c_void) {
    // SAFETY: the C side passes its context.
    unsafe { jobs(context) }.begin();
}

pub(super) unsafe extern "C" fn answer(
    context: *mut c_void,
    invocation: raw::Bytes,
    styles: raw::Styles,
    object: raw::Sink,
    dependencies: raw::Sink,
    said: raw::Sink,
) -> c_int {
    let look = Look {
        style: Style {
            // No terminal is wider than clang is told.
            columns: styles.columns.try_into().unwrap_or(Style::WIDE),
            colours: styles.colours != 0,
        },
        follows: [styles.follows_columns != 0, styles.follows_colours != 0],
    };
    // SAFETY: the C side passes its context and live bytes.
    let answer = unsafe { jobs(context).answer(invocation.as_slice(), look) };
    let Some(answer) = answer else { return 0 };
    put(object, &answer.object);
    answer.dependencies.iter().for_each(|it| put(dependencies, it));
    put(said, &answer.said);
    1
}

pub(super) unsafe extern "C" fn end(
    context: *mut c_void,
    status: c_int,
    object: raw::Bytes,
    dependency_file: raw::Bytes,
    dependencies: *const raw::Bytes,
    count: usize,
) {
    let dependencies = match count {
        0 => &[],
        // SAFETY: the C side passes that many live values.
        _ => unsafe { slice::from_raw_parts(dependencies, count) },
    };
    // SAFETY: as above.
    unsafe {
        let dependency_file = dependency_file.as_slice();
        let roles = Roles {
            object: object.as_slice().to_vec(),
            dependency_file: (!dependency_file.is_empty()).then(|| dependency_file.to_vec()),
            dependencies: dependencies.iter().map(|it| it.as_slice().to_vec()).collect(),
        };
        jobs(context).end(status == 0, roles);
    }
}
