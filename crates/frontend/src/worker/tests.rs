//! Every message survives the wire; whatever else arrives is an error, not a panic.

use proptest::prelude::*;

use super::*;
use crate::engine::Access;

fn frame(message: &impl Serialize) -> Vec<u8> {
    let mut stream = Vec::new();
    send(&mut stream, message).unwrap();
    stream
}

fn check_round_trip<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(message: T) {
    let mut stream = &frame(&message)[..];
    assert_eq!(receive::<T>(&mut stream).unwrap(), Some(message));
    assert!(stream.is_empty());
}

fn request() -> CompileRequest {
    let content = Digest::of(b"int x;");
    CompileRequest {
        argv: vec![b"clang".to_vec(), b"-c".to_vec(), b"caf\xe9.c".to_vec()],
        cwd: b"/src".to_vec(),
        env: vec![(b"HOME".to_vec(), vec![])],
        clock: 1 << 40,
        payload: true,
        files: vec![
            (
                b"/src/caf\xe9.c".to_vec(),
                FileState::File {
                    content,
                    length: 6,
                    identity: b"/src/real.c".to_vec(),
                },
            ),
            (
                b"/src".to_vec(),
                FileState::Directory {
                    identity: b"/src".to_vec(),
                },
            ),
            (b"/nowhere".to_vec(), FileState::Absent),
        ],
    }
}

fn reply() -> CompileReply {
    CompileReply {
        exit_status: 1,
        object: Some(Blob::new(*b"\x7fELF")),
        module: Some(NormalizedModule {
            triple: "x86_64-unknown-linux-gnu".into(),
            data_layout: "e".into(),
            bitcode: Blob::new(*b"BC\xc0\xde"),
        }),
        messages: vec![crate::engine::CompilerMessage {
            level: "error".into(),
            message: "expected ';'".into(),
            file: "x.c".into(),
            line: 3,
            column: 0,
            option: String::new(),
        }],
        rendered: "x.c:3: error: expected ';'\n".into(),
        accesses: vec![
            Access::Clock,
            Access::File(b"/src/x.c".to_vec()),
            Access::Variable(b"PATH".to_vec()),
        ],
    }
}

#[test]
fn every_message_to_a_worker_survives() {
    check_round_trip(ToWorker::Compile(request()));
    check_round_trip(ToWorker::Answers(vec![
        Answer::File(FileState::Absent),
        Answer::Content(Some(Blob::new(vec![7; 70_000]))),
        Answer::Content(None),
        Answer::Directory(Some(vec![(b"a.h".to_vec(), false), (b"sys".to_vec(), true)])),
        Answer::Directory(None),
    ]));
    check_round_trip(ToWorker::Normalize(Blob::new(*b"BC\xc0\xde")));
    check_round_trip(ToWorker::Versions);
    check_round_trip(ToWorker::Shutdown);
}

#[test]
fn every_message_from_a_worker_survives() {
    check_round_trip(FromWorker::Ask(vec![
        Question::File(b"/a".to_vec()),
        Question::Content(b"/a".to_vec(), Digest::of(b"")),
        Question::Directory(b"/".to_vec()),
    ]));
    check_round_trip(FromWorker::Compiled(reply()));
    check_round_trip(FromWorker::Normalized(Ok(reply().module.unwrap())));
    check_round_trip(FromWorker::Normalized(Err(ModuleError {
        code: "llvm_module_unparsable".into(),
        message: "no bitcode".into(),
    })));
    check_round_trip(FromWorker::Versions(EngineVersions {
        llvm: "22.1.8".into(),
        clang: "clang version 22.1.8".into(),
        mlir: String::new(),
        repository: "llvm-project".into(),
        commit: "ca7933e47d3a3451d81e72ac174dcb5aa28b59d1".into(),
        package: String::new(),
        build_id: "00ff".into(),
    }));
    check_round_trip(FromWorker::Failed(EngineFailure {
        causes: vec!["no socket".into(), "EPIPE".into()],
    }));
}

