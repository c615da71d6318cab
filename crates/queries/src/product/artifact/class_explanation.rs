//! Why each launch uses the executable it uses.

use loom_base::SourceText;
use loom_db::Db;
use loom_frontier::product::{Explained, LaunchSite, Spot, explain_classes, launched};
use loom_frontier::{Catalog, SymbolId};

use crate::link::QueryCatalog;
use crate::product::{
    CommandSet, ProductForm, ProductKey, command_set, kernel_decisions, launch_classes, prepared_program,
    product_roots,
};

/// The text of `--explain-classes`: for each kernel with source, in the order of first use, its launches with their
/// classes and reasons. Empty if the product has errors.
#[salsa::tracked]
pub fn class_explanation<'db>(db: &'db dyn Db, product: ProductKey<'db>) -> String {
    let set = &command_set(db, product, ProductForm::Classified).value;
    let (Some(set), Some(roots)) = (set, &product_roots(db, product).value) else {
        return String::new();
    };
    let mut kernels: Vec<(SymbolId, Vec<LaunchSite>)> = Vec::new();
    for &root in roots {
        let Some(program) = &prepared_program(db, product.program(db, root)).value else {
            continue;
        };
        for (kernel, launches) in launched(program) {
            let sites = launches.into_iter().map(LaunchSite::of);
            match kernels.iter_mut().find(|it| it.0 == kernel) {
                Some((_, known)) => known.extend(sites),
                None => kernels.push((kernel, sites.collect())),
            }
        }
    }
    let texts = kernels
        .iter()
        .filter_map(|(kernel, sites)| explanation(db, product, set, *kernel, sites));
    texts.collect::<Vec<_>>().join("\n")
}

fn explanation<'db>(
    db: &'db dyn Db,
    product: ProductKey<'db>,
    set: &CommandSet,
    kernel: SymbolId,
    sites: &[LaunchSite],
) -> Option<String> {
    let decisions = kernel_decisions(db, product.kernel(db, kernel)).value.as_ref()?;
    let classes = &launch_classes(db, product, kernel).value.as_ref()?.launches;
    let catalog = QueryCatalog::new(db, product.universe(db));
    let places: Vec<String> = sites
        .iter()
        .map(|site| place(db, product, &catalog, site.site.at))
        .collect();
    let number = |class: u32| {
        let entries = set.requirements.entries.iter();
        let mut numbered = entries.enumerate();
        let found = numbered.find(|(_, it)| *it.callee.name == *decisions.name && it.class == Some(class));
        found.map_or(0, |(number, _)| number as u32)
    };
    let requirements: Vec<u32> = (0..classes.classes.len() as u32).map(number).collect();
    Some(explain_classes(Explained {
        decisions,
        sites,
        classes,
        places: &places,
        requirements: &requirements,
    }))
}

/// `file:line:column`, or the file alone when it is bytecode.
fn place<'db>(db: &'db dyn Db, product: ProductKey<'db>, catalog: &QueryCatalog<'db>, spot: Spot) -> String {
    let place = spot.place(catalog);
    let input = &product.universe(db).inputs(db)[spot.symbol.provider as usize];
    let content = input.file.value(db).content.as_ref();
    let text = content.and_then(|content| std::str::from_utf8(content.bytes()).ok());
    match text.filter(|_| catalog.authored(spot.symbol).is_some()) {
        Some(text) => {
            let at = SourceText::new(place.file.clone(), text).line_column(place.range.start);
            format!("{}:{}:{}", place.file, at.line, at.column)
        }
        None => place.file.to_string(),
    }
}
