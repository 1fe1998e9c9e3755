//! Combinatorial games in canonical form: the value of a region beside others, whoever moves when.
//!
//! A game is the set of games that Left (White) can move to and the set that Right (Black) can. Two games are equal
//! if they can replace each other in every sum, and every game equals exactly one without dominated or reversible
//! options, its canonical form. Forms are stored once, so equality is equality of numbers.
//!
//! ```text
//! 0 = { | }   1 = {0| }   * = {0|0}   1/2 = {0|1}   {2|-1}: worth 2 to White to move, -1 to Black to move
//! ```

use std::collections::HashMap;

/// The number of a form.
pub(super) type Form = u32;

/// The form of a player who has no move.
pub(super) const ZERO: Form = 0;

type Options = (Vec<Form>, Vec<Form>);

/// All forms that have occurred.
pub(super) struct Forms {
    options: Vec<Options>,
    numbers: HashMap<Options, Form>,
    less_or_equal: HashMap<(Form, Form), bool>,
    sums: HashMap<(Form, Form), Form>,
}

impl Forms {
    pub(super) fn new() -> Self {
        let nothing = (Vec::new(), Vec::new());
        Self {
            numbers: HashMap::from([(nothing.clone(), ZERO)]),
            options: vec![nothing],
            less_or_equal: HashMap::new(),
            sums: HashMap::new(),
        }
    }

    /// The integer.
    pub(super) fn integer(&mut self, number: i32) -> Form {
        let mut form = ZERO;
        for _ in 0..number.abs() {
            form = match number > 0 {
                true => self.keep(vec![form], Vec::new()),
                false => self.keep(Vec::new(), vec![form]),
            };
        }
        form
    }

    /// Whether `one` is at most `other`: White, moving second, does not lose `other - one`.
    pub(super) fn is_at_most(&mut self, one: Form, other: Form) -> bool {
        if one == other {
            return true;
        }
        if let Some(&known) = self.less_or_equal.get(&(one, other)) {
            return known;
        }
        let (left_of_one, right_of_other) =
            (self.options[one as usize].0.clone(), self.options[other as usize].1.clone());
        let answer = !left_of_one.into_iter().any(|left| self.is_at_most(other, left))
            && !right_of_other.into_iter().any(|right| self.is_at_most(right, one));
        self.less_or_equal.insert((one, other), answer);
        answer
    }

    /// The canonical form of a game with these options, which must be canonical themselves.
    pub(super) fn canonical(&mut self, left: Vec<Form>, right: Vec<Form>) -> Form {
        let (mut left, mut right) = (left, right);
        loop {
            left = self.undominated(left, 0);
            right = self.undominated(right, 1);
            let game = (left.clone(), right.clone());
            let bypassed = self.bypass(&game);
            match bypassed {
                None => return self.keep(left, right),
                Some((next_left, next_right)) => (left, right) = (next_left, next_right),
            }
        }
    }

    /// Only the options to which no other is at least as good, for their player.
    fn undominated(&mut self, mut options: Vec<Form>, player: usize) -> Vec<Form> {
        options.sort_unstable();
        options.dedup();
        let mut kept: Vec<Form> = Vec::new();
        for option in options {
            let is_worse = |forms: &mut Self, one: Form, other: Form| match player {
                0 => forms.is_at_most(one, other),
                _ => forms.is_at_most(other, one),
            };
            if kept.iter().any(|&better| is_worse(self, option, better)) {
                continue;
            }
            kept.retain(|&worse| !is_worse(self, worse, option));
            kept.push(option);
        }
        kept.sort_unstable();
        kept
    }

    /// Replaces an option that the opponent would answer at once by what follows the answer.
    fn bypass(&mut self, game: &Options) -> Option<Options> {
        let (left, right) = game;
        for (at, &option) in left.iter().enumerate() {
            for answer in self.options[option as usize].1.clone() {
                if self.is_at_most_game(answer, game) {
                    let mut next = left.clone();
                    next.remove(at);
                    next.extend(&self.options[answer as usize].0);
                    return Some((next, right.clone()));
                }
            }
        }
        for (at, &option) in right.iter().enumerate() {
            for answer in self.options[option as usize].0.clone() {
                if self.is_at_least_game(answer, game) {
                    let mut next = right.clone();
                    next.remove(at);
                    next.extend(&self.options[answer as usize].1);
                    return Some((left.clone(), next));
                }
            }
        }
        None
    }

    /// Whether a form is at most a game that has no form yet.
    fn is_at_most_game(&mut self, form: Form, (left, right): &Options) -> bool {
        let lefts = self.options[form as usize].0.clone();
        !right.iter().any(|&option| self.is_at_most(option, form))
            && !lefts.into_iter().any(|option| self.is_at_least_game(option, &(left.clone(), right.clone())))
    }

    fn is_at_least_game(&mut self, form: Form, (left, right): &Options) -> bool {
        let rights = self.options[form as usize].1.clone();
        !left.iter().any(|&option| self.is_at_most(form, option))
            && !rights.into_iter().any(|option| self.is_at_most_game(option, &(left.clone(), right.clone())))
    }