#[test]
fn messages_follow_each_other_until_the_stream_ends() {
    let mut stream = frame(&ToWorker::Versions);
    stream.extend(frame(&ToWorker::Shutdown));
    let mut stream = &stream[..];
    assert_eq!(receive(&mut stream).unwrap(), Some(ToWorker::Versions));
    assert_eq!(receive(&mut stream).unwrap(), Some(ToWorker::Shutdown));
    assert_eq!(receive::<ToWorker>(&mut stream).unwrap(), None);
}

#[test]
fn a_stream_that_ends_inside_a_frame_is_an_error() {
    let whole = frame(&ToWorker::Compile(request()));
    for end in 1..whole.len() {
        let error = receive::<ToWorker>(&mut &whole[..end]).unwrap_err();
        assert!(matches!(error, WireError::Truncated { .. }), "{end}: {error}");
    }
}

#[test]
fn an_overlong_frame_is_refused_before_its_body_is_read() {
    let header = (FRAME_LIMIT + 1).to_le_bytes();
    let mut stream = &header[..];
    let error = receive::<ToWorker>(&mut stream).unwrap_err();
    assert_eq!(
        error.to_string(),
        "engine message of 1073741825 bytes exceeds 1073741824"
    );
    // A promise within the limit costs no memory either: only what arrives is stored.
    let error = receive::<ToWorker>(&mut &FRAME_LIMIT.to_le_bytes()[..]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "engine message ends after 0 of 1073741824 bytes"
    );
}

#[test]
fn stray_bytes_and_unknown_messages_are_errors() {
    let mut long = frame(&ToWorker::Shutdown);
    long[0] += 2;
    long.extend([0, 0]);
    let error = receive::<ToWorker>(&mut &long[..]).unwrap_err();
    assert_eq!(error.to_string(), "engine message is followed by 2 stray bytes");
    let unknown = [1, 0, 0, 0, 99];
    assert!(matches!(
        receive::<ToWorker>(&mut &unknown[..]),
        Err(WireError::Malformed(_))
    ));
}

#[test]
fn a_failing_stream_keeps_its_cause() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::ConnectionReset, "reset by peer"))
        }
    }
    let error = receive::<ToWorker>(&mut Broken).unwrap_err();
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    assert_eq!(cause.as_deref(), Some("reset by peer"));
}

#[test]
fn content_that_changed_since_it_was_seen_is_no_answer() {
    struct OneFile;
    impl InputSource for OneFile {
        fn file(&mut self, _: &[u8]) -> FileState {
            FileState::Absent
        }
        fn content(&mut self, path: &[u8]) -> Option<Blob> {
            (path == b"/a").then(|| Blob::new(*b"new"))
        }
        fn directory(&mut self, _: &[u8]) -> Option<Vec<(OsBytes, bool)>> {
            Some(vec![(b"a".to_vec(), false)])
        }
        fn used(&mut self, _: &Access) {}
        fn poll(&mut self) {}
    }
    let ask = |question| answer(&question, &mut OneFile);
    let content = |path: &[u8], text: &[u8]| ask(Question::Content(path.to_vec(), Digest::of(text)));
    assert_eq!(content(b"/a", b"new"), Answer::Content(Some(Blob::new(*b"new"))));
    assert_eq!(content(b"/a", b"old"), Answer::Content(None));
    assert_eq!(content(b"/b", b"new"), Answer::Content(None));
    assert_eq!(
        ask(Question::File(b"/a".to_vec())),
        Answer::File(FileState::Absent)
    );
    assert_eq!(
        ask(Question::Directory(b"/".to_vec())),
        Answer::Directory(Some(vec![(b"a".to_vec(), false)]))
    );
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(body in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut stream = (body.len() as u32).to_le_bytes().to_vec();
        stream.extend(&body);
        let _ = receive::<ToWorker>(&mut &stream[..]);
        let _ = receive::<FromWorker>(&mut &stream[..]);
        let _ = receive::<FromWorker>(&mut &body[..]);
    }
}
