//! Predicates over what is known.

use super::*;

fn exact(value: i64) -> Facts {
    Facts::Integer(Integer::exact(value))
}

#[test]
fn exact_values_decide() {
    use Predicate::*;
    use Truth::{False, True};
    for (predicate, arguments, expected) in [
        (Eq, vec![3, 3], True),
        (Eq, vec![3, 4], False),
        (Ne, vec![3, 4], True),
        (Lt, vec![3, 4], True),
        (Lt, vec![4, 4], False),
        (Le, vec![4, 4], True),
        (Gt, vec![4, 4], False),
        (Ge, vec![4, 4], True),
        (Min, vec![3, 4], False),
        (Max, vec![3, 4], True),
        (Mul, vec![48, 16], True),
        (Mul, vec![0, 16], True),
        (Mul, vec![-32, 16], True),
        (Mul, vec![40, 16], False),
        (Mul, vec![0, 0], False),
        (Mul, vec![4, -2], False),
        (Pow2, vec![64], True),
        (Pow2, vec![0], False),
        (Pow2, vec![-4], False),
        (Range, vec![5, 1, 8], True),
        (Range, vec![9, 1, 8], False),
        (Range, vec![5, 8, 1], False),
    ] {
        let known: Vec<Facts> = arguments.iter().map(|&value| exact(value)).collect();
        assert_eq!(
            holds(predicate, &known, false),
            expected,
            "{predicate:?}{arguments:?}"
        );
    }
}

#[test]
fn promises_carry_over() {
    let size = Facts::Unknown.given(Predicate::Range, &[exact(16), exact(256)]);
    assert_eq!(holds(Predicate::Ge, &[size, exact(16)], false), Truth::True);
    assert_eq!(holds(Predicate::Ge, &[size, exact(17)], false), Truth::Unknown);
    assert_eq!(holds(Predicate::Gt, &[size, exact(256)], false), Truth::False);
    assert_eq!(holds(Predicate::Eq, &[size, exact(300)], false), Truth::False);
    let size = Facts::Unknown
        .given(Predicate::Mul, &[exact(6)])
        .given(Predicate::Mul, &[exact(4)]);
    assert_eq!(holds(Predicate::Mul, &[size, exact(12)], false), Truth::True);
    assert_eq!(holds(Predicate::Mul, &[size, exact(24)], false), Truth::Unknown);
    assert_eq!(holds(Predicate::Eq, &[size, exact(10)], false), Truth::False);
    let power = Facts::Unknown.given(Predicate::Pow2, &[]);
    assert_eq!(holds(Predicate::Pow2, &[power], false), Truth::True);
    assert_eq!(holds(Predicate::Ge, &[power, exact(1)], false), Truth::True);
}

#[test]
fn nothing_known_decides_nothing() {
    assert_eq!(
        holds(Predicate::Ge, &[Facts::Unknown, exact(1)], false),
        Truth::Unknown
    );
    assert_eq!(
        holds(Predicate::Range, &[Facts::Unknown, exact(1), exact(2)], false),
        Truth::Unknown
    );
    assert_eq!(
        holds(Predicate::Range, &[Facts::Unknown, exact(2), exact(1)], false),
        Truth::False
    );
    assert_eq!(
        holds(Predicate::Mul, &[Facts::Unknown, exact(0)], false),
        Truth::False
    );
    assert_eq!(holds(Predicate::Pow2, &[Facts::Unknown], false), Truth::Unknown);
}

#[test]
fn one_value_on_both_sides() {
    let unknown = [Facts::Unknown, Facts::Unknown];
    for (predicate, expected) in [
        (Predicate::Eq, Truth::True),
        (Predicate::Le, Truth::True),
        (Predicate::Ge, Truth::True),
        (Predicate::Ne, Truth::False),
        (Predicate::Lt, Truth::False),
        (Predicate::Gt, Truth::False),
        (Predicate::Mul, Truth::Unknown),
    ] {
        assert_eq!(holds(predicate, &unknown, true), expected, "{predicate:?}");
        assert_eq!(holds(predicate, &unknown, false), Truth::Unknown, "{predicate:?}");
    }
}

