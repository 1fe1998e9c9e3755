//! The forms of the language that are measured: each as GTQL, and as SQL on a table with a row for each node.
//!
//! The table `t` has the tree's attributes and, in preorder,
//!
//! | column | what it is |
//! |---|---|
//! | `node_id`, `parent_id` | as in GTQL; the root's parent is -1 |
//! | `tree_ply`, `size` | `@ply`, `@size`: the descendants are the `size - 1` rows after the node's |
//! | `sibling`, `children` | `@index`, `@children`: for joins; a form that asks for one of them computes it |
//!
//! **Invariant:** both texts of a form ask the same; what they answer is compared.

/// A line of the table of targets, which every form in it has to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Filters,
    Groups,
    Relatives,
    Folds,
    Chains,
    Twins,
    /// Forms without a target.
    Others,
}

impl Line {
    pub(crate) const ALL: [Self; 7] =
        [Self::Filters, Self::Groups, Self::Relatives, Self::Folds, Self::Chains, Self::Twins, Self::Others];

    /// Its name, and its targets: nodes per second, and times as fast as DuckDB.
    pub(crate) fn targets(self) -> (&'static str, Option<f64>, Option<f64>) {
        match self {
            Self::Filters => ("filters: / % abs, floats, texts, if", Some(1e9), Some(2.0)),
            Self::Groups => ("group by an expression", Some(3e8), Some(1.5)),
            Self::Relatives => ("@index, @height, siblings, [0] [-1] [^^]", Some(3e8), Some(20.0)),
            Self::Folds => ("avg, min, max against something of the node", Some(3e8), Some(20.0)),
            Self::Chains => ("let over let, up and then down", Some(1e8), None),
            Self::Twins => ("twins by a key", Some(2e7), None),
            Self::Others => ("before, after, tree, statistics", None, None),
        }
    }

    /// Whether its SQL reads one row at a time, so that DuckDB takes any tree.
    pub(crate) fn is_scan(self) -> bool {
        matches!(self, Self::Filters | Self::Groups)
    }
}

pub(crate) struct Form {
    pub(crate) line: Line,
    pub(crate) gtql: String,
    pub(crate) sql: String,
}

/// All forms whose GTQL has this text in it.
pub(crate) fn forms(with: &str) -> Vec<Form> {
    let filters = FILTERS.iter().map(|(gtql, sql)| {
        let gtql = format!("node: count({gtql})");
        Form { line: Line::Filters, gtql, sql: format!("select count(*) from t where {sql}") }
    });
    let groups = GROUPS.iter().map(|(key, sql_key, values, sql_values)| Form {
        line: Line::Groups,
        gtql: format!("node: * group by {key} select {key}, {values}"),
        sql: format!("select {sql_key} as k, {sql_values} from t group by k order by k"),
    });
    let others = [
        (Line::Relatives, RELATIVES),
        (Line::Folds, FOLDS),
        (Line::Chains, CHAINS),
        (Line::Twins, TWINS),
        (Line::Others, OTHERS),
    ];
    let others = others.into_iter().flat_map(|(line, forms)| {
        forms.iter().map(move |(gtql, sql)| Form { line, gtql: (*gtql).into(), sql: (*sql).into() })
    });
    filters.chain(groups).chain(others).filter(|form| form.gtql.contains(with)).collect()
}

/// Conditions.
const FILTERS: &[(&str, &str)] = &[
    ("best / 50 = 2", "best // 50 = 2"),
    ("best % 7 = 3", "best % 7 = 3"),
    ("abs(best) > 100", "abs(best) > 100"),
    ("best / 10 * 10 = best and best % 3 != 0", "best // 10 * 10 = best and best % 3 != 0"),
    ("score > 1.25", "score > 1.25"),
    ("score * 2.0 + 1.0 < 0.25", "score * 2.0 + 1.0 < 0.25"),
    ("abs(score) < 0.5", "abs(score) < 0.5"),
    ("score * 100.0 > best", "score * 100.0 > best"),
    ("name = \"C42\"", "name = 'C42'"),
    ("name != \"C42\" and name > \"B5\"", "name != 'C42' and name > 'B5'"),
    ("starts_with(name, \"B2\")", "starts_with(name, 'B2')"),
    ("contains(name, \"7\")", "contains(name, '7')"),
    ("if(best > 0, best / 2, -best) > 60", "case when best > 0 then best // 2 else -best end > 60"),
    ("if(name < \"C\", score, 0.0) > 0.75", "case when name < 'C' then score else 0.0 end > 0.75"),
    ("min(best, 100) > abs(best) - 20", "least(best, 100) > abs(best) - 20"),
    ("sqrt(abs(best)) > 9.5", "sqrt(abs(best)) > 9.5"),
];

