"""What the nodes of a log carry, as Python says it: dataclasses and mappings."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any, Mapping, Optional

from ._gt_tools import WriteError

_KINDS = {int: "i64", float: "f64", bool: "bool", str: "text"}


def schema_list(schema: Any) -> "list[tuple[str, str]]":
    """The names and types of a dataclass or a mapping."""
    if dataclasses.is_dataclass(schema):
        owner = schema if isinstance(schema, type) else type(schema)
        hints = typing.get_type_hints(owner, include_extras=True)
        return [(field.name, _kind(field.name, hints[field.name])) for field in dataclasses.fields(owner)]
    if isinstance(schema, Mapping):
        return [(str(name), _kind(str(name), kind)) for name, kind in schema.items()]
    raise WriteError(f"a schema is a dataclass or a mapping of names to types, and this is `{type(schema).__name__}`")


def alias_list(aliases: Optional[Mapping[str, Any]]) -> "list[tuple[str, int, Optional[str]]]":
    """Aliases, those of an attribute with its name."""
    listed: "list[tuple[str, int, Optional[str]]]" = []
    for name, value in (aliases or {}).items():
        if isinstance(value, Mapping):
            listed.extend((str(alias), int(number), str(name)) for alias, number in value.items())
        else:
            listed.append((str(name), int(value), None))
    return listed


def _kind(name: str, hint: Any) -> str:
    if isinstance(hint, str):
        return hint
    # Annotated[int, "i16"]: the width stands beside the type.
    for extra in getattr(hint, "__metadata__", ()):
        if isinstance(extra, str):
            return extra
    # Optional[int]: every value may be missing.
    arguments = [argument for argument in typing.get_args(hint) if argument is not type(None)]
    if not isinstance(hint, type) and len(arguments) == 1:
        return _kind(name, arguments[0])
    try:
        return _KINDS[hint]
    except (KeyError, TypeError):
        known = "int, float, bool, str, or a type of the log's such as \"i16\""
        raise WriteError(f"the attribute `{name}` is of type {hint!r}, and a log has {known}") from None
