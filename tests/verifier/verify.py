#!/usr/bin/env python3
"""Verifies an exported run, with nothing of Assent but docs/reference/journal-format.md.

    python3 verify.py EXPORT --key HEX

EXPORT is what `assent export` wrote, HEX the public key that is trusted. Exit code 0: all holds.
1: something does not. 2: the call is wrong. Needs no package; the cryptography package, where it is
installed, makes it faster.
"""

import argparse
import datetime
import re
import sys

sys.dont_write_bytecode = True  # nothing is left beside the source
from primitives import AT, ESCAPES, ESCAPES_OF_DATA, FORMS, HEX, INT, RUN, TIME, Fault, program_hash, scan, seal_holds, sha, string

LINE, EXPORT = 192 << 20, 1 << 30  # limits, in bytes

# --- Entries: NAME!TYPE is always there, NAME?TYPE if not empty; a|b is one of the words, TYPE| may be "" ---

PARTS = {
    "Program": "name!string hash!hex| language!int sources![]Source",
    "Source": "path!string text!string",
    "Settings": "maxCalls!int concurrency!int budget?Usage stretchMs!int wallMs?int readOnly?bool"
                " gateTimeoutMs?int loopGuard?warn|stop|off loopGuardRepeats?int contextWarning?int tiers?Tiers simulated?bool",
    "Tiers": "small?Tier medium?Tier big?Tier",
    "Tier": "agent?string model?string effort?string",
    "Usage": "input?int output?int tokens?int costMicroUSD?int",
    "Process": "pid!int started?int host?string user?string",
    "Manner": "asker?bool onGate?default|abort|suspend retryFailed?bool",
    "Call": "name!string args![]JSON after!seq outside?JSON label?string phase?string file?string"
            " line?int column?int readOnly?bool isolated?bool under?string",
    "Failure": "code!string message!string class!ordinary|thrown|fatal|cancelled chosenBy?Who",
    "Changes": "branches?[]Branch commits?[]Commit files?[]File more?int",
    "Branch": "name!string from?string to?string",
    "Commit": "id!string subject!string",
    "File": "path!string kind!added|changed|removed",
    "Artifact": "path!string sha256!hex size!int",
    "Who": "user!string host!string way!terminal|command|web|asker|simulated| name?string",
    "Validation": "call!string model!string agentType?string verdict?sound|doubtful summary?string problems?[]string"
                  " failure?string",
    "PlanApproval": "checksum!hex decision!JSON approvedAt?time",
    "run.started": "run!string title!string program!Program args!JSON workspace!string settings!Settings"
                   " seed!hex version!string owner!Process agent?string manner?Manner",
    "run.resumed": "program?Program settings!Settings version!string owner!Process agent?string"
                   " manner?Manner",
    "call.finished": "call?Call value?JSON failure?Failure usage?Usage durationMs?int note?string"
                     " changes?Changes attempts?[]CallAttempt worktree?Worktree"
                     " transcript?Attachment patch?Attachment",
    "Attachment": "name!file sha256!hex size!seq",
    "Worktree": "path!string branch!branch base!commit commit!commit files?[]File more?seq",
    "CallAttempt": "repair?bool code?string message?string violations?[]string durationMs?int usage?Usage",
    "gate.asked": "gate!name nonce!nonce kind!confirm|input|select|plan prompt!string choices?[]string"
                  " default?JSON headless?default|abort|suspend checksum!hex plan?string program!name|"
                  " after!seq deadline?time suspended?bool revises?name reason?string phase?string"
                  " file?string line?int column?int artifact?Artifact validation?Validation call?string",
    "gate.suspended": "gate!name",
    "gate.answered": "gate!name nonce!nonce checksum!hex program!name| decision!JSON"
                     " unanswered?headless| who!Who planApproval?PlanApproval"
                     " mode?ask|accept-edits|auto model?string effort?string",
    "gate.closed": "gate!name state!expired|interrupted|cancelled|superseded code?string",
    "gate.revoked": "gate!name nonce!nonce checksum!hex who!Who reason?string",
    "note": "type!log|phase|status level?string text!string data?JSON frame?string after!seq index!int",
    "run.paused": "state!waiting|interrupted|paused code?string what?string",
    "run.imported": "key!hex workspace!string version!string owner!Process",
    "run.finished": "state!completed|stopped|failed|cancelled result?JSON code?string error?string"
                    " failedCalls?int outstanding?[]string who?Who",
}
PARTS["call.started"] = PARTS["Call"] + " repeats?interrupted|changed|failed"
SCHEMA = {part: {m[1]: (m[2] == "!", m[3]) for m in map(re.compile("([^!?]+)([!?])(.*)").match, spec.split())}
          for part, spec in PARTS.items()}
