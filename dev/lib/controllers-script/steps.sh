# shellcheck shell=bash
# How a topic of dev/controllers-script runs commands, waits and prints.

# Starts a line that fails the script.
NOT_REACHED='NOT REACHED'

DEADLINE_SECONDS=90

all_topics() { declare -F | sed -n 's/^declare -f topic_//p' | tr '\n' ' '; }

# Each topic has a namespace with its name, which is deleted at its end.
play_topic() {
  TOPIC=$1
  use_namespace "$TOPIC"
  "topic_$TOPIC"
  NAMESPACE=$TOPIC
  reports
  kubectl delete namespace "$TOPIC" --wait=false >/dev/null
}

use_namespace() {
  NAMESPACE=$1
  "$DEV_DIR/kubernetes" namespace "$1" --name "$INSTANCE_NAME"
}

kubectl() { "$DEV_KUBERNETES_BINARIES/kubectl" "$@"; }

# kubectl in the namespace of the topic.
k() { kubectl -n "$NAMESPACE" "$@"; }

helm() { "$DEV_DIR/kubernetes" helm --name "$INSTANCE_NAME" -n "$NAMESPACE" "$@"; }

normalized() { "$PYTHON" -I -S "$STEPS/normalize.py" "$@"; }

# Runs a command, and prints it with its output and a failed exit code. The input of the step is passed on.
run() { run_with lines "$@"; }

# The same for output whose order depends on random names.
run_sorted() { run_with sorted "$@"; }

# The same for commands that print their progress, which depends on timing: the last line.
run_last() { run_with last "$@"; }

run_with() {
  local how=$1 code=0 output
  shift
  output=$("$@" 2>&1) || code=$?
  printf '%s\n%s\n' "$(printf '%s ' "$@" | tr '\n' ' ')" "$output" | normalized "$how"
  [ "$code" -eq 0 ] || printf 'exit code %s\n' "$code"
}

# Applies the objects of the input.
objects() {
  run k apply -f -
}

# Waits until a command prints a text. Arguments: text, command.
reach() {
  local wanted=$1 end=$((SECONDS + DEADLINE_SECONDS)) found=''
  shift
  while [ "$SECONDS" -lt "$end" ]; do
    found=$("$@" 2>/dev/null) || true
    [ "$found" != "$wanted" ] || return 0
    sleep 0.3
  done
  printf "%s: '%s' of '%s', but '%s'\n" "$NOT_REACHED" "$wanted" "$*" "$found" | normalized text
}

# Waits until a field has a value. Arguments: object, path, value.
reach_field() { reach "$3" k get "$1" -o "jsonpath={$2}"; }

# Waits until as many pods exist as running or pending ones that are not being deleted. Arguments: selector, number, phase.
reach_pods() { reach "$2" count_pods "$1" "${3:-Running}"; }

count_pods() {
  k get pods -l "$1" -o 'jsonpath={range .items[*]}{.status.phase}/{.metadata.deletionTimestamp}{"\n"}{end}' |
    grep -c "^$2/\$" || true
}

reach_gone() { reach '' k get "$1" --ignore-not-found -o name; }

# Waits until a rollout is complete, and the pods of former revisions are gone.
rolled_out() {
  run_last k rollout status "$1" --timeout="${DEADLINE_SECONDS}s"
}

# Prints the objects of kinds with everything in them that does not depend on time and chance, after they have rested for a second.
state() {
  local kinds=$1 end=$((SECONDS + DEADLINE_SECONDS)) last='' now='' same=0
  printf '$ state of %s\n' "$kinds"
  while [ "$SECONDS" -lt "$end" ]; do
    now=$(k get "$kinds" -o json 2>/dev/null | normalized objects)
    if [ "$now" = "$last" ]; then same=$((same + 1)); else same=0; fi
    [ "$same" -lt 3 ] || break
    last=$now
    sleep 0.3
  done
  [ "$same" -ge 3 ] || printf '%s: %s at rest\n' "$NOT_REACHED" "$kinds"
  printf '%s\n' "$now"
}

# The reports (Kubernetes Events) of controllers about the objects of the topic.
reports() {
  local end=$((SECONDS + DEADLINE_SECONDS)) last='-' now='' same=0
  printf '$ reports\n'
  while [ "$SECONDS" -lt "$end" ] && [ "$same" -lt 4 ]; do
    now=$(k get events -o json 2>/dev/null | normalized reports)
    if [ "$now" = "$last" ]; then same=$((same + 1)); else same=0; fi
    last=$now
    sleep 0.3
  done
  printf '%s\n' "$now"
}

# The pods of a selector that run, by name; the first word is the first pod.
running() {
  k get pods -l "$1" --field-selector=status.phase=Running --sort-by=.metadata.name -o 'jsonpath={.items[*].metadata.name}'
}

first_running() { running "$1" | cut -d ' ' -f 1; }

# Ends a pod as a kubelet would. Arguments: pod, phase, exit code.
end_pod() {
  local reason=Error
  [ "$2" = Failed ] || reason=Completed
  printf '$ a pod ends: %s with exit code %s\n' "$2" "$3"
  k patch pod "$1" --subresource=status --type=merge -p "{\"status\":{\"phase\":\"$2\",\"containerStatuses\":[{
    \"name\":\"main\",\"image\":\"runs.example/app\",\"imageID\":\"\",\"ready\":false,\"restartCount\":0,\"state\":{\"terminated\":{
    \"exitCode\":$3,\"reason\":\"$reason\",\"startedAt\":\"2026-01-01T00:00:00Z\",\"finishedAt\":\"2026-01-01T00:00:00Z\"}}}]}}" >/dev/null
}
