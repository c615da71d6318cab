//! Command products in answers.

use loom_base::Outcome;
use serde_json::{Value, json};

use super::answer::bytes;
use super::message::ArtifactRequest;
use crate::frontier::{CommandProduct, KernelRequest, ProductKind, ProductSpec, Unfinished};
use crate::link::LinkProvider;
use crate::{Interruption, Snapshot};

/// The product that `request` asks for, with its kernel requests if they are wanted.
pub(super) fn product(
    snapshot: &Snapshot,
    request: &ArtifactRequest,
    providers: &[LinkProvider],
    spec: &ProductSpec,
) -> Result<Outcome<Value>, Interruption> {
    let mut requests = Vec::new();
    let mut collect = |request| {
        requests.push(request);
        Ok(())
    };
    let built = match request.classified {
        true => snapshot.command_product(providers, spec, Some(&mut collect)),
        false => snapshot.command_product(providers, spec, None),
    };
    match built {
        Ok(outcome) => Ok(outcome.map(|product| value(request, &product, &requests))),
        Err(Unfinished::Interrupted(interruption)) => Err(interruption),
        Err(Unfinished::Sink(error)) => unreachable!("the sink takes everything: {error}"),
    }
}

fn value(request: &ArtifactRequest, product: &CommandProduct, requests: &[KernelRequest]) -> Value {
    let programs = product.programs().iter().map(|program| {
        let mut value = bytes(&program.bytes, request.digest_only);
        value["symbol"] = (*program.symbol).into();
        value["requirements"] = program.requirements.to_vec().into();
        value["resources"] = json!(program.resources);
        value
    });
    let requests = requests.iter().map(|made| {
        let mut value = bytes(made.source(), request.digest_only);
        value["product"] = match made.descriptor().product {
            ProductKind::Kernel => "kernel".into(),
            ProductKind::Command => "command".into(),
        };
        value["semantic_digest"] = made.semantic_digest().to_string().into();
        let bindings = made.bindings().iter();
        value["requirements"] = bindings.map(|binding| binding.requirement).collect();
        value
    });
    let manifest: Value = serde_json::from_str(product.manifest()).unwrap_or_default();
    json!({
        "manifest": manifest,
        "programs": programs.collect::<Vec<_>>(),
        "requests": requests.collect::<Vec<_>>(),
    })
}