    fn keep(&mut self, left: Vec<Form>, right: Vec<Form>) -> Form {
        let game = (left, right);
        if let Some(&known) = self.numbers.get(&game) {
            return known;
        }
        let number = self.options.len() as Form;
        self.options.push(game.clone());
        self.numbers.insert(game, number);
        number
    }

    /// The sum of both games.
    pub(super) fn sum(&mut self, one: Form, other: Form) -> Form {
        let pair = (one.min(other), one.max(other));
        match pair {
            (ZERO, other) => return other,
            _ => {
                if let Some(&known) = self.sums.get(&pair) {
                    return known;
                }
            }
        }
        let [first, second] = [pair.0, pair.1].map(|form| self.options[form as usize].clone());
        let mut side = |options: fn(&Options) -> &Vec<Form>| -> Vec<Form> {
            let mut found: Vec<Form> = Vec::new();
            for &option in options(&first) {
                found.push(self.sum(option, pair.1));
            }
            for &option in options(&second) {
                found.push(self.sum(pair.0, option));
            }
            found
        };
        let (left, right) = (side(|options| &options.0), side(|options| &options.1));
        let form = self.canonical(left, right);
        self.sums.insert(pair, form);
        form
    }

    /// The number that a form is, if it is one: a numerator, and the exponent of the power of two that
    /// divides it.
    fn number(&self, form: Form) -> Option<(i64, u32)> {
        let (left, right) = &self.options[form as usize];
        let number = |options: &[Form]| match options {
            [] => Some(None),
            [one] => self.number(*one).map(Some),
            _ => None,
        };
        match (number(left)?, number(right)?) {
            (None, None) => Some((0, 0)),
            (Some((numerator, 0)), None) => Some((numerator + 1, 0)),
            (None, Some((numerator, 0))) => Some((numerator - 1, 0)),
            (Some(low), Some(high)) => between(low, high),
            _ => None,
        }
    }

    /// A form as text: a number, `*` and similar, or what both players can move to.
    pub(super) fn text(&self, form: Form) -> String {
        if let Some((numerator, exponent)) = self.number(form) {
            return match exponent {
                0 => numerator.to_string(),
                exponent => format!("{numerator}/{}", 1_u64 << exponent),
            };
        }
        if self.options[form as usize] == (vec![ZERO], vec![ZERO]) {
            return "*".to_owned();
        }
        let side =
            |options: &[Form]| options.iter().map(|&option| self.text(option)).collect::<Vec<_>>().join(",");
        let (left, right) = &self.options[form as usize];
        format!("{{{}|{}}}", side(left), side(right))
    }

    /// Whether the player wins the game alone if he moves first.
    pub(super) fn wins_first(&mut self, form: Form, player: usize) -> bool {
        match player {
            0 => !self.is_at_most(form, ZERO),
            _ => !self.is_at_most(ZERO, form),
        }
    }
}

/// The number halfway between two, if a form `{low|high}` is canonical: they are neighbours.
fn between((low, low_exponent): (i64, u32), (high, high_exponent): (i64, u32)) -> Option<(i64, u32)> {
    let exponent = low_exponent.max(high_exponent);
    let (low, high) = (low << (exponent - low_exponent), high << (exponent - high_exponent));
    (high - low == 1).then_some((low + high, exponent + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_games_have_their_names() {
        let mut forms = Forms::new();
        let [one, two, minus_one] = [1, 2, -1].map(|number| forms.integer(number));
        let star = forms.canonical(vec![ZERO], vec![ZERO]);
        let half = forms.canonical(vec![ZERO], vec![one]);
        let switch = forms.canonical(vec![two], vec![minus_one]);
        let up = forms.canonical(vec![ZERO], vec![star]);
        let names = [one, two, minus_one, star, half, switch, up].map(|form| forms.text(form));
        assert_eq!(names, ["1", "2", "-1", "*", "1/2", "{2|-1}", "{0|*}"]);
        assert_eq!(forms.sum(half, half), one);
        assert_eq!(forms.sum(star, star), ZERO);
        let negative =
            forms.canonical(vec![one], vec![forms.options[0].0.first().copied().unwrap_or(minus_one)]);
        assert_eq!(forms.sum(negative, negative), ZERO, "a switch of equal sides is its own negative");
        // {-1|1} is 0, and a dominated option is dropped.
        assert_eq!(forms.canonical(vec![minus_one], vec![one]), ZERO);
        assert_eq!(forms.canonical(vec![ZERO, minus_one], vec![]), one);
        // {0|*} + {0|*} + * equals {0|{0|*}}-like sums; the double of up is above up.
        let double = forms.sum(up, up);
        assert!(forms.is_at_most(up, double) && !forms.is_at_most(double, up));
        // Reversible options are bypassed: {0,*|0,*} is *2, {*|*} is 0.
        assert_eq!(forms.canonical(vec![star], vec![star]), ZERO);
        assert!(forms.wins_first(switch, 0) && forms.wins_first(switch, 1));
        assert!(!forms.wins_first(ZERO, 0) && forms.wins_first(half, 0) && !forms.wins_first(half, 1));
    }
}
