//! What single rows ask for.

use loom_base::{Diagnostic, Severity};

use super::Verifier;
use crate::module::{Attr, Dim, OpView, Scalar, Shaped, Type, TypeId};
use crate::table::Rule;

mod arrange;
mod atomics;
mod calls;
mod check;
mod config;
mod control;
mod effects;
mod encodings;
mod fragments;
mod kernel;
mod lanes;
mod literals;
mod memory;
mod reductions;
mod shapes;
mod tensors;

impl<'a> Verifier<'a> {
    pub(super) fn rule(&mut self, view: OpView<'a>, rule: Rule) {
        match rule {
            Rule::Literal => self.literal(view),
            Rule::Numbers(slots) => self.numbers(view, slots),
            Rule::ParameterRange => self.parameter_range(view),
            Rule::Choices => self.parameter_choices(view),
            Rule::Positive(slot) => self.at_least(view, slot, 1),
            Rule::NotNegative(slot) => self.at_least(view, slot, 0),
            Rule::NotNegativeKey(key) => self.key_at_least(view, key, 0),
            Rule::PositiveKey(key) => self.key_at_least(view, key, 1),
            Rule::PowerOfTwo(key) => self.power_of_two(view, key),
            Rule::Tolerances => self.tolerances(view),
            Rule::ShapeRank => self.shape_rank(view),
            Rule::HexBytes => self.hex_bytes(view),
            Rule::Inside(names) => self.inside(view, names),
            Rule::DirectlyInside(name) => self.directly_inside(view, name),
            Rule::KernelOnly => self.kernel_only(view),
            Rule::Ranges => self.ranges(view),
            Rule::SameShape => self.same_shape(view),
            Rule::SameElement => self.same_element(view),
            Rule::Wider => self.width(view, true),
            Rule::Narrower => self.width(view, false),
            Rule::SameBits => self.same_bits(view),
            Rule::IndexCast => self.index_cast(view),
            Rule::Bitfield => self.bitfield(view),
            Rule::GeluScale => self.gelu_scale(view),
            Rule::NoLanes => self.no_lanes(view),
            Rule::Splat => self.splat(view),
            Rule::RankOne => self.rank_one(view),
            Rule::Broadcast => self.broadcast(view),
            Rule::Elements => self.elements(view),
            Rule::Extract => self.extract(view),
            Rule::Slice => self.slice(view),
            Rule::Concat => self.concat(view),
            Rule::Transpose => self.transpose(view),
            Rule::Shuffle => self.shuffle(view),
            Rule::Interleave => self.interleave(view),
            Rule::Mask => self.mask(view),
            Rule::Bitpack => self.bitpack(view),
            Rule::ReductionKind => self.reduction_kind(view),
            Rule::ReduceAll => self.reduce_all(view),
            Rule::ReduceAxes => self.reduce_axes(view),
            Rule::Dot(group, elements) => self.dot(view, group, elements),
            Rule::Lanes(element) => self.lanes(view, element),
            Rule::TableLookup => self.table_lookup(view),
            Rule::TableQuantize => self.table_quantize(view),
            Rule::Auxiliary => self.auxiliary(view),
            Rule::Encoding => self.encoding(view),
            Rule::Transform => self.transform(view),
            Rule::FragmentShape => self.fragment_shape(view),
            Rule::FragmentRoles => self.fragment_roles(view),
            Rule::DescriptorGroups => self.descriptor_groups(view),
            Rule::TensorCopy => self.tensor_copy(view),
            Rule::Access => self.access(view),
            Rule::CachePair => self.cache_pair(view),
            Rule::Subview => self.subview(view),
            Rule::Refine => self.refine(view),
            Rule::AtomicKind => self.atomic_kind(view),
            Rule::ExchangeOrder => self.exchange_order(view),
            Rule::Alloca => self.alloca(view),
            Rule::Pack => self.packed(view),
            Rule::KnownSpace => self.known_space(view),
            Rule::Strides => self.strides(view),
            Rule::Yield => self.yielded(view),
            Rule::ElseForResults => self.else_for_results(view),
            Rule::Loop => self.counted_loop(view),
            Rule::While => self.while_loop(view),
            Rule::SwitchKeys => self.switch_keys(view),
            Rule::LookupKeys => self.lookup_keys(view),
            Rule::Branch => self.branch(view),
            Rule::Barrier => self.barrier(view),
            Rule::Collective => self.uniform_control(view, "workgroup", Severity::Warning),
            Rule::UsedOnce(user) => self.used_once(view, user),
            Rule::SplitBarrier => self.split_barrier(view),
            Rule::AsyncCopy => self.async_copy(view),
            Rule::Clusters => self.clusters(view),
            Rule::Geometry => self.geometry(view),
            Rule::ConfigValue => self.config_value(view),
            Rule::ConfigType => self.config_type(view),
            Rule::GlobalType => self.global_type(view),
            Rule::Call(slot) => self.call(view, slot),
            Rule::Provider => self.provider(view),
            Rule::Launch(slot) => self.launch(view, slot),
            Rule::Return => self.returned(view),
            Rule::PureBody => self.pure_body(view),
            Rule::PureConfig => self.pure_config(view),
            Rule::CommandBody => self.command_body(view),
        }
    }

