//! The viewer's colours, distinguishable without colour vision: ramps rise in lightness or differ in it on both sides
//! of the middle. `web/src/overview/colors.ts` has the same numbers, and a test compares the two.

/// The light or dark theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// On white.
    #[default]
    Light,
    /// On black.
    Dark,
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Rgb(pub(crate) [u8; 3]);

pub(crate) const DIVERGING_LIGHT: [u32; 7] =
    [0x8a3b00, 0xc9660a, 0xf0a860, 0xf3ede4, 0x8dbce6, 0x2f7fc4, 0x0b3f7d];
pub(crate) const DIVERGING_DARK: [u32; 7] =
    [0xffc078, 0xe8892b, 0x9c5a1c, 0x343b46, 0x2c679f, 0x4f9fe6, 0xa8d6ff];
pub(crate) const SEQUENTIAL: [u32; 7] =
    [0x33205c, 0x3a4a8c, 0x2a7590, 0x219c83, 0x68bd5b, 0xc2d243, 0xf7e35a];
pub(crate) const CATEGORIES_LIGHT: [u32; 8] =
    [0x2b7fc0, 0xe8a33d, 0x1f9a7a, 0xd9cf3c, 0x6b6fb5, 0x7cc3ec, 0xc4501a, 0xdc9cc2];
pub(crate) const CATEGORIES_DARK: [u32; 8] =
    [0x3f8fd2, 0xe8a33d, 0x2aa585, 0xd9cf4a, 0x8084cc, 0x8accf0, 0xd8632a, 0xe3a9cb];

impl Theme {
    pub(crate) fn category(self, place: usize) -> Rgb {
        let tones = match self {
            Self::Light => &CATEGORIES_LIGHT,
            Self::Dark => &CATEGORIES_DARK,
        };
        Rgb::of(tones[place % tones.len()])
    }

    /// A colour of a ramp, at a share from 0 to 1.
    pub(crate) fn ramp(self, diverging: bool, share: f64) -> Rgb {
        let stops = match (diverging, self) {
            (true, Self::Light) => &DIVERGING_LIGHT,
            (true, Self::Dark) => &DIVERGING_DARK,
            (false, _) => &SEQUENTIAL,
        };
        let place = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let index = (place as usize).min(stops.len() - 2);
        Rgb::of(stops[index]).mixed(Rgb::of(stops[index + 1]), place - index as f64)
    }

    /// The colour of a node without a value.
    pub(crate) fn unknown(self) -> Rgb {
        Rgb::of(self.pick(0xd5d9df, 0x454c58))
    }

    /// The colour if nodes are not distinguished by colour.
    pub(crate) fn plain(self) -> Rgb {
        Rgb::of(self.pick(0xb9cfe6, 0x3d5a7a))
    }

    pub(crate) fn ground(self) -> Rgb {
        Rgb::of(self.pick(0xffffff, 0x1a2029))
    }

    pub(crate) fn ink(self) -> Rgb {
        Rgb::of(self.pick(0x17202b, 0xe6ebf1))
    }

    pub(crate) fn soft_ink(self) -> Rgb {
        Rgb::of(self.pick(0x51606f, 0xa6b3c1))
    }

    /// The colour of a query's matches.
    pub(crate) fn mark(self) -> Rgb {
        Rgb::of(self.pick(0xb3129a, 0xff7bde))
    }

    const fn pick(self, light: u32, dark: u32) -> u32 {
        match self {
            Self::Light => light,
            Self::Dark => dark,
        }
    }
}

impl Rgb {
    pub(crate) const fn of(number: u32) -> Self {
        Self([(number >> 16) as u8, (number >> 8) as u8, number as u8])
    }

    fn mixed(self, other: Self, share: f64) -> Self {
        let mix =
            |k: usize| (f64::from(self.0[k]) * (1.0 - share) + f64::from(other.0[k]) * share).round() as u8;
        Self([mix(0), mix(1), mix(2)])
    }

    /// Black or white, whichever is more readable on this colour.
    pub(crate) fn ink(self) -> &'static str {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = self.0.map(linear);
        if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.3 { "#10151c" } else { "#ffffff" }
    }
}

impl std::fmt::Display for Rgb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_colours_are_the_same() {
        let page = include_str!("../../gt-view/web/src/overview/colors.ts");
        let all = [
            &DIVERGING_LIGHT[..],
            &DIVERGING_DARK,
            &SEQUENTIAL,
            &CATEGORIES_LIGHT,
            &CATEGORIES_DARK,
            &[0xd5d9df, 0x454c58],
        ];
        for tones in all {
            let text = tones.iter().map(|tone| format!("'{}'", Rgb::of(*tone))).collect::<Vec<_>>();
            let lists = [text.join(", "), format!("light: {}, dark: {}", text[0], text[1])];
            assert!(lists.iter().any(|list| page.contains(list)), "colors.ts lacks {lists:?}");
        }
    }

    #[test]
    fn a_ramp_goes_from_its_first_colour_to_its_last() {
        assert_eq!(Theme::Light.ramp(true, 0.0), Rgb::of(0x8a3b00));
        assert_eq!(Theme::Light.ramp(true, 0.5), Rgb::of(0xf3ede4));
        assert_eq!(Theme::Dark.ramp(false, 7.0), Rgb::of(0xf7e35a));
        assert_eq!([Rgb::of(0xffffff).ink(), Rgb::of(0x33205c).ink()], ["#10151c", "#ffffff"]);
    }
}
