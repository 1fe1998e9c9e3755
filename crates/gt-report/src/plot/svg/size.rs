//! The size of a picture.

/// The width and the height below which nothing fits.
pub(super) const WIDTH_MIN: f64 = 200.0;
const HEIGHT_MIN: f64 = 120.0;

/// The size of a picture, in pixels of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Its width.
    pub width: f64,
    /// Its height; bars with names take the height they need instead.
    pub height: f64,
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 640.0, height: 320.0 }
    }
}

impl Size {
    /// Never so small that nothing fits.
    pub(super) fn legible(self) -> Self {
        Self { width: self.width.max(WIDTH_MIN), height: self.height.max(HEIGHT_MIN) }
    }
}
