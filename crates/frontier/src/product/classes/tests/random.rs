//! Random families and launches: classes agree with trying every provider at every launch.

use proptest::prelude::*;

use super::*;

/// A condition: predicate, literal, second literal.
type Condition = (&'static str, i64, i64);

/// A provider: priority and conditions on its only argument.
type Provider = (i64, Vec<Condition>);

/// `constant + a * first + b * second`, the argument of a decision.
type Sum = (i64, i64, i64);

fn condition() -> impl Strategy<Value = Condition> {
    let name = prop::sample::select(vec![
        "eq", "ne", "lt", "le", "gt", "ge", "mul", "min", "max", "range",
    ]);
    (name, 1..12i64, 0..12i64).prop_map(|(name, one, more)| (name, one, one + more))
}

fn provider() -> impl Strategy<Value = Provider> {
    (0..9i64, prop::collection::vec(condition(), 0..3))
}

fn holds(value: i64, (name, one, other): &Condition) -> bool {
    match *name {
        "eq" => value == *one,
        "ne" => value != *one,
        "lt" => value < *one,
        "le" | "max" => value <= *one,
        "gt" => value > *one,
        "ge" | "min" => value >= *one,
        "mul" => value % one == 0,
        _ => (*one..=*other).contains(&value),
    }
}

/// The provider for `value`: the only one of the highest priority among those that suit.
fn chosen(providers: &[Provider], value: i64) -> Option<usize> {
    let suits = |provider: &Provider| provider.1.iter().all(|condition| holds(value, condition));
    let suiting: Vec<usize> = (0..providers.len()).filter(|&at| suits(&providers[at])).collect();
    let best = suiting.iter().map(|&at| providers[at].0).max()?;
    let mut winners = suiting.into_iter().filter(|&at| providers[at].0 == best);
    let winner = winners.next();
    winner.filter(|_| winners.next().is_none())
}

fn text(providers: &[Provider], sums: &[Sum]) -> String {
    let mut families = "template.decl @f(%n: index)\n".to_owned();
    for (at, (priority, conditions)) in providers.iter().enumerate() {
        let conditions: Vec<String> = conditions
            .iter()
            .map(|(name, one, other)| match *name {
                "range" => format!("range(%n, {one}, {other})"),
                name => format!("{name}(%n, {one})"),
            })
            .collect();
        let conditions = match conditions.is_empty() {
            true => String::new(),
            false => format!(" where [{}]", conditions.join(", ")),
        };
        families += &format!(
            "template.def<@f> priority({priority}) @p{at}(%n: index){conditions} {{\n  template.return\n}}\n"
        );
    }
    let mut body = String::new();
    for (at, (constant, a, b)) in sums.iter().enumerate() {
        body += &format!(
            "  %c{at} = index.constant {constant} : index
  %a{at} = index.constant {a} : index
  %b{at} = index.constant {b} : index
  %x{at} = index.madd %a{at}, %first, %c{at} : index
  %y{at} = index.madd %b{at}, %second, %x{at} : index
  template.apply<@f>(%y{at}) : (index)\n"
        );
    }
    fixture(&families, "%first: index, %second: index", &body)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn classes_are_those_of_trying_everything(
        mut providers in prop::collection::vec(provider(), 1..5),
        fallback in prop::bool::weighted(0.8),
        sums in prop::collection::vec((-4..5i64, -2..3i64, -2..3i64), 1..4),
        launches in prop::collection::vec((-9..10i64, -9..10i64), 1..12),
    ) {
        if fallback {
            providers.push((-1, Vec::new()));
        }
        let [index, _] = indexes(&text(&providers, &sums));
        // By decision, for each launch. Only decisions whose argument varies are made by launches, but what holds
        // everywhere is chosen in the same way.
        let choices = |&(first, second): &(i64, i64)| {
            let values = sums.iter().map(|(constant, a, b)| constant + a * first + b * second);
            values.map(|value| chosen(&providers, value)).collect::<Vec<_>>()
        };
        let expected: Vec<Vec<Option<usize>>> = launches.iter().map(choices).collect();
        let texts: Vec<String> = launches.iter().map(|(first, second)| format!("{first}, {second}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let outcome = kernel(&index, "k").map(|(_, decisions, _)| {
            let outcome = classify_launches(&decisions, &sites(&texts), &place);
            (decisions, outcome)
        });
        let is_decided = expected.iter().flatten().all(Option::is_some);
        let Ok((decisions, outcome)) = outcome else {
            // The link found that no provider can suit.
            prop_assert!(!is_decided);
            return Ok(());
        };
        prop_assert_eq!(outcome.value.is_some(), is_decided, "{:?}", outcome.diagnostics);
        let Some(classes) = outcome.value else { return Ok(()) };
        for (site, expected) in expected.iter().enumerate() {
            let trace = &classes.classes[classes.sites[site] as usize].trace;
            for ((decision, chosen), expected) in decisions.decisions.iter().zip(trace).zip(expected) {
                let chosen = chosen.expect("an affine argument decides");
                let name = format!("p{}", expected.expect("a provider"));
                prop_assert_eq!(&*decision.candidates[chosen as usize].name, name);
            }
        }
        // Equal choices share a class, and classes are numbered by their first launches.
        let mut seen: Vec<&Vec<Option<usize>>> = Vec::new();
        for (site, expected) in expected.iter().enumerate() {
            let class = seen.iter().position(|known| *known == expected).unwrap_or_else(|| {
                seen.push(expected);
                seen.len() - 1
            });
            prop_assert_eq!(classes.sites[site] as usize, class);
        }
    }
}