ENVELOPE = {"seq": 1, "prev": 1, "at": 1, "kind": 1, "key": 0, "identity": 0, "data": 1, "seal": 0}
SEALED = {"gate.answered", "gate.closed", "gate.revoked", "run.finished", "run.imported"}
CAUSES = {"run.started", "call.finished", "gate.answered", "gate.closed"}


def moment(text, pattern):
    match = pattern.fullmatch(text)
    try:  # the calendar repeats itself after 400 years, and Python's has no year 0
        year = 2000 + int(match[1][:4]) % 400
        datetime.datetime.strptime("%d%s" % (year, match[1][4:]), "%Y-%m-%dT%H:%M:%S")
    except (TypeError, ValueError):
        raise Fault("%r is no time, or is written otherwise" % text[:40]) from None
    return text


def members(text, pos):
    """The members of the object at pos, as name: (begin, end); and where the object ends."""
    found = {}
    if text[pos:pos + 1] != "{":
        raise Fault("an object is missing at character %d" % pos)
    while text[pos:pos + 2] != "{}":
        name, begin = string(text, pos + 1, ESCAPES_OF_DATA)
        if name in found:
            raise Fault("the member %r is there twice" % name[:40])
        if text[begin:begin + 1] != ":":
            raise Fault("a colon is missing at character %d" % begin)
        end = scan(text, begin + 1)
        found[name] = (begin + 1, end)
        pos = end
        if text[pos:pos + 1] == "}":
            return found, pos + 1
        if text[pos:pos + 1] != ",":
            raise Fault("a comma is missing at character %d" % pos)
    return found, pos + 2


def in_order(names, known):
    """Are those of names that are known in the order of known?"""
    return [n for n in names if n in known] == [n for n in known if n in names]


def read(text, begin, end, kind):
    """What text[begin:end] holds, a value of a type or part; of JSON its text."""
    raw = text[begin:end] if kind != "string" and kind not in SCHEMA else ""
    if kind == "JSON":
        return raw
    if kind == "bool" and raw in ("true", "false"):
        return raw == "true"
    if kind in ("int", "seq") and INT.fullmatch(raw) and len(raw) < 21 and (kind == "int" or raw[0] != "-"):
        return int(raw)
    if kind.startswith("[]"):
        values, pos = [], begin
        if raw in ("null", "[]"):
            return values
        while text[pos] == ("," if values else "["):
            stop = scan(text, pos + 1)
            values.append(read(text, pos + 1, stop, kind[2:]))
            pos = stop
        return values
    if kind in SCHEMA:
        found, _ = members(text, begin)
        part = SCHEMA[kind]
        if not in_order(found, part):
            raise Fault("the members of %s are in another order" % kind)
        values = {}
        for name, (always, its) in part.items():
            if name not in found:
                if always:
                    raise Fault("%s has no member %s" % (kind, name))
                continue
            values[name] = read(text, *found[name], its)
            if not always and its not in SCHEMA and values[name] in ("", 0, False, []):
                raise Fault("the member %s of %s is empty, and there" % (name, kind))
        return values
    if kind not in ("bool", "int", "seq"):
        value, _ = string(text, begin, ESCAPES_OF_DATA)
        if kind == "time":
            return moment(value, TIME)
        form = FORMS.get(kind.rstrip("|"))
        if kind == "string" or form and form.fullmatch(value) or "|" in kind and value in kind.split("|")[form is not None:]:
            return value
    raise Fault("%s is no %s" % (text[begin:end][:40], kind))


def envelope(line):
    """The members of an entry."""
    if not line.endswith(b"\n"):
        raise Fault("the line does not end" if len(line) <= LINE else "the line is too long")
    try:
        text = line[:-1].decode("utf-8")
    except UnicodeDecodeError as e:
        raise Fault(str(e)) from None
    found, end = members(text, 0)
    if end != len(text):
        raise Fault("there is more behind the entry")
    if set(found) - set(ENVELOPE) or not in_order(found, ENVELOPE) or [n for n in ENVELOPE if ENVELOPE[n] and n not in found]:
        raise Fault("the members of the entry are others, or in another order")
    entry = {"key": "", "identity": ""}
    for name, (begin, stop) in found.items():
        if name == "seq":
            entry[name] = read(text, begin, stop, "seq")
        elif name != "data":
            entry[name], _ = string(text, begin, ESCAPES)
            if entry[name] == "":
                raise Fault("%s is empty, and there" % name)
    if not HEX.fullmatch(entry["prev"]):
        raise Fault("prev is no hash")
    moment(entry["at"], AT)
    if entry["kind"] not in PARTS or "." not in entry["kind"] and entry["kind"] != "note":
        raise Fault("unknown kind %r" % entry["kind"][:40])
    if ("seal" in entry) != (entry["kind"] in SEALED):
        raise Fault("a seal is missing, or one too many")
    entry["data"] = read(text, *found["data"], entry["kind"])
    if "seal" in entry:
        entry["bare"] = sha(text[:found["data"][1]] + "}")
    return entry