    /// An error at the content of the slot called `name`, or at the op when that is empty.
    fn fault(
        &mut self,
        view: OpView<'a>,
        name: &str,
        code: &'static str,
        message: String,
        help: impl Into<String>,
    ) {
        let diagnostic = Diagnostic::error(code, message).help(help);
        match view.def.slot_named(name) {
            Some(slot) if !view.slot(slot).is_empty() => self.at_slot(view, slot, diagnostic),
            _ => self.at_op(view, diagnostic),
        }
    }

    /// An error at word `word` of the slot called `name`.
    fn fault_at(
        &mut self,
        view: OpView<'a>,
        name: &str,
        word: usize,
        code: &'static str,
        message: String,
        help: impl Into<String>,
    ) {
        let diagnostic = Diagnostic::error(code, message).help(help);
        match view.def.slot_named(name) {
            Some(slot) => self.at_word(view, slot, word, diagnostic),
            None => self.at_op(view, diagnostic),
        }
    }

    /// The shape of the stated type in slot `name`.
    fn shape(&self, view: OpView<'a>, name: &str) -> Option<&'a Shaped> {
        match view.body.ty(view.ty(name)?) {
            Type::Shaped(shaped) => Some(shaped),
            _ => None,
        }
    }

    /// The element type of the stated type in slot `name`.
    fn element(&self, view: OpView<'a>, name: &str) -> Option<Scalar> {
        element_of(view.body.ty(view.ty(name)?))
    }

    fn stated_text(&self, view: OpView<'a>, name: &str) -> String {
        view.ty(name).map_or_else(String::new, |ty| self.type_text(ty))
    }
}

/// The scalar of a scalar type, or of a shaped type's elements.
fn element_of(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Scalar(scalar) => Some(*scalar),
        Type::Shaped(shaped) => Some(shaped.element),
        _ => None,
    }
}

/// All extents, if they are literals.
fn static_extents(shaped: &Shaped) -> Option<Vec<u64>> {
    let extent = |dim: &Dim| match dim {
        Dim::Static(extent) => Some(*extent),
        Dim::Value(_) => None,
    };
    shaped.dims.iter().map(extent).collect()
}

/// The number of lanes, if it is known and representable.
fn lanes(shaped: &Shaped) -> Option<u64> {
    static_extents(shaped)?
        .into_iter()
        .try_fold(1u64, u64::checked_mul)
}

/// The integers of a list attribute.
fn integers(attr: Option<&Attr>) -> Option<Vec<i64>> {
    let Some(Attr::List(list)) = attr else { return None };
    let int = |attr: &Attr| match attr {
        Attr::Int(value) => Some(*value),
        _ => None,
    };
    list.iter().map(int).collect()
}

/// The integer in an attribute.
fn integer(attr: Option<&Attr>) -> Option<i64> {
    match attr {
        Some(Attr::Int(value)) => Some(*value),
        _ => None,
    }
}

fn scalar_name(element: Scalar) -> TypeId {
    element.type_id()
}
