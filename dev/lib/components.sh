# shellcheck shell=bash
# The processes of an instance: starts, stops, pauses and inspects them.

ALL_COMPONENTS="etcd apiserver controller-manager scheduler kwok controllers"

# All controllers except those for clouds and certificates.
ALL_CONTROLLERS="serviceaccount serviceaccount-token root-ca-certificate-publisher garbage-collector namespace \
deployment replicaset statefulset daemonset job cronjob endpoints endpointslice endpointslice-mirroring \
pod-garbage-collector disruption resourcequota horizontal-pod-autoscaler ttl-after-finished \
clusterrole-aggregation node-lifecycle taint-eviction storage-version-migrator validatingadmissionpolicy-status \
persistentvolume-binder persistentvolume-protection persistentvolumeclaim-protection ephemeral-volume"

# etcd, kube-apiserver ... for a component's name.
program_of() {
  case "$1" in
    etcd | kwok) printf '%s' "$1" ;;
    controllers) java_program ;;
    *) printf 'kube-%s' "$1" ;;
  esac
}

check_component() {
  case " $ALL_COMPONENTS " in
    *" ${1:-} "*) ;;
    *) die "'${1:-}' is not a component." "The components are: $ALL_COMPONENTS" ;;
  esac
}

# --- arguments ------------------------------------------------------------------------------------------------

# Each of these prints one argument per line.

etcd_arguments() {
  # The data does not outlive the instance, so fsync is not needed.
  printf '%s\n' --name=dev "--data-dir=$INSTANCE/etcd" --unsafe-no-fsync --log-level=warn \
    "--listen-client-urls=unix://$INSTANCE/etcd.sock" "--advertise-client-urls=unix://$INSTANCE/etcd.sock" \
    "--listen-peer-urls=unix://$INSTANCE/peer.sock" "--initial-advertise-peer-urls=unix://$INSTANCE/peer.sock" \
    "--initial-cluster=dev=unix://$INSTANCE/peer.sock"
}

apiserver_arguments() {
  printf '%s\n' "--etcd-servers=unix://$INSTANCE/etcd.sock" --bind-address=127.0.0.1 --advertise-address=127.0.0.1 \
    "--secure-port=$PORT" "--cert-dir=$PKI" "--tls-cert-file=$PKI/apiserver.crt" "--tls-private-key-file=$PKI/apiserver.key" \
    "--client-ca-file=$PKI/ca.crt" "--token-auth-file=$INSTANCE/tokens.csv" --authorization-mode=RBAC \
    --service-account-issuer=https://kubernetes.default.svc "--service-account-key-file=$PKI/service-accounts.pub" \
    "--service-account-signing-key-file=$PKI/service-accounts.key" --service-cluster-ip-range=10.0.0.0/16 \
    --endpoint-reconciler-type=none --allow-privileged --profiling=false --shutdown-watch-termination-grace-period=1s
  # The admission plug-in rejects pods until the controller manager has created service accounts.
  has_part controller-manager || printf '%s\n' --disable-admission-plugins=ServiceAccount
}

controller-manager_arguments() {
  printf '%s\n' "--kubeconfig=$INSTANCE/kubeconfig-controller-manager" --leader-elect=false --secure-port=0 \
    "--service-account-private-key-file=$PKI/service-accounts.key" "--root-ca-file=$PKI/ca.crt" \
    --kube-api-qps=500 --kube-api-burst=1000 --profiling=false --node-monitor-grace-period=1h \
    --enable-hostpath-provisioner
  # Kubernetes would merge two lists.
  has_argument controller-manager=--controllers || printf -- '--controllers=%s\n' "$(controllers)"
}

# The controllers of the controller manager without those in --without-controllers.
controllers() {
  local name chosen=''
  for name in $ALL_CONTROLLERS; do
    case ",${WITHOUT_CONTROLLERS:-}," in *",$name,"*) ;; *) chosen="$chosen,$name-controller" ;; esac
  done
  printf '%s' "${chosen#,}"
}

check_controllers() {
  local name
  for name in ${1//,/ }; do
    case " $ALL_CONTROLLERS " in
      *" $name "*) ;;
      *) die "'$name' is not a controller." "The controllers are: $ALL_CONTROLLERS" ;;
    esac
  done
}

scheduler_arguments() {
  printf '%s\n' "--kubeconfig=$INSTANCE/kubeconfig-scheduler" --leader-elect=false --secure-port=0 \
    --kube-api-qps=500 --kube-api-burst=1000 --profiling=false
}

kwok_arguments() {
  printf '%s\n' "--kubeconfig=$INSTANCE/kubeconfig-kwok" "--config=$DEV_DIR/kwok/stages.yaml" \
    --manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake --node-lease-duration-seconds=40
}

# --- starting and stopping ------------------------------------------------------------------------------------

# Whether an additional argument starts with the text.
has_argument() {
  local extra
  for extra in ${EXTRA_ARGUMENTS[@]+"${EXTRA_ARGUMENTS[@]}"}; do
    case "$extra" in "$1"*) return 0 ;; esac
  done
  return 1
}

has_part() { case " $PARTS " in *" $1 "*) ;; *) return 1 ;; esac; }

