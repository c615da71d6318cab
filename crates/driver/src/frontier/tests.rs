//! Who owns what, and for how long.
#![expect(clippy::disallowed_methods, reason = "workers are threads")]

use std::sync::Arc;
use std::thread;

use super::*;
use crate::base::FileName;
use crate::link::Role;

mod model;

const SOURCES: [(&str, Role, &str); 3] = [
    (
        "requester.loom",
        Role::Input,
        include_str!("../../../../docs/examples/product-frontiers/requester.loom"),
    ),
    (
        "stage.loom",
        Role::Library,
        include_str!("../../../../docs/examples/product-frontiers/stage.loom"),
    ),
    (
        "providers.loom",
        Role::Library,
        include_str!("../../../../docs/examples/product-frontiers/providers.loom"),
    ),
];

fn source((name, role, text): (&str, Role, &str)) -> ModuleSource {
    ModuleSource {
        name: FileName::from(name),
        role,
        bytes: text.as_bytes().into(),
    }
}

fn index() -> LinkIndex {
    let outcome = LinkIndex::freeze(SOURCES.map(source)).unwrap();
    assert_eq!(*outcome.diagnostics, []);
    outcome.value.unwrap()
}

fn spec() -> ProductSpec {
    ProductSpec {
        roots: vec!["@heterogeneous".to_owned()],
        ..ProductSpec::default()
    }
}

/// A product with its requests.
fn built(workspace: &mut Workspace) -> (CommandProduct, Vec<KernelRequest>) {
    let mut requests = Vec::new();
    let mut sink = |request| {
        requests.push(request);
        Ok(())
    };
    let outcome = workspace.command_product(&spec(), Some(&mut sink)).unwrap();
    assert_eq!(*outcome.diagnostics, []);
    (outcome.value.unwrap(), requests)
}

#[test]
fn the_example() {
    let index = index();
    let (product, requests) = built(&mut index.workspace());
    let symbols: Vec<&str> = product.requirements().iter().map(|it| &*it.symbol).collect();
    assert_eq!(symbols, ["local", "classified", "classified", "external"]);
    assert_eq!(product.requirements()[3].source, RequirementSource::External);
    assert_eq!(
        product.requirements()[2].source,
        RequirementSource::Request { class: 1 }
    );
    assert_eq!(product.programs()[0].bytes.bytes().len(), 454);
    assert_eq!(*product.programs()[0].requirements, [0, 1, 2, 3]);
    assert_eq!(product.programs()[0].resources.bindings.len(), 1);
    assert_eq!(product.kind(), ProductKind::Command);
    let bindings: Vec<RequestBinding> = requests.iter().flat_map(|it| it.bindings().to_vec()).collect();
    let binding = |requirement| RequestBinding { requirement, root: 0 };
    assert_eq!(bindings, [binding(0), binding(1), binding(2)]);
    for request in &requests {
        assert_eq!(request.descriptor().product, ProductKind::Kernel);
        assert_eq!(request.descriptor().goal, Goal::ExecutableEntry);
        assert_eq!(request.standing(), Standing::Committed);
        let module = loom_ir::decode(request.source().bytes(), &"request".into()).unwrap();
        let root = &module.items[request.roots()[0].symbol as usize];
        assert_eq!(root.symbol().unwrap().0.name(), "kernel");
    }
}

#[test]
fn a_body_blind_build_opens_no_kernel() {
    let sources = SOURCES.map(|(name, role, text)| {
        let mut bytes = loom_ir::encode(&loom_ir::parse(text, &name.into()).module);
        let summary = loom_ir::summarize_bytecode(&bytes, &name.into()).unwrap();
        for row in summary.symbols.iter().filter(|row| row.op == "kernel.def") {
            let (start, body) = (row.semantic.start as usize, &row.facets[2]);
            bytes[start + body.start as usize..start + body.end as usize].fill(0xff);
        }
        ModuleSource {
            name: name.into(),
            role,
            bytes: bytes.into(),
        }
    });
    let index = LinkIndex::freeze(sources).unwrap().value.unwrap();
    let outcome = index.workspace().command_product(&spec(), None).unwrap();
    let product = outcome.value.unwrap();
    assert_eq!(product.requirements().len(), 3);
    assert_eq!(product.requirements()[0].source, RequirementSource::Unopened);
    assert_eq!(product.programs()[0].bytes.bytes().len(), 436);
    let mut requests = 0;
    let mut sink = |_| {
        requests += 1;
        Ok(())
    };
    let outcome = index
        .workspace()
        .command_product(&spec(), Some(&mut sink))
        .unwrap();
    assert_eq!(&*outcome.diagnostics[0].code, "BYTECODE/004");
    assert_eq!(requests, 0);
}

