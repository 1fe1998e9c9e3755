"""The manual's Python is run: the blocks of a chapter, in their order, in one empty folder."""

import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).parent.parent.parent / "docs"


def blocks(chapter: str) -> "list[str]":
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / chapter).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("chapter", ["python.md"])
def test_the_chapter_runs(chapter: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = blocks(chapter)
    assert len(found) > 5
    names: "dict[str, object]" = {"__name__": "manual"}
    for number, block in enumerate(found):
        exec(compile(block, f"{chapter}, block {number + 1}", "exec"), names)


def test_the_error_on_the_page_is_the_one_that_is_raised(chess_tree) -> None:
    import gt_tools

    shown = re.search(r"^```text\n(error: `bets`.*?)^```$", (DOCS / "python.md").read_text(), re.M | re.S)
    with pytest.raises(gt_tools.QueryError) as error:
        chess_tree.query("node: count(bets > 3)")
    assert shown is not None and str(error.value).strip().startswith(shown[1].strip())
