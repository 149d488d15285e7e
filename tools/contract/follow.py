"""Follows matches from the messages of a socket, one a line: applies patches and compares the hash after each.

Written from the documents; shares no code with the server.
"""

import hashlib
import json
import sys


def canonical(it):
    if isinstance(it, list):
        return "[" + ",".join(canonical(item) for item in it) + "]"
    if isinstance(it, dict):
        keys = sorted(it, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(json.dumps(key, ensure_ascii=False) + ":" + canonical(it[key]) for key in keys) + "}"
    return json.dumps(it, ensure_ascii=False)


def sha(it):
    return "sha256:" + hashlib.sha256(canonical(it).encode()).hexdigest()


def view_hash(view):
    leaves = []
    for key, value in view.items():
        if key in ("cards", "players", "zones"):
            leaves += [sha([key, name, it]) for name, it in value.items()]
        else:
            leaves.append(sha([key, value]))
    return sha(sorted(leaves))


def merge(target, patch):
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


def main():
    view, checked = None, 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "state.view":
            view = message["view"]
        elif message["type"] == "state.delta":
            view = merge(view, message["patch"])
        else:
            continue
        found = view_hash(view)
        if found != message["viewHash"]:
            sys.exit(f"another hash after {message['type']} at {message['sequence']}: {found}")
        checked += 1
    print(checked)


main()
