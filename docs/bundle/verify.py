#!/usr/bin/env python3
"""Verifies an audit bundle of Tidewall with nothing but the standard library of Python (3.8 or later).

    python3 verify.py FILE [KEY]

FILE is the bundle, KEY the public key of the installation as published at /api/bundle-key (64 hexadecimal digits).
Without KEY the bundle is compared with itself only: whether it is that of the institution remains open.
The format is described in README.md in this folder. This program shares no code with the service.
"""

import hashlib
import json
import re
import sys
import zipfile
import zlib

FORMAT = "tidewall-bundle-1"
SEAL = len(FORMAT) + 1 + 64 + 1 + 128
PATH = re.compile(r"(?!\.)[A-Za-z0-9._-]+(/(?!\.)[A-Za-z0-9._-]+)*")
HEX = re.compile(r"[0-9a-f]*")


class Fault(Exception):
    """The first thing that is wrong: a code for programs and a place for people."""

    def __init__(self, code, place=""):
        super().__init__(f"{code}: {place}" if place else code)
        self.code = code


# Ed25519 (RFC 8032), verification only.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(a, b):
    """The sum of two points in extended coordinates."""
    s, t = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    u, v = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = t - s, v - u, v + u, t + s
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(n, point):
    total = (0, 1, 1, 0)
    while n:
        if n & 1:
            total = add(total, point)
        point = add(point, point)
        n >>= 1
    return total


