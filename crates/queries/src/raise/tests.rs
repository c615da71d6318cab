//! That a module is raised once for each way of raising it, and that a broken engine is not remembered.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loom_base::Blob;
use loom_db::EngineFailed;
use loom_db::testing::{Fault, TestDb};
use loom_frontend::raise::{RaiseOptions, RaiseReply, RaiseRequest, RaisedForm};

use super::*;

fn raise(db: &TestDb, module: &str, form: RaisedForm) -> RaiseReply {
    let request = RaiseRequest {
        module: Blob::new(module.as_bytes()),
        options: RaiseOptions {
            form,
            ..RaiseOptions::default()
        },
    };
    raised_module(db, RaiseKey::new(db, request)).clone()
}

#[test]
fn equal_contents_are_raised_once() {
    let db = TestDb::new(&[]);
    let first = raise(&db, "one", RaisedForm::Text);
    assert_eq!(raise(&db, "one", RaisedForm::Text), first);
    assert_eq!(db.executed(), ["raised_module"]);
    assert_ne!(raise(&db, "two", RaisedForm::Text).result, first.result);
    assert_ne!(raise(&db, "one", RaisedForm::Lowered).result, first.result);
    assert_eq!(db.executed().len(), 2);
}

#[test]
fn a_broken_engine_is_asked_again() {
    let db = TestDb::new(&[]);
    db.engine().inject([Fault::Failure("out of memory".to_owned())]);
    let broken = catch_unwind(AssertUnwindSafe(|| raise(&db, "one", RaisedForm::Text)));
    assert!(broken.is_err_and(|it| it.is::<EngineFailed>()));
    assert!(raise(&db, "one", RaisedForm::Text).result.is_ok());
}
