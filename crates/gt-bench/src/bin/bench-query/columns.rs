//! A tree as files of columns in preorder, for DuckDB: raw numbers, and `columns.json` that says what they are.

use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use gt_log::{Cells, Column, Kind, Tree};
use serde_json::{Value as Json, json};

/// Writes the attributes and `tree_ply`, and for joins `parent_id`, `size`, `sibling` and `children` as well.
pub(crate) fn write_columns(tree: Tree<'_>, joins: bool, folder: &Path) -> Result<(), Box<dyn Error>> {
    let attributes = tree.schema().attributes();
    let mut columns = Vec::new();
    for attribute in attributes {
        columns.push(AttributeFile::create(folder, &attribute.name, attribute.kind)?);
    }
    let mut places = Places::create(folder, joins, tree.nodes())?;
    let asked: Vec<Column> = (0..attributes.len()).map(Column::Attribute).collect();
    tree.preorder::<gt_log::Error>(&asked, |batch| {
        for place in 0..batch.len() {
            places.add(batch.plies[place], batch.parents[place], batch.sizes[place])?;
        }
        for (column, cells) in columns.iter_mut().zip(&batch.cells) {
            column.add(cells)?;
        }
        Ok(())
    })?;
    let mut described = places.finish()?;
    for column in columns {
        described.push(column.finish()?);
    }
    std::fs::write(folder.join("columns.json"), Json::Array(described).to_string())?;
    Ok(())
}

fn file(folder: &Path, name: &str) -> std::io::Result<BufWriter<File>> {
    Ok(BufWriter::with_capacity(1 << 20, File::create(folder.join(name))?))
}

/// A column of the places of nodes in their tree.
const PLACES: [&str; 5] = ["tree_ply", "parent_id", "size", "sibling", "children"];

struct Places {
    files: Vec<(&'static str, BufWriter<File>)>,
    /// By node, for joins.
    children: Vec<i32>,
}

impl Places {
    fn create(folder: &Path, joins: bool, nodes: u64) -> Result<Self, Box<dyn Error>> {
        let names = if joins { &PLACES[..] } else { &PLACES[..1] };
        let mut files = Vec::new();
        for name in names {
            files.push((*name, file(folder, name)?));
        }
        Ok(Self { files, children: if joins { vec![0; usize::try_from(nodes)?] } else { Vec::new() } })
    }

    fn add(&mut self, ply: i64, parent: i64, size: i64) -> std::io::Result<()> {
        let mut sibling = 0;
        let of_parent = usize::try_from(parent).ok().and_then(|parent| self.children.get_mut(parent));
        if let Some(children) = of_parent {
            sibling = *children;
            *children += 1;
        }
        // All but the last, which is known at the end.
        for ((_, file), value) in self.files.iter_mut().zip([ply as i32, parent as i32, size as i32, sibling])
        {
            file.write_all(&value.to_le_bytes())?;
        }
        Ok(())
    }

    fn finish(mut self) -> std::io::Result<Vec<Json>> {
        if let Some((_, file)) = self.files.get_mut(PLACES.len() - 1) {
            for children in &self.children {
                file.write_all(&children.to_le_bytes())?;
            }
        }
        let described = self.files.into_iter().map(|(name, mut file)| {
            file.flush()?;
            Ok(json!({"name": name, "dtype": "<i4", "texts": [], "missing": false}))
        });
        described.collect()
    }
}

struct AttributeFile {
    name: String,
    kind: Kind,
    values: BufWriter<File>,
    missing: BufWriter<File>,
    any_missing: bool,
    texts: HashMap<String, i64>,
}

impl AttributeFile {
    fn create(folder: &Path, name: &str, kind: Kind) -> std::io::Result<Self> {
        Ok(Self {
            name: name.to_owned(),
            kind,
            values: file(folder, name)?,
            missing: file(folder, &format!("{name}.missing"))?,
            any_missing: false,
            texts: HashMap::new(),
        })
    }

    fn add(&mut self, cells: &Cells) -> std::io::Result<()> {
        // A batch numbers its texts anew; the table has one number for each.
        let codes: Vec<i64> = cells.texts.iter().map(|text| self.code(text)).collect();
        let width = self.width();
        for (place, &integer) in cells.integers.iter().enumerate() {
            let integer = codes.get(integer as usize).copied().unwrap_or(integer);
            self.values.write_all(&integer.to_le_bytes()[..width])?;
            self.any_missing |= cells.is_missing(place);
            self.missing.write_all(&[u8::from(cells.is_missing(place))])?;
        }
        Ok(())
    }

    fn code(&mut self, text: &str) -> i64 {
        if let Some(code) = self.texts.get(text) {
            return *code;
        }
        let code = self.texts.len() as i64;
        self.texts.insert(text.to_owned(), code);
        code
    }

    fn width(&self) -> usize {
        if self.kind == Kind::Text { 4 } else { self.kind.width() }
    }

    fn finish(mut self) -> std::io::Result<Json> {
        self.values.flush()?;
        self.missing.flush()?;
        let mut texts: Vec<(&String, &i64)> = self.texts.iter().collect();
        texts.sort_by_key(|(_, code)| **code);
        let texts: Vec<&String> = texts.into_iter().map(|(text, _)| text).collect();
        let letter = match self.kind {
            Kind::F32 | Kind::F64 => 'f',
            Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => 'u',
            Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 | Kind::Text => 'i',
            Kind::Bool => '?',
        };
        let dtype = if letter == '?' { "?".to_owned() } else { format!("<{letter}{}", self.width()) };
        Ok(json!({"name": self.name, "dtype": dtype, "texts": texts, "missing": self.any_missing}))
    }
}
