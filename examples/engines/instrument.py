#!/usr/bin/env python3
"""Puts a wrapper of ours before functions of an engine, so that every call of them is logged.

    instrument.py SOURCE.cpp --include wrapper.h --top common.hpp 'TYPE NAME'...

In SOURCE the definition of each function NAME that returns a TYPE becomes that of gtInner_NAME, with its body as it was. Before the first of them comes
`#include "wrapper.h"`, which defines NAME anew: it enters a node, calls gtInner_NAME, and leaves the node with what that returned. The
calls in the bodies are not touched, so they go through the wrapper, and so does every `return`.

Functions that are members (`Value Worker::search(...)`) are declared in a class: --class HEADER names its file, where gtInner_NAME is
declared beside NAME, and GT_MEMBER is defined as the class. GT_PARAMETERS_NAME is how many parameters a function has.
"""

import argparse
import re
import sys


def definition(result: str, name: str) -> re.Pattern:
    """The head of a function's definition, from the beginning of its line, with a template above it, to its brace."""
    return re.compile(
        r"^[ \t]*(?:template\s*<[^>]*>\s*)?(?:static\s+)?" + result + r"[ \t]+(?P<class>(?:\w+::)*)" + name + r"\s*\([^;{}]*\)\s*(?:const\s*)?\{",
        re.MULTILINE,
    )


def declaration(result: str, name: str) -> re.Pattern:
    return re.compile(
        r"^[ \t]*(?:template\s*<[^>]*>\s*)?" + result + r"[ \t]+" + name + r"\s*\([^;{}]*\)\s*(?:const\s*)?;", re.MULTILINE
    )


def fail(message: str) -> None:
    sys.exit(f"instrument.py: {message}")


def renamed(head: str, name: str) -> str:
    return re.sub(r"\b" + name + r"(?=\s*\()", "gtInner_" + name, head, count=1)


def main() -> None:
    parser = argparse.ArgumentParser(description="puts a wrapper of ours before functions of an engine")
    parser.add_argument("source")
    parser.add_argument("functions", nargs="+", metavar="TYPE NAME", type=lambda words: words.split())
    parser.add_argument("--include", required=True, help="the header with the wrappers")
    parser.add_argument("--top", required=True, help="the header for the top of the file, outside of every namespace")
    parser.add_argument("--class", dest="class_header", help="where the functions are declared, if they are members")
    arguments = parser.parse_args()

    with open(arguments.source, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    if "gtInner_" in text:
        fail(f"{arguments.source} was done before; start from the engine's own source")
    first, classes, defines = len(text), set(), ""
    for result, name in arguments.functions:
        found = list(definition(result, name).finditer(text))
        if len(found) != 1:
            fail(f"{arguments.source} defines `{name}` {len(found)} times, and once was expected: this version is not known")
        match = found[0]
        classes.add(match.group("class"))
        parameters = match.group(0).partition("(")[2].count(",") + 1
        defines += f"#define GT_PARAMETERS_{name} {parameters}\n"
        text = text[: match.start()] + renamed(match.group(0), name) + text[match.end() :]
        first = min(first, match.start())
    if len(classes) != 1:
        fail(f"the functions belong to different classes: {sorted(classes)}")
    member = classes.pop().rstrip(":")
    defines += f"#define GT_MEMBER {member}\n" if member else ""
    text = text[:first] + f'#include "{arguments.include}"\n\n' + text[first:]
    text = f'#include "{arguments.top}"\n{defines}' + text
    if member:
        declare(arguments, member)
    with open(arguments.source, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


def declare(arguments: argparse.Namespace, member: str) -> None:
    if not arguments.class_header:
        fail(f"the functions are members of {member}; say where it is declared: --class")
    with open(arguments.class_header, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    for result, name in arguments.functions:
        match = declaration(result, name).search(text)
        if not match:
            fail(f"{arguments.class_header} does not declare `{name}`: this version is not known")
        text = text[: match.end()] + "\n" + renamed(match.group(0), name) + text[match.end() :]
    with open(arguments.class_header, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


main()
