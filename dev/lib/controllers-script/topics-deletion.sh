# shellcheck shell=bash
# Deletion: owners and dependents, namespaces, evictions.

topic_cascades() {
  local policy
  for policy in background foreground orphan; do
    run k create deployment "$policy" --image=runs.example/app:1 --replicas=2
    rolled_out "deployment/$policy"
  done
  run k delete deployment background --cascade=background
  reach '' k get replicasets,pods -l app=background -o name
  run k delete deployment foreground --cascade=foreground
  run k get replicasets,pods -l app=foreground
  run k delete deployment orphan --cascade=orphan
  reach '' k get replicasets -o 'jsonpath={.items[*].metadata.ownerReferences[*].name}'
  state replicasets,pods
  run k create deployment orphan --image=runs.example/app:1 --replicas=2
  rolled_out deployment/orphan
  state deployments,replicasets
  run k delete deployment orphan
  reach '' k get replicasets,pods -l app=orphan -o name
  owners
  custom_owners
}

# Arguments: name, owner (kind/name) or nothing, blockOwnerDeletion, finalizer.
owned() {
  local references=''
  [ -z "${2:-}" ] || references=$(printf '  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: %s, uid: %s, blockOwnerDeletion: %s}]' \
    "$2" "$(k get configmap "$2" -o 'jsonpath={.metadata.uid}')" "${3:-false}")
  printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  finalizers: [%s]\n%s\n' "$1" "${4:-}" "$references"
}

owners() {
  objects <<<"$(owned root)"
  objects <<<"$(owned blocking root true example.com/hold)"
  objects <<<"$(owned free root false example.com/hold)"
  objects <<<"$(owned leaf blocking true)"
  run k delete configmap root --cascade=foreground --wait=false
  reach_deleting blocking
  reach_deleting free
  state configmaps
  run k patch configmap blocking --type=merge -p '{"metadata":{"finalizers":null}}'
  reach_gone configmap/root
  reach_gone configmap/leaf
  run k patch configmap free --type=merge -p '{"metadata":{"finalizers":null}}'
  reach_gone configmap/free
  objects <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata:
  name: lost
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: never, uid: 11111111-2222-3333-4444-555555555555}]
YAML
  reach_gone configmap/lost
  state configmaps
}

reach_deleting() { reach yes is_deleting "$1"; }

is_deleting() { [ -z "$(k get configmap "$1" -o 'jsonpath={.metadata.deletionTimestamp}')" ] || printf yes; }

# A kind that exists only after the controllers have started.
custom_owners() {
  run kubectl apply -f - <<'YAML'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gardens.script.example.com}
spec:
  group: script.example.com
  scope: Namespaced
  names: {plural: gardens, singular: garden, kind: Garden}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
YAML
  run_last kubectl wait --for=condition=Established crd/gardens.script.example.com --timeout="${DEADLINE_SECONDS}s"
  objects <<'YAML'
apiVersion: script.example.com/v1
kind: Garden
metadata: {name: rose}
YAML
  objects <<YAML
apiVersion: v1
kind: ConfigMap
metadata:
  name: rose
  ownerReferences: [{apiVersion: script.example.com/v1, kind: Garden, name: rose, uid: "$(k get garden rose -o 'jsonpath={.metadata.uid}')"}]
YAML
  run k delete garden rose
  reach_gone configmap/rose
  run kubectl delete crd gardens.script.example.com
}

topic_namespaces() {
  use_namespace leaving
  run k create deployment web --image=runs.example/app:1 --replicas=2
  rolled_out deployment/web
  objects <<<"$(owned held '' false example.com/hold)"
  run kubectl delete namespace leaving --wait=false
  reach '' k get deployments,replicasets,pods,serviceaccounts -o name
  reach True kubectl get namespace leaving -o 'jsonpath={.status.conditions[?(@.type=="NamespaceFinalizersRemaining")].status}'
  NAMESPACE='' state namespaces/leaving
  run k create configmap late
  run k patch configmap held --type=merge -p '{"metadata":{"finalizers":null}}'
  reach '' kubectl get namespace leaving --ignore-not-found -o name
  use_namespace owned
  run kubectl patch namespace owned --type=merge -p '{"metadata":{"finalizers":["example.com/hold"]}}'
  run k create configmap content
  run kubectl delete namespace owned --wait=false
  reach '' k get configmaps -o name
  reach '[]' kubectl get namespace owned -o 'jsonpath=[{.spec.finalizers[*]}]'
  NAMESPACE='' state namespaces/owned
  run kubectl patch namespace owned --type=merge -p '{"metadata":{"finalizers":null}}'
  reach '' kubectl get namespace owned --ignore-not-found -o name
}

topic_disruption() {
  run k create deployment web --image=runs.example/app:1 --replicas=3
  rolled_out deployment/web
  run k create poddisruptionbudget web --selector=app=web --min-available=2
  reach_field pdb/web .status.disruptionsAllowed 1
  run k get poddisruptionbudgets
  state poddisruptionbudgets
  run evict "$(first_running app=web)"
  reach_field pdb/web .status.disruptionsAllowed 1
  reach_pods app=web 3
  run k patch pdb web --type=merge -p '{"spec":{"minAvailable":"100%"}}'
  reach_field pdb/web .status.disruptionsAllowed 0
  run evict "$(first_running app=web)"
  state poddisruptionbudgets
  drained
  run k create poddisruptionbudget part --selector=app=part --max-unavailable=34%
  objects <<<"$(job part runs.example/app '  parallelism: 2')"
  reach_pods app=part 2
  reach_field pdb/part '.status.conditions[?(@.type=="DisruptionAllowed")].reason' SyncFailed
  state poddisruptionbudgets
  run k delete job part
  run k delete poddisruptionbudget web part
}

evict() {
  printf '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"%s"}}' "$1" |
    k create --raw "/api/v1/namespaces/$NAMESPACE/pods/$1/eviction" -f -
}

# The budget allows one eviction after the other. Progress and the node of each pod are a matter of chance.
drained() {
  run kubectl cordon node-1
  run k patch pdb web --type=merge -p '{"spec":{"minAvailable":2}}'
  reach_field pdb/web .status.disruptionsAllowed 1
  run_last kubectl drain node-1 --ignore-daemonsets --force --pod-selector=app=web --timeout="${DEADLINE_SECONDS}s"
  reach_pods app=web 3
  run k get pods --field-selector=spec.nodeName=node-1
  reach_field pdb/web .status.currentHealthy 3
  state poddisruptionbudgets,deployments
  run kubectl uncordon node-1
}
