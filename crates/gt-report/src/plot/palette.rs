//! The looks that distinguish series: lightness first, then hue, then marks and dashes.
//!
//! The colours go from dark to light on a light page and from light to dark on a dark one, so that neighbours are
//! distinguishable for everyone and in print. A page may override `--gt-ink`, `--gt-muted`, `--gt-grid`, `--gt-paper`
//! and `--gt-series-1` to `-8`.

/// The number of distinct looks; the ninth series looks like the first.
pub(super) const LOOKS: usize = 8;

const LIGHT: [&str; LOOKS] =
    ["#1f4e8c", "#d1782b", "#3a9188", "#8c63a8", "#86b6e0", "#efc16c", "#9ccfb4", "#c9c3cf"];
const DARK: [&str; LOOKS] =
    ["#8fc0f5", "#f0a35e", "#5cc2b4", "#b48fd3", "#4a7fb8", "#a8843c", "#3f8268", "#77707f"];

/// Dashes of lines; the first is solid.
pub(super) const DASHES: [&str; LOOKS] = ["", "7 3", "2 3", "9 3 2 3", "4 4", "12 3", "1 2", "6 2 1 2 1 2"];

/// Marks in a terminal.
pub(super) const MARKS: [char; LOOKS] = ['●', '◆', '▲', '■', '○', '◇', '△', '□'];
/// Marks if only ASCII can be shown.
pub(super) const MARKS_ASCII: [char; LOOKS] = ['o', 'x', '+', '*', '#', '@', '%', '&'];
/// Shades of stacked bars in a terminal.
pub(super) const SHADES: [char; LOOKS] = ['█', '▓', '▒', '░', '▚', '▞', '▖', '▘'];
/// Shades if only ASCII can be shown.
pub(super) const SHADES_ASCII: [char; LOOKS] = ['#', '=', '+', ':', '%', '-', 'o', '.'];
/// Similar colours of a terminal's 256.
pub(super) const TERMINAL: [u8; LOOKS] = [75, 208, 43, 141, 110, 179, 108, 145];

/// The style sheet of every chart, light and dark.
pub(super) fn style_sheet() -> String {
    let variables = |ink: &str, muted: &str, grid: &str, paper: &str, series: &[&str; LOOKS]| {
        let mut text = format!(
            "--ink:var(--gt-ink,{ink});--muted:var(--gt-muted,{muted});--grid:var(--gt-grid,{grid});\
             --paper:var(--gt-paper,{paper});"
        );
        for (place, color) in series.iter().enumerate() {
            let number = place + 1;
            text += &format!("--s{number}:var(--gt-series-{number},{color});");
        }
        text
    };
    let light = variables("#1c2430", "#5b6675", "#e2e6ec", "#ffffff", &LIGHT);
    let dark = variables("#e8ebf0", "#9aa5b4", "#323a46", "#14181f", &DARK);
    let mut text = format!(
        ".gt-chart{{{light}font:12px system-ui,-apple-system,\"Segoe UI\",\"Noto Sans\",sans-serif;\
         font-variant-numeric:tabular-nums}}\
         @media(prefers-color-scheme:dark){{.gt-chart{{{dark}}}}}\
         .gt-chart text{{fill:var(--muted)}}.gt-chart .t{{fill:var(--ink);font-size:14px;font-weight:600}}\
         .gt-chart .v{{fill:var(--ink)}}.gt-chart .g{{stroke:var(--grid);stroke-width:1;fill:none}}\
         .gt-chart .a{{stroke:var(--muted);stroke-width:1;fill:none}}\
         .gt-chart .l{{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}}"
    );
    for number in 1..=LOOKS {
        text += &format!(
            ".gt-chart .f{number}{{fill:var(--s{number})}}.gt-chart .k{number}{{stroke:var(--s{number})}}"
        );
    }
    text
}