# Writes the command line of a component to a file, for restarts.
describe_component() {
  local extra
  mkdir -p "$INSTANCE/run" "$INSTANCE/logs"
  {
    case "$1" in controllers) ;; *) printf '%s/' "$BIN" ;; esac
    printf '%s\n' "$(program_of "$1")"
    "$1_arguments"
    for extra in ${EXTRA_ARGUMENTS[@]+"${EXTRA_ARGUMENTS[@]}"}; do
      [ "${extra%%=*}" != "$1" ] || printf '%s\n' "${extra#*=}"
    done
  } >"$INSTANCE/run/$1.command"
}

start_component() {
  local line command=() pid
  ! component_alive "$1" || return 0
  while IFS= read -r line; do command+=("$line"); done <"$INSTANCE/run/$1.command"
  pid=$(cd "$INSTANCE" && KWOK_WORKDIR="$INSTANCE/kwok" daemon "$INSTANCE/logs/$1.log" "${command[@]}")
  printf '%s' "$pid" >"$INSTANCE/run/$1.pid"
}

component_pid() { cat "$INSTANCE/run/$1.pid" 2>/dev/null; }

# Whether the component runs. Another process with the same id does not mention our folder.
component_alive() {
  local pid
  pid=$(component_pid "$1") || return 1
  kill -0 "$pid" 2>/dev/null || return 1
  case "$(ps -ww -o args= -p "$pid" 2>/dev/null)" in
    *"$INSTANCE/"*) return 0 ;;
    *) return 1 ;;
  esac
}

signal_component() { ! component_alive "$2" || kill "-$1" "$(component_pid "$2")" 2>/dev/null || true; }

# Stops a component, forcibly after ten seconds.
stop_component() {
  signal_component CONT "$1"
  signal_component TERM "$1"
  await 10 component_gone "$1" || kill_component "$1"
}

kill_component() {
  signal_component KILL "$1"
  await 10 component_gone "$1" || die "$1 (process $(component_pid "$1")) does not stop."
}

component_gone() { ! component_alive "$1" && ! component_ends "$1"; }

# A killed process has no arguments any more, but its port until its last thread has ended.
component_ends() {
  local pid state arguments
  pid=$(component_pid "$1") || return 1
  read -r state arguments <<<"$(ps -ww -o stat=,args= -p "$pid" 2>/dev/null)" || return 1
  case "$state" in
    Z*l*) return 0 ;;
    Z* | '') return 1 ;;
  esac
  case "$arguments" in '['*) return 0 ;; *) return 1 ;; esac
}

component_state() {
  local state
  component_alive "$1" || { printf 'stopped' && return; }
  state=$(ps -o stat= -p "$(component_pid "$1")" 2>/dev/null)
  case "$state" in T*) printf 'paused' ;; *) printf 'running' ;; esac
}

# Runs a check until it succeeds. Arguments: seconds, check and its arguments.
await() {
  local deadline=$(($(now_millis) + $1 * 1000))
  shift
  until "$@"; do
    [ "$(now_millis)" -lt "$deadline" ] || return 1
    sleep 0.1
  done
}

# --- readiness ------------------------------------------------------------------------------------------------

apiserver_ready() { [ "$(api /readyz)" = ok ]; }

apiserver_ready_or_gone() { apiserver_ready || component_gone apiserver || component_gone etcd || parent_gone; }

# The controller manager creates a service account in every namespace once it works.
namespace_ready() { api "/api/v1/namespaces/$1/serviceaccounts/default" --fail --output /dev/null; }

controllers_ready() { namespace_ready default; }

nodes_ready() { [ "$(api /api/v1/nodes | grep -c '"reason": "KubeletReady"')" -ge 2 ]; }

# Claims that name no other class get a folder of this machine. The folder is empty because no container runs.
create_storage_class() {
  printf '{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"standard","annotations":{"storageclass.kubernetes.io/is-default-class":"true"}},"provisioner":"kubernetes.io/host-path"}' |
    api /apis/storage.k8s.io/v1/storageclasses --fail --output /dev/null --header 'Content-Type: application/json' --data-binary @- ||
    die "Could not create the storage class."
}

# Removes the folders that the provisioner created. It always creates them below /tmp/hostpath_pv.
remove_volumes() {
  local folder
  [ -f "$INSTANCE/curl.conf" ] && [ -f "$INSTANCE/port" ] || return 0
  PORT=$(cat "$INSTANCE/port")
  { api /api/v1/persistentvolumes --max-time 2 || true; } | { grep -oE '/tmp/hostpath_pv/[0-9a-f-]{36}' || true; } |
    while IFS= read -r folder; do rmdir "$folder" 2>/dev/null || true; done
}

create_nodes() {
  local node
  for node in node-1 node-2; do
    printf '{"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","annotations":{"kwok.x-k8s.io/node":"fake"},"labels":{"kubernetes.io/hostname":"%s","kubernetes.io/os":"linux","type":"kwok"}}}' \
      $node $node | api /api/v1/nodes --fail --output /dev/null --header 'Content-Type: application/json' --data-binary @- ||
      die "Could not create node $node."
  done
}