/// Index, workspace, product and requests go in every order; what is left works.
#[test]
fn everything_may_go_in_any_order() {
    let (expected, sources) = {
        let (product, requests) = built(&mut index().workspace());
        let sources: Vec<_> = requests.iter().map(|it| it.source().clone()).collect();
        (product, sources)
    };
    for order in permutations(&[0, 1, 2, 3]) {
        let mut index = Some(index());
        let mut workspace = Some(index.as_ref().unwrap().workspace());
        let (product, requests) = built(workspace.as_mut().unwrap());
        let (mut product, mut requests) = (Some(product), Some(requests));
        for which in order {
            match which {
                0 => drop(index.take()),
                1 => drop(workspace.take()),
                2 => drop(product.take()),
                _ => drop(requests.take()),
            }
            if let Some(index) = &index {
                assert_eq!(built(&mut index.workspace()).0, expected);
            }
            if let Some(workspace) = &mut workspace {
                assert_eq!(built(workspace).0, expected);
            }
            if let Some(product) = &product {
                assert_eq!(*product, expected);
            }
            for (request, source) in requests.iter().flatten().zip(&sources) {
                assert_eq!(request.source(), source);
                assert_eq!(request.standing(), Standing::Committed);
            }
        }
    }
}

fn permutations(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let first = |at: usize| {
        let rest: Vec<usize> = of.iter().copied().filter(|&it| it != of[at]).collect();
        let with = move |mut order: Vec<usize>| {
            order.insert(0, of[at]);
            order
        };
        permutations(&rest).into_iter().map(with).collect::<Vec<_>>()
    };
    (0..of.len()).flat_map(first).collect()
}

#[test]
fn a_sink_that_fails_cancels_the_parent() {
    let index = index();
    let all = built(&mut index.workspace()).1;
    for fails_at in 0..all.len() {
        let mut taken: Vec<KernelRequest> = Vec::new();
        let mut sink = |request: KernelRequest| {
            assert_eq!(request.standing(), Standing::Provisional);
            taken.push(request);
            match taken.len() == fails_at + 1 {
                true => Err("the disk is full".into()),
                false => Ok(()),
            }
        };
        let mut workspace = index.workspace();
        let end = workspace.command_product(&spec(), Some(&mut sink));
        let Err(Unfinished::Sink(error)) = end else {
            panic!("the sink's error is the build's");
        };
        assert_eq!(error.to_string(), "the disk is full");
        assert_eq!(taken.len(), fails_at + 1, "nothing is published after that");
        for (request, whole) in taken.iter().zip(&all) {
            assert_eq!(request.source(), whole.source());
            assert_eq!(request.standing(), Standing::Abandoned);
        }
        // The workspace builds again.
        assert_eq!(built(&mut workspace).1.len(), all.len());
    }
}

#[test]
fn eight_threads_share_one_index() {
    let expected = built(&mut index().workspace());
    let sources =
        |requests: &[KernelRequest]| -> Vec<_> { requests.iter().map(|it| it.source().clone()).collect() };
    for _ in 0..8 {
        let index = Arc::new(index());
        let worker = |number: usize| {
            let index = Arc::clone(&index);
            let work = move || {
                let mut workspace = index.workspace();
                // The index may go before its workspaces do.
                drop(index);
                match number % 2 {
                    0 => Some(built(&mut workspace)),
                    _ => {
                        let blind = workspace.command_product(&spec(), None).unwrap();
                        assert_eq!(blind.value.unwrap().requirements().len(), 3);
                        None
                    }
                }
            };
            thread::Builder::new().stack_size(8 << 20).spawn(work).unwrap()
        };
        let workers: Vec<_> = (0..8).map(worker).collect();
        drop(index);
        for worker in workers {
            if let Some((product, requests)) = worker.join().unwrap() {
                assert_eq!(product, expected.0);
                assert_eq!(sources(&requests), sources(&expected.1));
            }
        }
    }
}

#[test]
fn an_index_tells_its_symbols() {
    let index = index();
    let names: Vec<String> = index
        .providers()
        .map(|(name, role)| format!("{name} {}", role.name()))
        .collect();
    assert_eq!(
        names,
        [
            "requester.loom input",
            "stage.loom library",
            "providers.loom library"
        ]
    );
    let found: Vec<(u32, &str)> = index
        .globals("@classified")
        .map(|position| (index.symbols()[position].provider, index.symbols()[position].op))
        .collect();
    assert_eq!(found, [(1, "kernel.decl"), (2, "kernel.def")]);
    assert_eq!(
        index.globals("large").count(),
        0,
        "private symbols are no globals"
    );
    let broken = LinkIndex::freeze([source(("broken.loom", Role::Input, "kernel.decl @\n"))]).unwrap();
    assert!(broken.value.is_none());
    assert_eq!(
        broken.diagnostics[0].place.as_ref().unwrap().file.as_str(),
        "broken.loom"
    );
}

#[test]
fn products_and_requests_travel_between_threads() {
    fn travels<T: Send + Sync + 'static>() {}
    travels::<LinkIndex>();
    travels::<CommandProduct>();
    travels::<KernelRequest>();
    fn moves<T: Send + 'static>() {}
    moves::<Workspace>();
}