# --- What entries may follow ---

class Run:
    """What the entries so far make of the run."""

    def __init__(self):
        self.id, self.state, self.cancelled = "", "", False
        self.gates = {}  # id: what is known of it
        self.calls = set()  # keys of calls that are started and not finished
        self.causes = {0}  # what can stand as after

    def take(self, seq, entry):
        kind, data = entry["kind"], entry["data"]
        if (seq == 1) != (kind == "run.started"):
            raise Fault("%s as entry %d" % (kind, seq))
        if kind in ("call.started", "call.finished", "gate.asked") and not entry["key"]:
            raise Fault("%s has no key" % kind)
        {
            "run.started": self.started, "run.resumed": self.resumed, "call.started": self.call_started,
            "call.finished": self.call_finished, "gate.asked": self.asked, "gate.suspended": self.suspended,
            "gate.answered": self.answered, "gate.closed": self.closed, "gate.revoked": self.revoked,
            "run.paused": self.paused, "run.imported": self.imported, "run.finished": self.finished,
        }.get(kind, lambda entry, data: None)(entry, data)
        program = data.get("program") if kind in ("run.started", "run.resumed") else None
        if program and program["language"] == 1 and (program["hash"] or program["sources"]):
            if program["hash"] != program_hash(program):
                raise Fault("the program has another hash than its sources")
        for part in (data, data.get("call", {})):
            if part.get("after", 0) not in self.causes:
                raise Fault("%s has the cause %d, which is no answer before it" % (kind, part["after"]))
        if kind in CAUSES:
            self.causes.add(seq)

    def started(self, entry, data):
        if not RUN.fullmatch(data["run"]):
            raise Fault("%r is no RUN" % data["run"][:40])
        self.id, self.state = data["run"], "interrupted"  # until an entry says otherwise

    def resumed(self, entry, data):
        if self.cancelled:
            raise Fault("the run was cancelled before")
        self.state = "interrupted"

    def paused(self, entry, data):
        self.state = data["state"]

    def finished(self, entry, data):
        if self.cancelled:
            raise Fault("the run was cancelled before")
        pending = [g for g, gate in self.gates.items() if gate["state"] == "pending"]
        if pending:
            raise Fault("the gate %r is pending" % pending[0][:40])
        self.state, self.cancelled = data["state"], data["state"] == "cancelled"

    def call_started(self, entry, data):
        self.calls.add(entry["key"])

    def call_finished(self, entry, data):
        if "call" not in data and entry["key"] not in self.calls:
            raise Fault("no call of this key is open")
        self.calls.discard(entry["key"])

    def asked(self, entry, data):
        if not data["gate"] or data["gate"] in self.gates:
            raise Fault("the gate %r was asked before, or has no id" % data["gate"][:40])
        if data.get("revises") and data["revises"] not in self.gates:
            raise Fault("the gate %r was not asked before" % data["revises"])
        if (data["kind"] == "plan") != ("plan" in data):
            raise Fault("a plan is missing, or there for another kind of question")
        if data["kind"] == "plan":
            if data["checksum"] != sha(data["plan"]):
                raise Fault("the checksum is of another plan")
            if scan(data["plan"], 0, canonical=True) != len(data["plan"]):
                raise Fault("there is more behind the plan")
        elif data["checksum"] != entry["identity"]:
            raise Fault("the checksum is not the question's identity")
        gate = {name: data[name] for name in ("kind", "nonce", "checksum", "program")}
        gate.update(key=entry["key"], identity=entry["identity"], state="pending", ends=[])
        self.gates[data["gate"]] = gate

    def gate(self, data, state, entry=None, *repeated):
        """The gate that an entry is about, which has to be in a state, and what the entry repeats."""
        gate = self.gates.get(data["gate"])
        if gate is None or gate["state"] != state:
            raise Fault("the gate %r is not %s" % (data["gate"][:40], state))
        if entry is not None:
            said = {**{name: data[name] for name in repeated}, "key": entry["key"], "identity": entry["identity"]}
            for name, value in said.items():
                if gate[name] != value:
                    raise Fault("the %s is another one than the gate's" % name)
        return gate

    def suspended(self, entry, data):
        self.gate(data, "pending")

    def answered(self, entry, data):
        gate = self.gate(data, "pending", entry, "nonce", "checksum", "program")
        decision, state = data["decision"], "answered"
        if ("planApproval" in data) != (gate["kind"] == "plan"):
            raise Fault("a planApproval is missing, or there for another kind of question")
        if gate["kind"] == "plan":
            if data["planApproval"]["checksum"] != gate["checksum"] or data["planApproval"]["decision"] != decision:
                raise Fault("the planApproval is of another plan, or says something else")
            state = {"true": "approved", "false": "rejected"}.get(decision, "changes_requested")
            if state == "changes_requested" and decision[0] != '"':
                raise Fault("%s decides no plan" % decision[:40])
        gate["ends"].append(("decided", entry["at"], data["who"], decision))
        gate["state"] = "defaulted" if "unanswered" in data else state

    def closed(self, entry, data):
        gate = self.gate(data, "pending")
        gate["ends"].append(("closed", entry["at"], None, ""))
        gate["state"] = data["state"]

    def revoked(self, entry, data):
        gate = self.gate(data, "approved", entry, "nonce", "checksum")
        gate["ends"].append(("revoked", entry["at"], data["who"], ""))
        gate["state"] = "revoked"

    def imported(self, entry, data):
        for gate in self.gates.values():
            if gate["state"] == "approved":
                gate["state"] = "lapsed"


