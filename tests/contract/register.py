"""Fills the register with the sample, exports packages, and validates them by the filing rules of the EBA."""

import json
import os
import pathlib
import re
import sys
import urllib.request
import zipfile

from xbridge.validation import validate

sample, data = map(pathlib.Path, sys.argv[1:])
url, key = os.environ["TIDEWALL_URL"], os.environ["TIDEWALL_KEY"]


def call(method, path, body=None, kind="text/csv"):
    headers = {"X-API-Key": key, "Content-Type": kind}
    request = urllib.request.Request(url + path, body, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return answer.headers, answer.read()


def problems(path):
    """Everything the validator says, by group and severity."""
    found = validate(str(path), eba=True)
    return {(group, kind): said for group, kinds in found.items() for kind, said in kinds.items() if said}


tables = sorted(sample.glob("*.csv"))
assert len(tables) == 15, tables
for table in tables:
    call("POST", f"/api/v1/register/import?template={table.stem.upper()}", table.read_bytes())
_, answer = call("GET", "/api/v1/register")
standing = json.loads(answer)["data"]
assert standing["problems"]["refused"] == 0, standing
# The demonstration's own arrangements are not part of the sample: they keep the register from being ready.
assert standing["waiting"] > 0 and standing["readiness_pct"] < 100, standing

for scope, mark in (("individual", "IND"), ("consolidated", "CON")):
    headers, content = call("GET", f"/api/v1/register/export?scope={scope}&reference_date=2025-12-31")
    name = re.fullmatch(r'attachment; filename="(.+)"', headers["Content-Disposition"])[1]
    pattern = rf"[A-Z0-9]{{20}}\.{mark}_DE_DORA010100_DORA_2025-12-31_\d{{17}}\.zip"
    assert re.fullmatch(pattern, name), name
    package = data / name
    package.write_bytes(content)
    said = problems(package)
    assert not said, said
    print(f"  {name}: no error, no warning")

# The validator is awake: without its indicators the same package is refused.
broken = data / "broken"
broken.mkdir()
with zipfile.ZipFile(package) as good, zipfile.ZipFile(broken / name, "w") as bad:
    for entry in good.namelist():
        if not entry.endswith("FilingIndicators.csv"):
            bad.writestr(entry, good.read(entry))
assert any(kind == "errors" for _, kind in problems(broken / name)), "the validator accepts anything"
