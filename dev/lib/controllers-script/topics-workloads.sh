# shellcheck shell=bash
# Deployments, ReplicationControllers and charts of Helm.

topic_rollouts() {
  run k create deployment web --image=runs.example/app:1 --replicas=3
  rolled_out deployment/web
  run k annotate deployment/web kubernetes.io/change-cause=first
  run k scale deployment/web --replicas=4
  reach_field deployment/web .status.availableReplicas 4
  run k set image deployment/web app=runs.example/app:2
  run k annotate --overwrite deployment/web kubernetes.io/change-cause=second
  rolled_out deployment/web
  reach_pods app=web 4
  run k rollout history deployment/web
  run k rollout history deployment/web --revision=1
  run k rollout undo deployment/web
  rolled_out deployment/web
  reach_pods app=web 4
  run k rollout history deployment/web
  run k rollout pause deployment/web
  run k rollout restart deployment/web
  run k set image deployment/web app=runs.example/app:3
  reach_field deployment/web '.status.conditions[?(@.type=="Progressing")].reason' DeploymentPaused
  run k rollout undo deployment/web
  run k rollout resume deployment/web
  rolled_out deployment/web
  reach_pods app=web 4
  run k rollout restart deployment/web
  rolled_out deployment/web
  reach_pods app=web 4
  run k rollout undo deployment/web --to-revision=2
  rolled_out deployment/web
  reach_pods app=web 4
  run k rollout undo deployment/web --to-revision=99
  run k rollout history deployment/web
  run k get deployments
  run_sorted k get replicasets
  run_sorted k get pods
  state deployments,replicasets,pods
  failed_rollout
  recreated
}

failed_rollout() {
  run k patch deployment web --type=merge -p '{"spec":{"progressDeadlineSeconds":3}}'
  run k set image deployment/web app=missing.example/app:4
  reach_field deployment/web '.status.conditions[?(@.type=="Progressing")].reason' ProgressDeadlineExceeded
  run_last k rollout status deployment/web
  reach_pods app=web 2 Pending
  reach_pods app=web 3
  state deployments,replicasets
  run k rollout undo deployment/web
  rolled_out deployment/web
  reach_pods app=web 4
  run k patch deployment web --type=merge -p '{"spec":{"revisionHistoryLimit":1}}'
  reach 2 count replicasets
  state deployments,replicasets,pods
}

count() { k get "$1" -o name | wc -l | tr -d ' '; }

recreated() {
  objects <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: once}
spec:
  replicas: 2
  strategy: {type: Recreate}
  selector: {matchLabels: {app: once}}
  template:
    metadata: {labels: {app: once}}
    spec: {containers: [{name: main, image: "runs.example/app:1"}]}
YAML
  rolled_out deployment/once
  run k set image deployment/once main=runs.example/app:2
  rolled_out deployment/once
  reach_pods app=once 2
  run k scale deployment/once --replicas=0
  reach_field deployment/once .status.observedGeneration 3
  reach_pods app=once 0
  state deployments,replicasets,pods
}

topic_replicationcontrollers() {
  objects <<'YAML'
apiVersion: v1
kind: ReplicationController
metadata: {name: old}
spec:
  replicas: 3
  selector: {app: old}
  template:
    metadata: {labels: {app: old}}
    spec: {containers: [{name: main, image: "runs.example/app:1"}]}
YAML
  reach_field rc/old .status.availableReplicas 3
  run k scale rc/old --replicas=2
  reach_field rc/old .status.replicas 2
  reach_pods app=old 2
  run k label --overwrite "pod/$(first_running app=old)" app=released
  reach_pods app=old 2
  reach_field rc/old .status.availableReplicas 2
  state replicationcontrollers,pods
  run k label --overwrite "pod/$(first_running app=released)" app=old
  reach_pods app=old 2
  reach_field rc/old .status.availableReplicas 2
  run k get rc
  state replicationcontrollers,pods
  run k delete rc old --cascade=orphan
  reach '' k get pods -o 'jsonpath={.items[*].metadata.ownerReferences[*].name}'
  state pods
}

topic_helm() {
  write_chart "$TEMPORARY/chart"
  run helm install shop "$TEMPORARY/chart" --wait --timeout "${DEADLINE_SECONDS}s"
  state deployments,statefulsets,jobs,services,configmaps,poddisruptionbudgets
  run helm upgrade shop "$TEMPORARY/chart" --set image=runs.example/app:2,replicas=3 --wait --timeout "${DEADLINE_SECONDS}s"
  reach_pods app=shop 3
  run helm upgrade shop "$TEMPORARY/chart" --set image=missing.example/app:3 --wait --timeout 4s
  run helm history shop -o yaml
  run helm rollback shop 2 --wait --timeout "${DEADLINE_SECONDS}s"
  reach_pods app=shop 3
  run helm rollback shop 1 --wait --timeout "${DEADLINE_SECONDS}s"
  reach_pods app=shop 2
  run helm history shop -o yaml
  run k rollout history deployment/shop
  state deployments,statefulsets,jobs,pods
  run helm upgrade shop "$TEMPORARY/chart" --set image=missing.example/app:3 --atomic --timeout 4s
  reach_pods app=shop 2
  run helm uninstall shop --wait --timeout "${DEADLINE_SECONDS}s"
  reach '' k get pods -l 'app in (shop,store)' -o name
  run k get deployments,statefulsets,jobs,services,poddisruptionbudgets
}

# A Deployment with a Service and a budget, a StatefulSet, and a Job that runs before each upgrade.
write_chart() {
  mkdir -p "$1/templates"
  cat >"$1/Chart.yaml" <<'YAML'
apiVersion: v2
name: shop
version: 1.0.0
YAML
  cat >"$1/values.yaml" <<'YAML'
image: runs.example/app:1
replicas: 2
YAML
  cat >"$1/templates/all.yaml" <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}"}
data: {image: "{{ .Values.image }}"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}"}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: "{{ .Release.Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Release.Name }}"}}
    spec: {containers: [{name: main, image: "{{ .Values.image }}", ports: [{name: http, containerPort: 8080}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: "{{ .Release.Name }}"}
spec: {selector: {app: "{{ .Release.Name }}"}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: "{{ .Release.Name }}"}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: "{{ .Release.Name }}"}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: "{{ .Release.Name }}-store"}
spec:
  serviceName: store
  replicas: 2
  selector: {matchLabels: {app: store}}
  template:
    metadata: {labels: {app: store}}
    spec: {containers: [{name: main, image: "runs.example/store:1"}]}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: "{{ .Release.Name }}-migrate"
  annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: before-hook-creation}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: "migrate:1"}]}
YAML
}
