# shellcheck shell=bash
# StatefulSets and DaemonSets.

# Arguments: name, further fields of the specification.
stateful_set() {
  cat <<YAML
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: $1}
spec:
  serviceName: $1
  replicas: 3
  selector: {matchLabels: {app: $1}}
  template:
    metadata: {labels: {app: $1}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: main, image: "runs.example/app:1", volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}
$2
YAML
}

topic_statefulsets() {
  objects <<<"$(stateful_set db '  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}')"
  rolled_out statefulset/db
  reach_pods app=db 3
  state statefulsets,controllerrevisions,pods,persistentvolumeclaims
  run k set image statefulset/db main=runs.example/app:2
  reach_field pod/db-2 '.spec.containers[0].image' runs.example/app:2
  reach_field statefulset/db .status.updatedReplicas 1
  rolled_out statefulset/db
  reach_pods app=db 3
  state statefulsets,controllerrevisions,pods
  run k patch statefulset db --type=merge -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'
  rolled_out statefulset/db
  reach_pods app=db 3
  run k rollout history statefulset/db
  run k rollout undo statefulset/db
  rolled_out statefulset/db
  reach_pods app=db 3
  run k rollout history statefulset/db
  run k rollout restart statefulset/db
  rolled_out statefulset/db
  reach_pods app=db 3
  state statefulsets,controllerrevisions,pods
  run k scale statefulset/db --replicas=1
  reach_field statefulset/db .status.replicas 1
  reach_pods app=db 1
  run k get persistentvolumeclaims -o custom-columns=NAME:.metadata.name,PHASE:.status.phase
  run k set image statefulset/db main=missing.example/app:3
  reach_field pod/db-0 '.status.containerStatuses[0].state.waiting.reason' ImagePullBackOff
  run k rollout undo statefulset/db
  run k delete pod db-0
  rolled_out statefulset/db
  run k get statefulsets
  state statefulsets,controllerrevisions,pods,persistentvolumeclaims
  run k delete statefulset db --cascade=orphan
  reach '' k get pods -o 'jsonpath={.items[*].metadata.ownerReferences[*].name}'
  state pods,controllerrevisions,persistentvolumeclaims
}

topic_claims() {
  objects <<<"$(stateful_set keep '  persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: Delete}
  podManagementPolicy: Parallel')"
  objects <<<"$(stateful_set drop '  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete, whenScaled: Retain}
  ordinals: {start: 5}')"
  rolled_out statefulset/keep
  rolled_out statefulset/drop
  reach 6 count persistentvolumeclaims
  reach 'Bound Bound Bound Bound Bound Bound' k get persistentvolumeclaims -o 'jsonpath={.items[*].status.phase}'
  state statefulsets,pods,persistentvolumeclaims
  run k scale statefulset/keep statefulset/drop --replicas=1
  reach_pods app=keep 1
  reach_pods app=drop 1
  reach 4 count persistentvolumeclaims
  state statefulsets,pods,persistentvolumeclaims
  run k delete statefulset keep drop
  reach 1 count persistentvolumeclaims
  reach '' k get pods -o name
  state persistentvolumeclaims
}

topic_daemonsets() {
  run kubectl label --overwrite node node-1 role=edge
  objects <<'YAML'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      nodeSelector: {role: edge}
      containers: [{name: main, image: "runs.example/app:1"}]
YAML
  rolled_out daemonset/agent
  reach_pods app=agent 1
  state daemonsets,controllerrevisions,pods
  run kubectl label node node-2 role=edge
  reach_pods app=agent 2
  run k set image daemonset/agent main=runs.example/app:2
  rolled_out daemonset/agent
  reach_pods app=agent 2
  run k rollout history daemonset/agent
  run k rollout undo daemonset/agent
  rolled_out daemonset/agent
  run k rollout history daemonset/agent
  run k patch daemonset agent --type=merge -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":1,"maxUnavailable":0}}}}'
  run k rollout restart daemonset/agent
  rolled_out daemonset/agent
  reach_pods app=agent 2
  reach_field daemonset/agent .status.numberAvailable 2
  state daemonsets,controllerrevisions,pods
  run kubectl taint node node-2 dedicated=others:NoExecute
  reach_pods app=agent 1
  run kubectl taint node node-2 dedicated-
  reach_pods app=agent 2
  run kubectl cordon node-2
  run kubectl label node node-1 role-
  reach_pods app=agent 1
  reach_field daemonset/agent .status.numberAvailable 1
  run kubectl uncordon node-2
  run k get daemonsets
  state daemonsets,pods
  run k delete daemonset agent
  reach '' k get pods -o name
  run kubectl label node node-2 role-
}
