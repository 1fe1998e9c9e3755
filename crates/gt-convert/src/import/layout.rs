//! The role of each column of an imported table: part of the structure (see [`Role`]), or an attribute.
//!
//! Columns are recognised by their names, unless the options rename or omit them. `size` is checked against
//! the structure; so is `ply` in an export, while elsewhere it is an attribute.

use std::collections::HashSet;

use gt_log::{ATTRIBUTES_MAX, Kind, NAME_BYTES_MAX, Schema, SchemaError};

use super::options::ImportOptions;
use crate::description::Description;
use crate::role::Role;
use crate::{Error, ErrorKind, Result};

/// The roles of a table's columns.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The role of each column; `None` for an omitted one.
    pub(crate) roles: Vec<Option<Role>>,
    /// The attributes: name, and number of the column.
    pub(crate) attributes: Vec<(String, usize)>,
}

impl Layout {
    pub(crate) fn new(
        names: &[String],
        description: Option<&Description>,
        options: &ImportOptions,
    ) -> Result<Self> {
        check_options(names, options)?;
        let columns = names.len().saturating_sub(options.omit.len());
        if columns > ATTRIBUTES_MAX + Role::STRUCTURE.len() {
            return Err(ErrorKind::TooManyColumns { columns }.into());
        }
        let mut layout = Self { roles: Vec::with_capacity(names.len()), attributes: Vec::new() };
        let mut seen = HashSet::new();
        for (column, name) in names.iter().enumerate() {
            if !seen.insert(name) {
                return Err(ErrorKind::ColumnTwice { name: name.clone() }.into());
            }
            let role = match options.omit.contains(name) {
                true => None,
                false => Some(layout.role(column, name, description, options)),
            };
            if let Some(role) = role
                && layout.roles.contains(&Some(role))
            {
                return Err(ErrorKind::ColumnTwice { name: role.name().to_owned() }.into());
            }
            layout.roles.push(role);
        }
        for role in [Role::NodeId, Role::ParentId] {
            if !layout.roles.contains(&Some(role)) {
                let present = names.iter().filter(|name| !options.omit.contains(name)).cloned().collect();
                return Err(ErrorKind::NoColumn { name: role.name(), present }.into());
            }
        }
        if layout.attributes.len() > ATTRIBUTES_MAX {
            return Err(ErrorKind::TooManyColumns { columns: layout.attributes.len() }.into());
        }
        layout.check_names(names)?;
        Ok(layout)
    }

    fn role(
        &mut self,
        column: usize,
        name: &str,
        description: Option<&Description>,
        options: &ImportOptions,
    ) -> Role {
        let renamed = options.renames.iter().find(|(from, _)| from == name).map(|(_, to)| to.as_str());
        let structural = match renamed {
            // A column that is explicitly given its own name is meant as an attribute.
            Some(to) if to == name => None,
            Some(to) => structural_role(to, None),
            None => structural_role(name, description),
        };
        structural.unwrap_or_else(|| {
            self.attributes.push((renamed.unwrap_or(name).to_owned(), column));
            Role::Attribute(self.attributes.len() - 1)
        })
    }

    /// Rejects names that no attribute can have, with a valid name for each.
    fn check_names(&self, names: &[String]) -> Result<()> {
        let mut taken = HashSet::new();
        for (name, column) in &self.attributes {
            let checked = Schema::new([(name.as_str(), Kind::I64)]);
            let error = match checked {
                Err(error) => error,
                Ok(_) if !taken.insert(name) => SchemaError::NameTwice(name.clone()),
                Ok(_) => continue,
            };
            let proposal = rename_proposal(&names[*column], name);
            return Err(Error::new(ErrorKind::Name { error, proposal }).in_column(&names[*column]));
        }
        Ok(())
    }
}

fn structural_role(name: &str, description: Option<&Description>) -> Option<Role> {
    if let Some(description) = description {
        if description.has_attribute(name) {
            return None;
        }
        if let Some(plain) = name.strip_prefix('_')
            && description.has_attribute(plain)
        {
            return Role::STRUCTURE.into_iter().find(|role| role.name() == plain);
        }
    }
    let role = Role::STRUCTURE.into_iter().find(|role| role.name() == name)?;
    // Queries use `ply` by that name: it is not an attribute only if the export is known to have added it.
    (role != Role::Ply || description.is_some()).then_some(role)
}

/// Checks that every column named by an option exists.
fn check_options(names: &[String], options: &ImportOptions) -> Result<()> {
    let renamed = options.renames.iter().map(|(from, _)| (from, "--rename"));
    let omitted = options.omit.iter().map(|name| (name, "--omit"));
    for (name, option) in renamed.chain(omitted) {
        if !names.contains(name) {
            let present = names.to_vec();
            return Err(ErrorKind::NoSuchColumn { name: name.clone(), option, present }.into());
        }
    }
    Ok(())
}

/// The option that gives a column a valid name.
pub(crate) fn rename_proposal(column: &str, name: &str) -> String {
    let legal: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(NAME_BYTES_MAX - 6)
        .collect();
    let legal = legal.trim_matches('_');
    let legal = match legal.bytes().next() {
        Some(first) if first.is_ascii_alphabetic() => legal.to_owned(),
        Some(_) => format!("x{legal}"),
        None => "column".to_owned(),
    };
    let legal = if legal == name { format!("{legal}_value") } else { legal };
    let plain = column.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if plain && !column.is_empty() {
        format!("--rename {column}={legal}")
    } else {
        format!("--rename '{}'={legal}", column.escape_debug())
    }
}
