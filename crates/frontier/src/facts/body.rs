//! What is known of the values in one item.

use loom_ir::{Attr, Indexed, Item, OpId, OpTable, OpView, Predicate, ValueId};

use super::{Facts, Integer, greatest_common_divisor};

/// One fact per value of the item: from constants, promises (`where`, assumptions), configuration that `config`
/// knows, and arithmetic on these (loom-language 2.2 and 2.3).
pub(crate) fn value_facts(item: &Item, config: &dyn Fn(&str) -> Facts) -> Vec<Facts> {
    let table = OpTable::standard();
    let body = &item.body;
    let mut facts = vec![Facts::Unknown; body.values.len()];
    let root = item.root(table);
    for (predicate, arguments) in predicates(root, "where") {
        promise(&mut facts, root, predicate, &arguments);
    }
    // A definition stands before its uses, and a promise of a region holds in all of it.
    for id in 1..body.ops.len() as u32 {
        let view = OpView::with(table, body, OpId(id));
        match view.name() {
            "index.assume" | "scalar.assume" => assume(&mut facts, view),
            "config.get" => {
                let known = view.symbol("key").map_or(Facts::Unknown, config);
                define(&mut facts, view, known);
            }
            _ => {
                let known = computed(&facts, view);
                define(&mut facts, view, known);
            }
        }
    }
    facts
}

/// The predicates in slot `slot`, with their arguments.
pub(crate) fn predicates<'a>(
    view: OpView<'a>,
    slot: &str,
) -> impl Iterator<Item = (Predicate, Vec<Indexed>)> + use<'a> {
    let mut rest = view.named(slot);
    std::iter::from_fn(move || {
        let [number, count, tail @ ..] = rest else {
            return None;
        };
        let (arguments, tail) = tail.split_at(*count as usize);
        rest = tail;
        let arguments = arguments.iter().map(|&word| Indexed::from_word(word)).collect();
        Some((Predicate::from_number(*number)?, arguments))
    })
}

/// What is known of a predicate's argument.
pub(crate) fn argument(facts: &[Facts], view: OpView<'_>, argument: Indexed) -> Facts {
    match argument {
        Indexed::Value(value) => facts[value.index()],
        Indexed::Static(attr) => Facts::of(&view.body.attrs[attr.index()]),
    }
}

fn promise(facts: &mut [Facts], view: OpView<'_>, predicate: Predicate, arguments: &[Indexed]) {
    if let [Indexed::Value(value), others @ ..] = arguments {
        let others: Vec<Facts> = others.iter().map(|&it| argument(facts, view, it)).collect();
        facts[value.index()] = facts[value.index()].given(predicate, &others);
    }
    // A constant on the left says the same the other way round.
    if let [left @ Indexed::Static(_), Indexed::Value(value)] = arguments
        && let Some(turned) = turned(predicate)
    {
        let left = argument(facts, view, *left);
        facts[value.index()] = facts[value.index()].given(turned, &[left]);
    }
}

fn turned(predicate: Predicate) -> Option<Predicate> {
    Some(match predicate {
        Predicate::Eq => Predicate::Eq,
        Predicate::Lt => Predicate::Gt,
        Predicate::Le | Predicate::Max => Predicate::Ge,
        Predicate::Gt => Predicate::Lt,
        Predicate::Ge | Predicate::Min => Predicate::Le,
        _ => return None,
    })
}

/// Promises hold of the results; the operands stay as they were.
fn assume(facts: &mut [Facts], view: OpView<'_>) {
    let operands: Vec<ValueId> = view.operands("values").collect();
    let mut promised = facts.to_vec();
    for (predicate, arguments) in predicates(view, "predicates") {
        promise(&mut promised, view, predicate, &arguments);
    }
    for (operand, result) in operands.into_iter().zip(view.results()) {
        facts[result.index()] = promised[operand.index()];
    }
}

fn define(facts: &mut [Facts], view: OpView<'_>, known: Facts) {
    if let Some(result) = view.results().next() {
        facts[result.index()] = known;
    }
}

