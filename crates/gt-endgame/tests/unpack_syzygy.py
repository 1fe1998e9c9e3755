"""Unpacks the Syzygy tables that python-chess's source archive has into a folder: unpack_syzygy.py ARCHIVE FOLDER"""

import sys
import tarfile
from pathlib import Path

archive, folder = sys.argv[1:]
with tarfile.open(archive) as tar:
    for member in tar.getmembers():
        path = Path(member.name)
        if path.parent.name == "regular" and path.suffix in (".rtbw", ".rtbz"):
            (Path(folder) / path.name).write_bytes(tar.extractfile(member).read())
