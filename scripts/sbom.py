"""Turns `cargo metadata` (standard input) and Cargo.lock (first argument) into a CycloneDX 1.6 bill of materials."""

import hashlib
import json
import sys
import tomllib
import uuid

metadata = json.load(sys.stdin)
lock_text = open(sys.argv[1], "rb").read()
checksums = {(p["name"], p["version"]): p.get("checksum") for p in tomllib.loads(lock_text.decode())["package"]}
packages = {p["id"]: p for p in metadata["packages"]}
nodes = {n["id"]: n for n in metadata["resolve"]["nodes"]}
root = next(p["id"] for p in metadata["packages"] if p["name"] == "tidewall" and p["id"] in metadata["workspace_members"])


def shipped(node):
    """What ends up in the program: neither what only tests need nor what only builds need."""
    return [d["pkg"] for d in node["deps"] if any(k["kind"] is None for k in d["dep_kinds"])]


reached, waiting = set(), [root]
while waiting:
    package = waiting.pop()
    if package not in reached:
        reached.add(package)
        waiting.extend(shipped(nodes[package]))


def purl(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def licences(text):
    # Cargo once took a slash for OR.
    return [{"expression": text.replace("/", " OR ").replace("  ", " ")}] if text else []


def component(package):
    kind = "application" if package["id"] == root else "library"
    found = {"type": kind, "bom-ref": purl(package), "name": package["name"], "version": package["version"],
             "purl": purl(package), "licenses": licences(package.get("license"))}
    checksum = checksums.get((package["name"], package["version"]))
    if checksum:
        found["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package.get("repository"):
        found["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return found


listed = sorted((packages[i] for i in reached if i != root), key=lambda p: (p["name"], p["version"]))
depends = [{"ref": purl(packages[i]), "dependsOn": sorted({purl(packages[d]) for d in shipped(nodes[i])})} for i in reached]
print(json.dumps({
    "bomFormat": "CycloneDX",
    "specVersion": "1.6",
    "serialNumber": "urn:uuid:" + str(uuid.UUID(bytes=hashlib.sha256(lock_text).digest()[:16], version=4)),
    "version": 1,
    "metadata": {"component": component(packages[root])},
    "components": [component(p) for p in listed],
    "dependencies": sorted(depends, key=lambda d: d["ref"]),
}, indent=1, ensure_ascii=False))