/// Keys and what is asked of each group.
const GROUPS: &[(&str, &str, &str, &str)] = &[
    ("best / 50", "best // 50", "count(*), avg(best)", "count(*), avg(best)"),
    ("best / 50", "best // 50", "count(*), avg(best), stddev(best)", "count(*), avg(best), stddev_pop(best)"),
    (
        "abs(best) % 7",
        "abs(best) % 7",
        "count(*), avg(score), stddev(score)",
        "count(*), avg(score), stddev_pop(score)",
    ),
    ("name", "name", "count(*), avg(best), max(score)", "count(*), avg(best), max(score)"),
    ("@ply", "tree_ply", "count(*), avg(best), stddev(best)", "count(*), avg(best), stddev_pop(best)"),
    ("score > 1.0", "score > 1.0", "count(*), min(score)", "count(*), min(score)"),
    ("best", "best", "count(*)", "count(*)"),
];

const RELATIVES: &[(&str, &str)] = &[
    (
        "node: count(@index = 0)",
        "select count(*) from (select row_number() over (partition by parent_id order by node_id) as i from t) where i = 1",
    ),
    (
        "node: count(@height > 3)",
        "select count(*) from (select max(tree_ply) over (order by node_id rows between current row and size - 1 following)
            - tree_ply as height from t) where height > 3",
    ),
    (
        "node: count([<]best > best)",
        "select count(*) from (select best, lag(best) over (partition by parent_id order by node_id) as b from t) where b > best",
    ),
    (
        "node: count([>]best > best)",
        "select count(*) from (select best, lead(best) over (partition by parent_id order by node_id) as b from t) where b > best",
    ),
    (
        "node: count([0]best > best)",
        "select count(*) from t n join t c on c.parent_id = n.node_id and c.sibling = 0 where c.best > n.best",
    ),
    (
        "node: count([-1]best > best)",
        "select count(*) from t n join t c on c.parent_id = n.node_id and c.sibling = n.children - 1 where c.best > n.best",
    ),
    (
        "node: count([^^]best > best)",
        "select count(*) from t n join t p on p.node_id = n.parent_id join t g on g.node_id = p.parent_id where g.best > n.best",
    ),
    (
        "node: count([<]score < score and [>]score < score)",
        "select count(*) from (select score, lag(score) over s as b, lead(score) over s as a from t
            window s as (partition by parent_id order by node_id)) where b < score and a < score",
    ),
    (
        "node: count([<2]best > best)",
        "select count(*) from (select best, lag(best, 2) over (partition by parent_id order by node_id) as b from t) where b > best",
    ),
    (
        "node: count([1]best > [-2]best)",
        "select count(*) from t n join t c on c.parent_id = n.node_id and c.sibling = 1
            join t d on d.parent_id = n.node_id and d.sibling = n.children - 2 where c.best > d.best",
    ),
];

const FOLDS: &[(&str, &str)] = &[
    (
        "node: count(*); child: avg([]best) > best",
        "select count(*) from t n join (select parent_id, avg(best) as a from t group by parent_id) c
            on c.parent_id = n.node_id where a > best",
    ),
    (
        "node: count(*); child: min([]best) > best - 300",
        "select count(*) from t n join (select parent_id, min(best) as a from t group by parent_id) c
            on c.parent_id = n.node_id where a > best - 300",
    ),
    (
        "node: count(*); child: max([]score) < score",
        "select count(*) from t n join (select parent_id, max(score) as a from t group by parent_id) c
            on c.parent_id = n.node_id where a < score",
    ),
    (
        "node: count(*); subtree: avg(best) > best",
        "select count(*) from (select best, avg(best) over (order by node_id rows between 1 following and size - 1 following)
            as a from t) where a > best",
    ),
    (
        "node: count(*); subtree: min(best) > best - 300",
        "select count(*) from (select best, min(best) over (order by node_id rows between 1 following and size - 1 following)
            as a from t) where a > best - 300",
    ),
    (
        "node: count(*); subtree: max(best) = best",
        "select count(*) from (select best, max(best) over (order by node_id rows between 1 following and size - 1 following)
            as a from t) where a = best",
    ),
    (
        "node: count(*); path: avg(best) > best",
        "with recursive p as (select node_id, best, 0::bigint as s, 0 as n from t where parent_id = -1
            union all select t.node_id, t.best, p.s + p.best, p.n + 1 from t join p on t.parent_id = p.node_id)
         select count(*) from p where n > 0 and s / n > best",
    ),
    (
        "node: count(*); path: min(best) > best",
        "with recursive p as (select node_id, best, null::int as m from t where parent_id = -1
            union all select t.node_id, t.best, least(p.m, p.best) from t join p on t.parent_id = p.node_id)
         select count(*) from p where m > best",
    ),
    (
        "node: count(*); path: max(score) < score",
        "with recursive p as (select node_id, score, null::double as m from t where parent_id = -1
            union all select t.node_id, t.score, greatest(p.m, p.score) from t join p on t.parent_id = p.node_id)
         select count(*) from p where m < score",
    ),
];