fn computed(facts: &[Facts], view: OpView<'_>) -> Facts {
    let operand = |name: &str| match view.operand(name).map(|value| facts[value.index()]) {
        Some(Facts::Integer(integer)) => integer,
        _ => Integer::ANY,
    };
    let known = match view.name() {
        "index.constant" | "scalar.constant" => return view.attr("value").map_or(Facts::Unknown, Facts::of),
        "index.madd" => {
            let product = binary("index.mul", operand("a"), operand("b"));
            binary("index.add", product.unwrap_or(Integer::ANY), operand("c"))
        }
        "index.cast" => match view.operand("input").map(|value| facts[value.index()]) {
            Some(Facts::Integer(integer)) => integer.value().map(Integer::exact).filter(|_| widens(view)),
            _ => None,
        },
        name => binary(name, operand("lhs"), operand("rhs")),
    };
    known.map_or(Facts::Unknown, Facts::Integer)
}

/// Whether a cast keeps every value it may be given here: only to index, offset and i64.
fn widens(view: OpView<'_>) -> bool {
    use loom_ir::Scalar;
    let scalar = view.ty("R").and_then(|ty| view.body.ty(ty).scalar());
    matches!(scalar, Some(Scalar::Index | Scalar::Offset | Scalar::I64))
}

fn binary(name: &str, a: Integer, b: Integer) -> Option<Integer> {
    if let (Some(x), Some(y)) = (a.value(), b.value()) {
        return folded(name, x, y).map(Integer::exact);
    }
    match name {
        "index.add" => {
            let bounds = a.low.checked_add(b.low).zip(a.high.checked_add(b.high));
            let (low, high) = bounds.unwrap_or((i64::MIN, i64::MAX));
            Some(Integer {
                low,
                high,
                divisor: greatest_common_divisor(a.divisor, b.divisor),
                power: false,
            })
        }
        "index.mul" => {
            let divisor = a.divisor.checked_mul(b.divisor)?;
            let bounds = (a.low >= 0 && b.low >= 0)
                .then(|| Some((a.low.checked_mul(b.low)?, a.high.checked_mul(b.high)?)))
                .flatten();
            let (low, high) = bounds.unwrap_or((i64::MIN, i64::MAX));
            Some(Integer {
                low,
                high,
                divisor,
                power: false,
            })
        }
        "index.min" => Some(Integer {
            low: a.low.min(b.low),
            high: a.high.min(b.high),
            ..Integer::ANY
        }),
        "index.max" => Some(Integer {
            low: a.low.max(b.low),
            high: a.high.max(b.high),
            ..Integer::ANY
        }),
        _ => None,
    }
}

/// The result for exact operands, where the language folds (loom-language 2.3).
fn folded(name: &str, x: i64, y: i64) -> Option<i64> {
    let shift = u32::try_from(y).ok().filter(|&shift| shift < 64);
    match name {
        "index.add" => x.checked_add(y),
        "index.sub" => x.checked_sub(y),
        "index.mul" => x.checked_mul(y),
        "index.min" => Some(x.min(y)),
        "index.max" => Some(x.max(y)),
        "index.div" if x >= 0 && y > 0 => Some(x / y),
        "index.rem" if x >= 0 && y > 0 => Some(x % y),
        "index.andi" => Some(x & y),
        "index.ori" => Some(x | y),
        "index.xori" => Some(x ^ y),
        "index.shli" => shift.and_then(|shift| x.checked_mul(1i64.checked_shl(shift).filter(|it| *it > 0)?)),
        "index.shrsi" => shift.map(|shift| x >> shift),
        "index.shrui" if x >= 0 => shift.map(|shift| x >> shift),
        _ => None,
    }
}

/// The literal of a configuration symbol that is defined.
pub(crate) fn default_of(item: &Item) -> Option<&Attr> {
    item.root(OpTable::standard()).attr("default")
}
