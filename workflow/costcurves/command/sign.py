"""`costcurves sign`: a signature of a report by a key of OpenSSH, whose `ssh-keygen` makes it."""

import shutil
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Final

from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.tables.contract import atomic
from costcurves.tables.record.manifest import SIGNATURE, SUMS, verify

DESCRIPTION: Final = """\
Sign a report with a key of OpenSSH (ssh-keygen -t ed25519): SHA256SUMS, which has every file, gets
a signature beside it. Who has the public half of the key holds the report to it with
'costcurves verify REPORT --signed-by KEY.pub'. Nothing is sent anywhere.
"""
EXAMPLES: Final = """\
examples:
  costcurves sign reports/default --key ~/.ssh/id_ed25519
"""
OPTIONS: Final = {
    "report": {"metavar": "REPORT", "help": "the folder of a report"},
    "--key": {"metavar": "KEY", "required": True, "help": "the file of your private key"},
}
NAMESPACE: Final = "costcurves"  # a signature that was given for something else is none of a report
PUBLIC: Final = ("ssh-", "ecdsa-", "sk-")  # what public keys begin with


def run(told: Namespace) -> int:
    """Sign the report, and say where the signature is."""
    report, key = Path(told.report), Path(told.key)
    if not key.is_file():
        raise CommandError(USAGE, f"{key}: is not there, expected the file of a private key")
    if findings := verify(report):
        raise CommandError(UNVERIFIED, "\n  ".join([f"{report}: was not signed", *findings]))
    made = _ssh_keygen("sign", "-f", str(key.resolve()), of=report)
    if made.returncode:
        raise CommandError(USAGE, f"{key}: can't sign ({_last_line(made)})")
    with atomic(report / SIGNATURE) as file:
        file.write_bytes(made.stdout)
    sys.stdout.write(f"{report / SIGNATURE}: signs every file of the report\n")
    return FINE


def not_signed(report: Path, key: Path) -> list[str]:
    """Say why a report is not signed by whom this public key belongs to; nothing where it is."""
    signature = report / SIGNATURE
    allowed = f'{NAMESPACE} namespaces="{NAMESPACE}" {_public(key)}\n'
    if signature.is_symlink() or not signature.is_file():
        return [f"{SIGNATURE}: is missing, or no file: nobody has signed the report"]
    with tempfile.TemporaryDirectory(prefix="costcurves-") as folder:
        signers = Path(folder, "signers")
        signers.write_text(allowed, encoding="utf-8")
        told = ("-f", str(signers), "-I", NAMESPACE, "-s", str(signature.resolve()))
        made = _ssh_keygen("verify", *told, of=report)
    if made.returncode == 0:
        return []
    return [f"{SIGNATURE}: is no signature of this report by {key} ({_last_line(made)})"]


def _public(key: Path) -> str:
    try:
        words = key.read_text("utf-8").split()
    except (OSError, UnicodeDecodeError):
        words = []
    if len(words) < 2 or not words[0].startswith(PUBLIC):
        expected = "expected the file of a public key, such as id_ed25519.pub"
        raise CommandError(USAGE, f"{key}: is no public key of OpenSSH, {expected}")
    return " ".join(words[:2])


def _ssh_keygen(action: str, *told: str, of: Path) -> "subprocess.CompletedProcess[bytes]":
    program = shutil.which("ssh-keygen")
    if program is None:
        mend = "install OpenSSH's client (apt-get install openssh-client)"
        raise CommandError(USAGE, f"Signatures need the program ssh-keygen, not found: {mend}")
    command = [program, "-Y", action, "-n", NAMESPACE, *told]
    signed = (of / SUMS).read_bytes() if (of / SUMS).is_file() else b""
    return subprocess.run(command, input=signed, capture_output=True, check=False)  # noqa: S603


def _last_line(made: "subprocess.CompletedProcess[bytes]") -> str:
    said = (made.stderr.strip() or made.stdout.strip()).decode("utf-8", "replace")
    return said.splitlines()[-1].strip() if said else "without a word"
