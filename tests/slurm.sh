#!/usr/bin/env bash
# Build the default study on a Slurm of one node, set up for it and ended with it; kill the command midway, run it again, and
# compare the bytes with a build without a cluster. Needs root, and Debian's slurmctld, slurmd, slurm-client and munge.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD place=$(mktemp -d) conf=/etc/slurm/slurm.conf
[ ! -e $conf ] || { echo "$conf: there is a Slurm already, expected none" >&2; exit 2; }

finish() {
  [ -z "${run:-}" ] || kill -9 -- "-$run" 2>/dev/null || true
  scontrol shutdown 2>/dev/null || true
  [ ! -f "$place/munge/pid" ] || kill "$(cat "$place/munge/pid")"
  rm -rf "$conf" "$place" || { sleep 5; rm -rf "$place"; } # the controller writes its state as it ends
}
trap finish EXIT

mkdir -p "$place"/{state,spool,log,munge,profile} /etc/slurm
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
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MinJobAge=3600
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=32 RealMemory=64000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
slurmctld -c
slurmd -c
until sinfo --noheader --format %t | grep -q idle; do sleep 1; done

# The plugin, beside what is installed already. This cluster keeps no accounts, so squeue tells how jobs are.
python3 -m pip --python .venv/bin/python install --quiet --no-deps --require-hashes --target "$place/plugins" -r tests/slurm.lock
export PYTHONPATH=$place/plugins
sed 's/^latency-wait: .*/latency-wait: 5/' profiles/slurm/config.yaml >"$place/profile/config.yaml"
printf 'slurm-status-command: squeue\nslurm-init-seconds-before-status-checks: 5\n' >>"$place/profile/config.yaml"

cp -r data config "$place"
cd "$place"
costcurves=("$root/.venv/bin/costcurves" report config/config.yaml)
setsid "${costcurves[@]}" --profile profile >first 2>&1 &
run=$!
until [ "$(squeue --noheader --states R | wc -l)" -ge 1 ]; do sleep 1; kill -0 $run || { cat first >&2; exit 1; }; done
sleep 20
kill -9 -- "-$run"
run=
"${costcurves[@]}" --profile profile --unlock
mv reports there
rm -rf results
"${costcurves[@]}" >/dev/null
diff --recursive --brief reports there
echo 'The report is the same as without a cluster.'