def verify(file, key, problem):
    """Reads an export, and gives the run, how many entries there are, their hash and the last seal."""
    run, seq, total, head, sealed, waiting = Run(), 0, 0, None, 0, []

    def check_seals(key):
        for seq, seal, message in waiting:
            if not seal_holds(seal, key, message):
                problem(seq, "the seal does not hold")
        waiting.clear()

    while line := file.readline(LINE + 2):
        seq, total = seq + 1, total + len(line)
        if total > EXPORT:
            problem(seq, "the export is too long")
            break
        try:
            entry = envelope(line)
            if seq == 1:
                run.take(1, entry)
                head = sha("assent/run/1\n", run.id)
        except Fault as fault:
            problem(seq, fault)
            return run, seq, head, sealed  # what follows, and with which key, cannot be judged
        if entry["seq"] != seq:
            problem(seq, "the entry says that it is number %s" % entry["seq"])
        if entry["prev"] != head:
            problem(seq, "prev is not the hash of what is before")
        head = sha("assent/entry/1\n", entry["prev"], line[:-1])
        try:
            if seq > 1:
                run.take(seq, entry)
        except Fault as fault:
            problem(seq, fault)
        if entry["kind"] == "run.imported":
            check_seals(entry["data"]["key"])
        if "seal" in entry:
            sealed = seq
            message = "assent/seal/1\n%s\n%s\n%s\n%s" % (run.id, entry["seq"], entry["prev"], entry["bare"])
            waiting.append((seq, entry["seal"], message))
    if not seq:
        problem(1, "there is no entry")
    check_seals(key)
    return run, seq, head, sealed


def shown(text):
    return "".join(c if c.isprintable() else "\\u{%x}" % ord(c) for c in text)


def main():
    sys.stdout.reconfigure(errors="backslashreplace", newline="\n")
    parser = argparse.ArgumentParser(description="Verifies an exported run.")
    parser.add_argument("export")
    parser.add_argument("--key", required=True, metavar="HEX", help="the public key that is trusted")
    args = parser.parse_args()
    if not HEX.fullmatch(args.key.lower()):
        parser.error("--key takes 64 hex digits")
    problems = []
    try:
        with open(args.export, "rb") as file:
            run, entries, head, sealed = verify(file, args.key, lambda *p: problems.append(p))
    except OSError as e:
        parser.error(str(e))
    for seq, what in sorted(problems, key=lambda p: p[0]):
        print("entry %d: %s" % (seq, shown(str(what))))
    if problems:
        return 1
    print("run\t%s\t%s" % (run.id, run.state))
    print("entries\t%d\tsealed to %d" % (entries, sealed))
    print("head\t%s" % head)
    for name, gate in run.gates.items():
        print("gate\t%s\t%s\t%s" % (shown(name), gate["state"], gate["checksum"]))
        for what, at, who, decision in gate["ends"]:
            by = "%(user)s@%(host)s (%(way)s)" % who if who and who["user"] else "nobody"
            print("\t%s\t%s\t%s\t%s" % (what, at, shown(by), shown(decision)))
    ended = run.state in SCHEMA["run.finished"]["state"][1].split("|")
    print("OK" if ended else "OK, but it may be cut: it does not end with the end of the run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