#[test]
fn floats_have_classes_and_no_relations() {
    let float = |value: f64| Facts::Float(value.to_bits());
    assert_eq!(holds(Predicate::Finite, &[float(1.0)], false), Truth::True);
    assert_eq!(holds(Predicate::NotNan, &[float(f64::NAN)], false), Truth::False);
    assert_eq!(
        holds(Predicate::NotInf, &[float(f64::NEG_INFINITY)], false),
        Truth::False
    );
    assert_eq!(
        holds(Predicate::Eq, &[float(1.0), float(1.0)], false),
        Truth::Unknown
    );
}

/// What is known of the value called `%x` in a function.
fn known(body: &str) -> Facts {
    let text = format!(
        "func.def @f(%a: index, %b: index) where [range(%a, 0, 64), mul(%b, 16)] {{\n{body}\nfunc.return\n}}\nconfig.decl @k : index\n"
    );
    let parsed = loom_ir::parse(&text, &"f.loom".into());
    assert_eq!(parsed.diagnostics, []);
    let item = &parsed.module.items[0];
    let facts = value_facts(item, &|name| if name == "k" { exact(8) } else { Facts::Unknown });
    let named = |value: &loom_ir::Value| item.body.text(value.name) == "x";
    facts[item
        .body
        .values
        .iter()
        .position(named)
        .expect("a value called %x")]
}

fn bounds(facts: Facts) -> (i64, i64, u64) {
    match facts {
        Facts::Integer(Integer {
            low, high, divisor, ..
        }) => (low, high, divisor),
        other => panic!("{other:?}"),
    }
}

#[test]
fn arithmetic_folds_and_carries() {
    let constants = "%c = index.constant 5 : index\n%d = index.constant 3 : index\n";
    let fold = |op: &str| known(&format!("{constants}%x = {op} : index"));
    assert_eq!(fold("index.add %c, %d"), exact(8));
    assert_eq!(fold("index.sub %d, %c"), exact(-2));
    assert_eq!(fold("index.mul %c, %d"), exact(15));
    assert_eq!(fold("index.madd %c, %d, %c"), exact(20));
    assert_eq!(fold("index.div %c, %d"), exact(1));
    assert_eq!(fold("index.rem %c, %d"), exact(2));
    assert_eq!(fold("index.min %c, %d"), exact(3));
    assert_eq!(fold("index.max %c, %d"), exact(5));
    assert_eq!(fold("index.shli %c, %d"), exact(40));
    assert_eq!(known("%x = config.get @k : index"), exact(8));
    assert_eq!(bounds(fold("index.add %a, %c")), (5, 69, 1));
    assert_eq!(bounds(fold("index.mul %b, %c")).2, 80);
    assert_eq!(bounds(fold("index.add %b, %b")).2, 16);
    assert_eq!(bounds(fold("index.max %a, %c")), (5, 64, 1));
}

#[test]
fn unfoldable_arithmetic_stays_open() {
    let constants = "%c = index.constant 9223372036854775807 : index\n%z = index.constant 0 : index\n%m = index.constant -5 : index\n";
    let fold = |op: &str| known(&format!("{constants}%x = {op} : index"));
    assert_eq!(fold("index.add %c, %c"), Facts::Unknown);
    assert_eq!(fold("index.div %c, %z"), Facts::Unknown);
    assert_eq!(fold("index.div %m, %c"), Facts::Unknown);
    assert_eq!(fold("index.shrui %m, %z"), Facts::Unknown);
}

#[test]
fn assumptions_hold_of_their_results_alone() {
    let assumed = known("%x = index.assume %b [ge(%b, 128)] : index");
    assert_eq!(bounds(assumed), (128, i64::MAX, 16));
    let before = known("%y = index.assume %b [ge(%b, 128)] : index\n%x = index.add %b, %b : index");
    assert_eq!(bounds(before).0, i64::MIN);
}