const CHAINS: &[(&str, &str)] = &[
    (
        "let low = child: min([]best)  let top = subtree: max(low)  let above = path: min(top)  node: count(above > best)",
        "with recursive l as (select n.node_id, n.parent_id, n.size, n.best, c.low from t n
                left join (select parent_id, min(best) as low from t group by parent_id) c on c.parent_id = n.node_id),
            v as (select node_id, parent_id, best,
                max(low) over (order by node_id rows between 1 following and size - 1 following) as top from l),
            p as (select node_id, best, top, null::int as above from v where parent_id = -1
                union all select v.node_id, v.best, v.top, least(p.above, p.top) from v join p on v.parent_id = p.node_id)
         select count(*) from p where above > best",
    ),
    (
        "let good = subtree: count(best > 0)  let most = child: max([]good)  let above = path: max(most)  node: count(above > 3 * good)",
        "with recursive g as (select node_id, parent_id, count(*) filter (best > 0) over
                (order by node_id rows between 1 following and size - 1 following) as good from t),
            v as (select n.*, c.most from g n
                left join (select parent_id, max(good) as most from g group by parent_id) c on c.parent_id = n.node_id),
            p as (select node_id, good, most, null::bigint as above from v where parent_id = -1
                union all select v.node_id, v.good, v.most, greatest(p.above, p.most) from v join p on v.parent_id = p.node_id)
         select count(*) from p where above > 3 * good",
    ),
];

const TWINS: &[(&str, &str)] = &[
    (
        "node: count(*); twin(key): count(*) > 0",
        "select count(*) from (select count(*) over (partition by key) as n from t) where n > 1",
    ),
    (
        "node: count(*); twin(key): count([]best >= best) > 0",
        "select count(*) from t n where exists (select 1 from t m where m.key = n.key and m.node_id <> n.node_id
            and m.best >= n.best)",
    ),
    (
        "node: count(*); twin(key): count([]node_id < node_id and []best >= best) > 0",
        "select count(*) from (select best, max(best) over (partition by key order by node_id
            rows between unbounded preceding and 1 preceding) as m from t) where m >= best",
    ),
    (
        "node: count(*); twin(key): min([]best) != max([]best)",
        "select count(*) from t n join (select key, list(distinct best) as v, count(*) as c from t group by key) g
            on g.key = n.key join (select key, best, count(*) as c from t group by key, best) s
            on s.key = n.key and s.best = n.best
         where len(v) - (s.c = 1)::int > 1",
    ),
    (
        "let n = twin(key): count(*)  node: count(n > 3)",
        "select count(*) from (select count(*) over (partition by key) as n from t) where n > 4",
    ),
    (
        "node: count(*); twin(key, best): count(*) > 0",
        "select count(*) from (select count(*) over (partition by key, best) as n from t) where n > 1",
    ),
];

const OTHERS: &[(&str, &str)] = &[
    (
        "node: count(*); before: count([]best > best) > 2",
        "select count(*) from (select n.node_id from t n join t s on s.parent_id = n.parent_id and s.sibling < n.sibling
            and s.best > n.best group by n.node_id having count(*) > 2)",
    ),
    (
        "node: count(*); after: count([]best > best) = 0",
        "select count(*) from t n where not exists (select 1 from t s where s.parent_id = n.parent_id
            and s.sibling > n.sibling and s.best > n.best)",
    ),
    (
        "let mean = tree: avg(best)  node: count(best > mean)",
        "select count(*) from t where best > (select avg(best) from t)",
    ),
    (
        "node: * select median(best), quantile(score, 0.9), count(distinct name)",
        "select quantile_disc(best, 0.5), quantile_disc(score, 0.9), count(distinct name) from t",
    ),
    ("node: * select corr(best, score)", "select corr(best, score) from t"),
    (
        "node: * select node_id order by score desc limit 10",
        "select node_id from t order by score desc, node_id limit 10",
    ),
    (
        "node: * group by key select count(*) order by count(*) desc limit 10",
        "select count(*) as n from t group by key order by n desc limit 10",
    ),
];