def decode_point(data):
    """The point of 32 bytes, or None."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def encode_point(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


BASE = decode_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def has_signed(key, message, signature):
    point, s = decode_point(key), int.from_bytes(signature[32:], "little")
    if point is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    minus = (P - point[0], point[1], 1, P - point[3])
    return encode_point(add(times(s, BASE), times(h, minus))) == signature[:32]


def unhex(text, length, code):
    """The bytes of lower-case hexadecimal text of exactly this many bytes."""
    if not isinstance(text, str) or len(text) != 2 * length or not HEX.fullmatch(text):
        raise Fault(code, "a value is not hexadecimal")
    return bytes.fromhex(text)


# The archive: the last bytes of the file sign every byte before them.
def check_seal(file, expected):
    size = file.seek(0, 2)
    if size < SEAL:
        raise Fault("archive.seal")
    file.seek(0)
    digest, left = hashlib.sha256(), size - SEAL
    while left:
        block = file.read(min(left, 1 << 16))
        digest.update(block)
        left -= len(block)
    try:
        parts = file.read(SEAL).decode("ascii").split(" ")
    except UnicodeDecodeError:
        raise Fault("archive.seal") from None
    if len(parts) != 3 or parts[0] != FORMAT:
        raise Fault("archive.seal")
    key = unhex(parts[1], 32, "archive.seal")
    if expected is not None and key != expected:
        raise Fault("archive.key", "fingerprint " + hashlib.sha256(key).hexdigest())
    signature = unhex(parts[2], 64, "archive.signature")
    if not has_signed(key, b"tidewall bundle archive 1\n" + digest.digest(), signature):
        raise Fault("archive.signature")
    return key


def read_manifest(archive, key):
    try:
        text, signature = archive.read("manifest.json"), archive.read("manifest.sig").decode("ascii")
        stamp = archive.read("manifest.tsr") if "manifest.tsr" in archive.namelist() else None
    except (KeyError, ValueError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise Fault("manifest.unreadable", str(error)) from None
    digest, own = hashlib.sha256(text).digest(), unhex(signature[:-1], 64, "manifest.signature")
    if signature[-1:] != "\n" or not has_signed(key, b"tidewall bundle manifest 1\n" + digest, own):
        raise Fault("manifest.signature")
    if stamp is not None and b"\x04\x20" + digest not in stamp:  # who signed it, and when: `openssl ts -verify`
        raise Fault("stamp.digest")
    try:
        manifest = json.loads(text)
        if manifest["format"] != FORMAT or manifest["key"] != key.hex():
            raise Fault("manifest.unreadable", "its format or its key is another one")
        for name, kind in (("name", str), ("first", int), ("before", str), ("last", int), ("head", str), ("link", str)):
            if not isinstance(manifest["chain"][name], kind):
                raise TypeError(name)
        for entry in manifest["files"]:
            (entry["path"] + entry["sha256"], entry["bytes"] + 0)
        return manifest, stamp is not None
    except (ValueError, KeyError, TypeError) as error:
        raise Fault("manifest.unreadable", str(error)) from None


def check_names(archive, manifest, stamped):
    found = archive.namelist()
    for name in found:
        if not PATH.fullmatch(name) or len(name) > 200:
            raise Fault("file.name", name)
    named = [entry["path"] for entry in manifest["files"]] + ["manifest.json", "manifest.sig"]
    named += ["manifest.tsr"] * stamped
    known, present = set(named), set(found)
    for code, names, others in (("file.added", found, known), ("file.left_out", named, present)):
        for name in names:
            if name not in others:
                raise Fault(code, name)
    if found != named:
        raise Fault("file.order")


def check_file(archive, entry):
    digest, size = hashlib.sha256(), 0
    try:
        with archive.open(entry["path"]) as content:
            while size <= entry["bytes"]:
                block = content.read(1 << 16)
                if not block:
                    break
                digest.update(block)
                size += len(block)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise Fault("file.digest", f"{entry['path']}: {error}") from None
    if size != entry["bytes"] or digest.hexdigest() != entry["sha256"]:
        raise Fault("file.digest", entry["path"])


# The audit chain: every entry has the link of the one before it, and a plain hash where no key was in use yet.
def short(subject):
    return hashlib.sha256(subject.encode()).digest()[:8]


def check_chain(archive, chain):
    """The digests of what the entries are about, and how many of them have a keyed hash."""
    try:
        before, seq = bytes.fromhex(chain["before"]), chain["first"] - 1
    except ValueError:
        raise Fault("chain.head") from None
    link, subjects, keyed = bytes(32), bytearray(), 0
    with archive.open("chain.jsonl") as lines:
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                fields = [chain["name"]] + [entry[name] for name in ("actor", "action", "subject", "detail")]
                texts = [field.encode() for field in fields]
                place = entry["seq"].to_bytes(8, "big", signed=True) + entry["at"].to_bytes(8, "big", signed=True)
                key, named = entry["key"], entry["link"]
            except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
                raise Fault("chain.unreadable", f"line {number}") from None
            seq += 1
            if entry["seq"] != seq:
                raise Fault("chain.order", f"entry {seq}")
            own = unhex(entry["hash"], 32, "chain.unreadable")
            content = before + place + b"".join(len(text).to_bytes(8, "big") + text for text in texts)
            if key is None and hashlib.sha256(content).digest() != own:
                raise Fault("chain.hash", f"entry {seq}")
            link, before = hashlib.sha256(link + content + own).digest(), own
            if link.hex() != named:
                raise Fault("chain.link", f"entry {seq}")
            keyed += key is not None
            subjects += short(entry["subject"])
    if (seq, before.hex(), link.hex()) != (chain["last"], chain["head"], chain["link"]):
        raise Fault("chain.head")
    return subjects, keyed


# The claims: requirements rest on records and files, records on entries of the audit chain.
def read_lines(archive, path, fields):
    with archive.open(path) as lines:
        for number, line in enumerate(lines, 1):
            try:
                claim = json.loads(line)
                values = [claim[field] for field in fields]
            except (ValueError, KeyError, TypeError):
                raise Fault("claim.unreadable", f"{path}, line {number}") from None
            yield number, values


def check_claims(archive, manifest, subjects):
    files = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    wanted, requirements, lists, first = set(), 0, {}, manifest["chain"]["first"]
    if "requirements.jsonl" in files:
        for requirements, (records, rests) in read_lines(archive, "requirements.jsonl", ("records", "files")):
            for path, sha256 in rests:
                if files.get(path) != sha256:
                    raise Fault("claim.file", path)
            wanted.update((record["list"], record["id"], record["version"]) for record in records)
    for path in files:
        if not (path.startswith("lists/") and path.endswith(".jsonl")):
            continue
        count = {"in_slice": 0, "before_slice": 0, "without_entry": 0}
        for number, (record, version, entry) in read_lines(archive, path, ("id", "version", "rests_on")):
            place = None if entry is None else 8 * (entry - first)
            if place is None:
                count["without_entry"] += 1
            elif place < 0 < entry:
                count["before_slice"] += 1
            elif place >= 0 and subjects[place : place + 8] == short(record):
                count["in_slice"] += 1
            else:
                raise Fault("claim.entry", f"{path}, line {number}, entry {entry}")
            wanted.discard((path[6:-6], record, version))
        lists[path[6:-6]] = count
    if wanted:
        raise Fault("claim.record", str(min(wanted)))
    return requirements, lists


def verify(file, expected=None):
    """What a bundle without a fault proves; raises the first fault otherwise."""
    key = check_seal(file, expected)
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError) as error:
        raise Fault("archive.container", str(error)) from None
    manifest, stamped = read_manifest(archive, key)
    check_names(archive, manifest, stamped)
    for entry in manifest["files"]:
        check_file(archive, entry)
    if "chain.jsonl" not in (entry["path"] for entry in manifest["files"]):
        raise Fault("file.left_out", "chain.jsonl")
    subjects, keyed = check_chain(archive, manifest["chain"])
    requirements, lists = check_claims(archive, manifest, subjects)
    return {
        "ok": True, "key": key.hex(), "key_was_compared": expected is not None, "subject": manifest["subject"],
        "files": len(manifest["files"]), "missing": len(manifest["missing"]), "entries": len(subjects) // 8,
        "keyed_entries": keyed, "requirements": requirements, "lists": lists, "stamped": stamped,
    }


def main(arguments):
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        expected = unhex(arguments[1].strip(), 32, "key") if len(arguments) == 2 else None
        with open(arguments[0], "rb") as file:
            print(json.dumps(verify(file, expected), indent=2, ensure_ascii=False))
        return 0
    except Fault as fault:
        print(json.dumps({"ok": False, "code": fault.code, "fault": str(fault)}, ensure_ascii=False))
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
