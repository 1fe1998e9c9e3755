"""Logs wherever they are: paths of this machine, and addresses that fsspec reads (`s3://…`, `hdfs://…`)."""

from __future__ import annotations

import hashlib
import os
from typing import Any, Sequence, Union

from . import _gt_tools
from ._gt_tools import LogError

Paths = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


def is_remote(path: str) -> bool:
    """Whether a path has a scheme, as `s3://` has."""
    return "://" in path


def expand(paths: Paths) -> "list[str]":
    """The logs that paths and patterns stand for, each once, those of a pattern in the order of their names."""
    listed = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found: "list[str]" = []
    for path in (os.fspath(one) for one in listed):
        found.extend(_expand_remote(path) if is_remote(path) else _expand_local(path))
    return list(dict.fromkeys(found))


def _expand_local(path: str) -> "list[str]":
    # Other processes, and other machines, start in other folders.
    return [os.path.abspath(one) for one in _gt_tools.expand([path])]


def _expand_remote(path: str) -> "list[str]":
    if not any(mark in path for mark in "*?["):
        return [path]
    files, inner = _file_system(path)
    try:
        matches = sorted(files.glob(inner))
    except Exception as error:  # Every file system has errors of its own.
        raise LogError(f"{path}: {error}") from None
    if not matches:
        raise LogError(f"{path}: no file has a name of this form")
    # Of a chained address, `zip://*.gtf::s3://…/logs.zip`, only the first part is a pattern; the rest says where it is.
    container = path.partition("::")[1:]
    return [files.unstrip_protocol(one) + "".join(container) for one in matches]


def _file_system(path: str) -> "tuple[Any, str]":
    try:
        import fsspec
    except ImportError:
        raise LogError(f"{path}: an address with a scheme is read by fsspec, which is not installed here") from None
    try:
        files, inner = fsspec.core.url_to_fs(path)
    except Exception as error:  # An unknown scheme, a package that is missing, a name that cannot be resolved.
        raise LogError(f"{path}: {error}") from None
    return files, inner


def local_copy(path: str, folder: str) -> str:
    """The log as a file of this machine's: itself, or a copy in `folder`."""
    if not is_remote(path):
        return path
    files, inner = _file_system(path)
    target = os.path.join(folder, hashlib.sha256(path.encode()).hexdigest() + ".gtf")
    try:
        files.get_file(inner, target)
    except Exception as error:
        raise LogError(f"{path}: {error or type(error).__name__}") from None
    return target
