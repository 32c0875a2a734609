#!/usr/bin/env bash
# The default study, and one of 200 datasets, on a Slurm of one node, set up for it and ended with it: in few submissions, of
# the many 16 at a time, killed in the middle and taken up again, with the bytes of a build without a cluster. Needs root,
# and what Debian calls slurmctld, slurmd, slurm-client and munge.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD place=$(mktemp -d)
python=$root/.venv/bin/python conf=/etc/slurm/slurm.conf
[ ! -e $conf ] || { echo "$conf: there is a Slurm already, expected none" >&2; exit 2; }

finish() {
  [ -z "${run:-}" ] || kill -9 -- "-$run" 2>/dev/null || true
  scontrol shutdown 2>/dev/null || true
  [ ! -f "$place/munge/pid" ] || kill "$(cat "$place/munge/pid")"
  rm -rf "$conf" "$place" || { sleep 5; rm -rf "$place"; } # the controller writes its state as it ends
}
trap finish EXIT

mkdir -p "$place"/{state,spool,log,munge} /etc/slurm
chmod 700 "$place/munge"
(umask 077 && head -c 1024 /dev/urandom >"$place/munge/key")
munged --force --socket "$place/munge/socket" --key-file "$place/munge/key" --pid-file "$place/munge/pid" \
  --log-file "$place/log/munge" --seed-file "$place/munge/seed"
cat >$conf <<END
ClusterName=one
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
SlurmdParameters=config_overrides
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/log/slurmctld
SlurmdLogFile=$place/log/slurmd
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobCompType=jobcomp/filetxt
JobCompLoc=$place/log/completed
MinJobAge=3600
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=32 RealMemory=64000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
slurmctld -c
slurmd -c
until sinfo --noheader --format %t | grep -q idle; do sleep 1; done

# The plugin, beside what is installed already. This cluster keeps no accounts, so squeue tells how jobs are.
python3 -m pip --python "$python" install --quiet --no-deps --require-hashes --target "$place/plugins" \
  -r tests/slurm.lock
export PYTHONPATH=$place/plugins
mkdir "$place/profile"
sed 's/^latency-wait: .*/latency-wait: 5/' profiles/slurm/config.yaml >"$place/profile/config.yaml"
printf 'slurm-status-command: squeue\nslurm-init-seconds-before-status-checks: 5\n' >>"$place/profile/config.yaml"

cp -r data config "$place"
cd "$place"
"$python" - <<'END'
from pathlib import Path

import numpy as np

rng, rows = np.random.default_rng(200), 90
label = np.arange(rows) % 5 < 2
datasets = [f"set{number}" for number in range(200)]
for name in datasets:
    scores = {model: rng.normal(shift * label).round(3) for model, shift in (("A", 1.0), ("B", 1.4))}
    lines = [f"{model},{i},{label[i]:d},{own[i]}" for model, own in scores.items() for i in range(rows)]
    Path(f"{name}.csv").write_text("\n".join(["model,instance,label,score", *lines, ""]))
listed = "\n".join(f"  - {{name: {name}, predictions: [{name}.csv]}}" for name in datasets)
Path("many.yaml").write_text(f"study: many\npdf: false\ninference: {{resamples: 200}}\ndatasets:\n{listed}\n")
END
report() { "$root/.venv/bin/costcurves" report "$@"; }
running() { squeue --noheader --states R | wc -l; }
export -f report
export root
# A study, how many of its jobs are at work before it is killed, and the most submissions after it.
for study in 'config/config.yaml 1 12' 'many.yaml 16 60'; do
  read -r file at_once most <<<"$study"
  setsid bash -c "report $file --profile profile" >first 2>&1 &
  run=$!
  until [ "$(running)" -ge "$at_once" ]; do sleep 1; kill -0 $run || { cat first >&2; exit 1; }; done
  sleep 20
  kill -9 -- "-$run"
  run=
  begun=$(($(wc -l <log/completed) + $(squeue --noheader | wc -l)))
  report "$file" --profile profile --unlock
  submitted=$(($(wc -l <log/completed) - begun))
  [ "$submitted" -le "$most" ] || { echo "$file: $submitted submissions, expected $most at most" >&2; exit 1; }
  echo "$file: $submitted submissions after $begun before it was killed, $at_once or more at a time"
  mv reports there
  rm -rf results
  report "$file" >/dev/null
  diff --recursive --brief reports there
  rm -rf reports there
  echo 'The report is the same as without a cluster.'
done
cut -d ' ' -f 5,8,9,13 log/completed
