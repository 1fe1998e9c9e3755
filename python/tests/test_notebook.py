"""What a notebook shows, and the example notebook from its first cell to its last."""

import os
import pathlib
import urllib.request
import xml.dom.minidom

import nbclient
import nbformat
import pytest

import gt_tools

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize("name", [path.name for path in sorted(EXAMPLES.glob("*.ipynb"))])
def test_the_example_runs(name: str, tmp_path: pathlib.Path) -> None:
    notebook = nbformat.read(EXAMPLES / name, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "the notebook is kept without its outputs"
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"text/html", "image/svg+xml"} <= kinds
    folder = os.environ.get("GT_NOTEBOOK_PICTURES")
    pictures = [output["data"]["image/svg+xml"] for output in shown if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) == 2
    if folder:
        for title, picture in zip(("python-chart", "python-board"), pictures):
            pathlib.Path(folder, f"{title}.svg").write_text("".join(picture) + "\n")


def test_pictures_are_well_formed(chess_tree: gt_tools.Tree) -> None:
    assert "nodes-per-ply" in chess_tree.charts
    for name in chess_tree.charts:
        chart = chess_tree.plot(name)
        xml.dom.minidom.parseString(chart.svg)
        assert chart.name == name and chart.title and chart.meaning and chart.query
    for game in gt_tools.games():
        xml.dom.minidom.parseString(gt_tools.Position(game)._repr_svg_())
    moved = chess_tree.root.children[0].position
    assert moved.svg != gt_tools.Position("chess", moved.text).svg, "the last move is marked"


def test_what_is_shown_is_escaped(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "<b>&.gtf"
    with gt_tools.create(path, {"word": str}, game="<i>") as log, log.tree(note="<script>") as tree:
        tree.leaf(0, "<u>")
    log = gt_tools.open(path)
    tree = log.trees[0]
    for shown in (log, tree, tree.root, tree.query("select word"), tree.query('node: count(word = "<u>")')):
        html = shown._repr_html_()
        for tag in ("<i>", "<script>", "<u>", "<b>&"):
            assert tag not in html
        assert repr(shown)


def test_long_answers_are_cut(chess_tree: gt_tools.Tree) -> None:
    html = chess_tree.query("select best")._repr_html_()
    assert html.count("<tr>") == 21 and "rows more" in html


def test_the_viewer_is_started_and_stopped(chess_tree: gt_tools.Tree) -> None:
    with chess_tree.view() as viewer:
        assert f'<iframe src="{viewer.url}"' in viewer._repr_html_()
        assert viewer.url.startswith("http://127.0.0.1:")
        api = viewer.url.split("?")[0] + "api/logs"
        assert urllib.request.urlopen(api, timeout=10).status == 200
    assert "closed" in viewer._repr_html_() and "closed" in repr(viewer)
    with pytest.raises(OSError):
        urllib.request.urlopen(api, timeout=10)
    with pytest.raises(gt_tools.LogError, match="in memory"):
        gt_tools.open(chess_tree_bytes(chess_tree)).trees[0].view()


def chess_tree_bytes(tree: gt_tools.Tree) -> bytes:
    return pathlib.Path(repr(tree).split(" of ")[1].split(": ")[0]).read_bytes()
